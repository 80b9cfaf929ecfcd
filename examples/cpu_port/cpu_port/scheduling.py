"""From scheduler nodes to launches of kernels. The kernels themselves would be the work of a second stage."""

import sympy
from torch._inductor.scheduler import BaseScheduling
from torch._inductor.virtualized import V
from torch.utils._ordered_set import OrderedSet

from cpu_port.passes import SPLITS


class SlateScheduling(BaseScheduling):
    """One launch for each fused group of nodes."""

    def get_backend_features(self, device):
        return OrderedSet()

    def group_fn(self, sizes):
        return tuple(sympy.Mul(*size) for size in sizes)

    def can_fuse_vertical(self, node1, node2):
        return node1.group == node2.group

    def can_fuse_horizontal(self, node1, node2):
        return False

    def codegen_node(self, node):
        nodes = node.get_nodes()
        for one in nodes:
            one.mark_run()
        cores = min(SPLITS.get(one.get_name(), 1) for one in nodes)
        kept = sorted(name for one in nodes for name in one.get_buffer_names() if name in V.graph.slate_scratchpad)
        V.graph.wrapper_code.writeline(f"slate_launch({node.get_name()!r}, cores={cores}, scratchpad={kept!r})")

    def flush(self):
        return None
