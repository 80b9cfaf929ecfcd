"""The one place where Inductor has no hook: after lowering and before the scheduler is made."""

from torch._inductor.graph import GraphLowering

from cpu_port.device import SCRATCHPAD_BYTES


def fitting_buffers(graph):
    """Names of intermediate buffers that fit into the scratchpad."""
    return {
        buffer.get_name()
        for buffer in graph.buffers
        if buffer.get_numel() * buffer.get_dtype().itemsize <= SCRATCHPAD_BYTES
    }


def install():
    """Rebind `GraphLowering._update_scheduler` so that the choice of scratchpad buffers is made first."""
    original = GraphLowering._update_scheduler

    def update_scheduler(self):
        self.slate_scratchpad = fitting_buffers(self)
        original(self)

    GraphLowering._update_scheduler = update_scheduler
