"""Passes of the port, handed to Inductor's own places for them."""

from torch._inductor import config
from torch._inductor.custom_graph_pass import CustomGraphPass, get_hash_for_files

import torch
from cpu_port.device import CORES

aten = torch.ops.aten
SPLITS = {}
"""Cores that each scheduler node is divided over, by its name."""


class DropCopies(CustomGraphPass):
    """Remove copies that change nothing: slate has no aliasing views, so the clone of a dense tensor is that tensor."""

    def __call__(self, graph):
        for node in list(graph.find_nodes(op="call_function", target=aten.clone.default)):
            source = node.args[0]
            if source.meta["val"].stride() == node.meta["val"].stride():
                node.replace_all_uses_with(source)
                graph.erase_node(node)

    def uuid(self):
        return get_hash_for_files((__file__,))


def divide_work(nodes):
    """Decide, before anything is fused, over how many cores each loop nest is divided: the most that fit evenly."""
    for node in nodes:
        sizes = node.get_ranges()[0] if hasattr(node, "get_ranges") else ()
        elements = 1
        for size in sizes:
            elements *= int(size)
        SPLITS[node.get_name()] = next(cores for cores in range(CORES, 0, -1) if elements % cores == 0)
    return nodes


def register():
    """Use the keys that Inductor's configuration has for custom passes."""
    config.post_grad_custom_post_pass = DropCopies()
    config._pre_fusion_custom_pass = divide_work
