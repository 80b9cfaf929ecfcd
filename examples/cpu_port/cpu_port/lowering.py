"""Operators that slate computes in its own way."""

from torch._inductor.lowering import lowerings, make_pointwise, register_lowering
from torch._inductor.virtualized import ops

import torch

aten = torch.ops.aten


def register():
    """Lower `rsqrt` to a square root and a division: the vector unit has no fast inverse root."""

    @register_lowering(aten.rsqrt.default)
    def rsqrt(x):
        return make_pointwise(lambda value: ops.truediv(ops.constant(1.0, x.get_dtype()), ops.sqrt(value)))(x)

    # Dropout has no meaning at inference, which is all that slate does; let nothing lower it by chance.
    lowerings.pop(aten.native_dropout.default, None)
