"""Operators that slate expresses by others: its vector unit has `tanh` and no `erf`."""

import math

from torch._inductor.decomposition import decompositions

import torch

aten = torch.ops.aten


def gelu(x, approximate="none"):
    """GELU by its usual approximation with `tanh`, whichever form the model asks for."""
    inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1 + torch.tanh(inner))


def register():
    """Put the device's decompositions into Inductor's table, in place of what stands there."""
    decompositions[aten.gelu.default] = gelu
