"""The device: four cores with a scratchpad of 64 KiB each, told to PyTorch in Python alone."""

from dataclasses import dataclass

from torch._dynamo.device_interface import DeviceInterface, register_interface_for_device
from torch._inductor.codegen.common import DeviceOpOverrides, register_device_op_overrides
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

NAME = "slate"
CORES = 4
SCRATCHPAD_BYTES = 64 * 1024


@dataclass(frozen=True)
class Properties:
    """What Inductor asks a device for."""

    name: str = NAME
    multi_processor_count: int = CORES


class SlateInterface(DeviceInterface):
    """One device, always there, with nothing to wait for."""

    class Worker:
        """Inductor's compile workers ask here."""

        @staticmethod
        def get_device_properties(device=None):
            return Properties()

    @staticmethod
    def is_available():
        return True

    @staticmethod
    def device_count():
        return 1

    @staticmethod
    def current_device():
        return 0

    @staticmethod
    def get_compute_capability(device=None):
        return ""

    @staticmethod
    def synchronize(device=None):
        return None


class SlateOverrides(DeviceOpOverrides):
    """Lines of the generated program that concern the device."""

    def import_get_raw_stream_as(self, name):
        return f"def {name}(_):\n    return 0\n"

    def set_device(self, device_idx):
        return "pass"

    def synchronize(self):
        return "pass"

    def device_guard(self, device_idx):
        return "torch._ops.contextlib.nullcontext()"


def register():
    """Take the name that PyTorch keeps for devices from outside."""
    _setup_privateuseone_for_python_backend(NAME)
    register_interface_for_device(NAME, SlateInterface)
    register_device_op_overrides(NAME, SlateOverrides())
