"""Stands in for the C++ module of torch-spyre: enough of its interface that the compiler can run, and no device.

The compiler asks the module for two enumerations, for the layout that a tensor has on the device, and for how many
elements fit into a stick of 128 bytes. Whatever would need the chip raises. Written from the interface that the port
declares in `_C.pyi`.
"""

import enum
import math

import torch

STICK_BYTES = 128


class DataFormats(enum.Enum):
    """Number formats of the device; the values are those that the interface states."""

    SEN169_FP16 = 0
    IEEE_FP32 = 1
    INVALID = 2
    SEN143_FP8 = 3
    SEN152_FP8 = 4
    SEN153_FP9 = 5
    SENINT2 = 6
    SENINT4 = 7
    SENINT8 = 8
    SENINT16 = 9
    SENINT24 = 10
    IEEE_INT64 = 11
    IEEE_INT32 = 12
    SENUINT32 = 13
    SENUINT2 = 14
    IEEE_FP16 = 15
    BOOL = 16
    BFLOAT16 = 17
    SEN18F_FP24 = 18

    def elems_per_stick(self):
        """Elements of this format in one stick."""
        return STICK_BYTES // _BYTES.get(self, 2)


class ElementArrangement(enum.Enum):
    """Order of elements inside a stick."""

    STANDARD = 0
    DL16_TO_FP32 = 1
    QFP8CH = 2
    EXX2 = 3


_BYTES = {
    DataFormats.IEEE_FP32: 4,
    DataFormats.IEEE_INT32: 4,
    DataFormats.IEEE_INT64: 8,
    DataFormats.SENINT8: 1,
    DataFormats.SEN143_FP8: 1,
    DataFormats.SEN152_FP8: 1,
}
_FORMATS = {
    torch.float16: DataFormats.SEN169_FP16,
    torch.bfloat16: DataFormats.BFLOAT16,
    torch.float32: DataFormats.IEEE_FP32,
    torch.int64: DataFormats.IEEE_INT64,
    torch.int32: DataFormats.IEEE_INT32,
    torch.int8: DataFormats.SENINT8,
    torch.bool: DataFormats.SEN169_FP16,
    torch.float8_e4m3fn: DataFormats.SEN143_FP8,
}


def get_device_dtype(dtype):
    """Format in which the device keeps elements of a type."""
    return _FORMATS.get(dtype, DataFormats.INVALID)


def get_elem_in_stick(dtype):
    """Elements of a type in one stick."""
    return get_device_dtype(dtype).elems_per_stick()


class SpyreTensorLayout:
    """Where the elements of a tensor lie on the device: sizes of the device's dimensions and the host's stride of each.

    The last dimension is a stick. With the order of dimensions (d0, d1, ..., dn) the device has d1, ..., dn in sticks,
    d0, and the elements of a stick of dn; -1 at the end of the order means one element a stick.
    """

    def __init__(self, *given, **named):
        self.element_arrangement = named.pop("element_arrangement", ElementArrangement.STANDARD)
        names = ("device_size", "stride_map", "device_dtype") if "device_size" in named else ("host_size",)
        values = [*given, *(named[name] for name in names if name in named)]
        if isinstance(values[-1], ElementArrangement):
            self.element_arrangement = values.pop()
        if isinstance(named.get("device_dtype", values[-1]), DataFormats):
            size, strides, self.device_dtype = values
            self.device_size, self.stride_map = list(size), list(strides)
            return
        if len(values) == 2:
            size, dtype = values
            strides, order = [math.prod(size[at + 1 :]) for at in range(len(size))], list(range(len(size)))
        else:
            size, strides, dtype, order = values
        self.device_dtype = get_device_dtype(dtype)
        self._tile([int(each) for each in size], [int(each) for each in strides], list(order))

    def _tile(self, size, strides, order):
        stick = self.device_dtype.elems_per_stick()
        if not size:
            self.device_size, self.stride_map = [1, stick], [-1, -1]
            return
        dims = [*order[1:], order[0], order[-1]] if len(order) > 1 else [order[0], order[0]]
        inner = order[-1]
        self.device_size = []
        for dim in dims[:-1]:
            if dim == inner:
                self.device_size.append(1 if inner == -1 else -(-size[inner] // stick))
            else:
                self.device_size.append(size[dim])
        self.device_size.append(stick)
        reached = {}
        self.stride_map = [-1] * len(dims)
        for at in range(len(dims) - 1, -1, -1):
            dim = dims[at]
            if dim != -1 and size[dim] != 1:
                self.stride_map[at] = reached.get(dim, strides[dim])
                reached[dim] = self.stride_map[at] * self.device_size[at]

    def elems_per_stick(self):
        """Elements in one stick."""
        return self.device_dtype.elems_per_stick()

    def with_element_arrangement(self, arrangement):
        """The same layout with another order inside sticks."""
        return SpyreTensorLayout(self.device_size, self.stride_map, self.device_dtype, arrangement)

    def _key(self):
        return tuple(self.device_size), tuple(self.stride_map), self.device_dtype, self.element_arrangement

    def __eq__(self, other):
        return isinstance(other, SpyreTensorLayout) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        return (
            f"SpyreTensorLayout(device_size={self.device_size}, stride_map={self.stride_map}, "
            f"device_dtype={self.device_dtype})"
        )


def get_spyre_tensor_layout(tensor):
    """The layout that a tensor gets which nobody placed."""
    return SpyreTensorLayout(tensor.size(), tensor.stride(), tensor.dtype, list(range(tensor.dim())))


def device_count():
    """One device."""
    return 1


def start_runtime():
    """Nothing to start."""


def get_downcast_warning():
    """No warnings."""
    return False


def set_downcast_warning(wanted):
    """No warnings."""


def copy_tensor(tensor, dst, *given, **named):
    """Tensors have no bytes that could be copied."""


def encode_constant(value, device_dtype):
    """The bits of a constant. Programs that are not run may carry those of its plain half-precision form."""
    return int.from_bytes(torch.tensor(value, dtype=torch.float16).numpy().tobytes(), "little")


_NEED_THE_CHIP = frozenset(
    {
        "as_strided_with_layout",
        "empty_with_layout",
        "free_runtime",
        "launch_jobplan",
        "launch_kernel",
        "prepare_kernel",
        "reinterpret_tensor",
        "reinterpret_tensor_with_layout",
        "set_spyre_tensor_layout",
        "spyre_empty_with_layout",
        "to_with_layout",
    }
)


def __getattr__(name):
    if name not in _NEED_THE_CHIP:
        raise AttributeError(name)

    def unavailable(*_, **__):
        raise NotImplementedError(f"{name} needs the chip")

    return unavailable
