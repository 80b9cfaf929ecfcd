"""An out-of-tree Inductor port in the small, for a device called slate that nobody builds.

`register` tells PyTorch about the device, its decompositions, lowerings, passes, scheduling and wrapper. Read the
modules in this order: device, decompositions, lowering, passes, patches, scheduling, wrapper.
"""


def register() -> None:
    """Make `torch.device("slate")` known and let Inductor compile for it. Call it once, before anything is compiled."""
    from torch._inductor.codegen.common import register_backend_for_device

    from cpu_port import decompositions, device, lowering, passes, patches
    from cpu_port.scheduling import SlateScheduling
    from cpu_port.wrapper import SlateWrapper

    device.register()
    decompositions.register()
    lowering.register()
    passes.register()
    patches.install()
    register_backend_for_device(device.NAME, SlateScheduling, SlateWrapper)
