"""Compile models with torch-spyre without its chip and without its C++ module, to see which lines run.

    PYTHONPATH=TORCH_SPYRE python compile_models.py [mlp | attention | all]

TORCH_SPYRE is a checkout of the port. Tensors are fake; the call of the external assembler is left out. Everything that
the port and Inductor do in Python is done for real, up to the bundles that the second stage would take.
"""

import sys
from types import SimpleNamespace

import stand_in

sys.modules["torch_spyre._C"] = stand_in  # before anything of the port is imported

from torch._guards import TracingContext, tracing
from torch._inductor import config
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn import functional
from torch.utils import backend_registration

import torch
from torch import nn

WIDTH, BATCH, TOKENS = 128, 2, 64


class Mlp(nn.Module):
    """Two layers with a GELU between them."""

    def __init__(self):
        super().__init__()
        self.up = nn.Linear(WIDTH, 4 * WIDTH, bias=False)
        self.down = nn.Linear(4 * WIDTH, WIDTH, bias=False)

    def forward(self, x):
        return self.down(functional.gelu(self.up(x), approximate="tanh"))


class Attention(nn.Module):
    """One head of attention with a sigmoid for the weights."""

    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        return torch.sigmoid(q @ k.transpose(-2, -1)) @ v + x


MODELS = {"mlp": Mlp, "attention": Attention}


def compiled(model_class):
    """Compile one model, by Inductor as the port has rebound it."""
    from torch._inductor import compile_fx

    mode = FakeTensorMode()
    with mode, torch.no_grad():
        with torch.device("spyre"):
            model, x = model_class(), torch.empty(BATCH, TOKENS, WIDTH)
        parameters = dict(model.named_parameters())

        def run(weights, given):
            return torch.func.functional_call(model, weights, (given,))

        graph = make_fx(run, pre_dispatch=True)(parameters, x)
        with tracing(TracingContext(mode)), config.patch(fx_graph_cache=False, compile_threads=1):
            compile_fx.compile_fx(graph, [*parameters.values(), x])


def make_tensors_possible():
    """Kernels that only make tensors without bytes: matching tables of Inductor are prepared with real ones."""
    library = torch.library.Library("aten", "IMPL")

    def empty(size, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None):
        return torch._C._acc.create_empty_tensor(size, dtype or torch.get_default_dtype())

    def empty_strided(size, stride, dtype=None, layout=None, device=None, pin_memory=None):
        return empty(size, dtype).as_strided(size, stride)

    def as_strided(tensor, size, stride, storage_offset=None):
        return empty(size, tensor.dtype)

    def view(tensor, size):
        return empty(torch.empty(tensor.size(), device="meta").view(size).size(), tensor.dtype)

    for name, kernel in (
        ("empty.memory_format", empty),
        ("empty_strided", empty_strided),
        ("as_strided", as_strided),
        ("view", view),
    ):
        library.impl(name, kernel, "PrivateUse1")
    return library


def main(words):
    """Compile what was asked for."""
    import torch_spyre
    from torch_spyre.execution import async_compile

    torch_spyre._C = stand_in  # as an import of the real one would
    torch_spyre._autoload()
    # The C++ module would do this: without, PyTorch knows the device's name and nothing else of it.
    torch._C._acc.register_python_privateuseone_hook(backend_registration._DummyPrivateUse1Hook())
    torch._C._acc.register_python_privateuseone_device_guard(backend_registration._DummyDeviceGuard())
    # The real tensors of a run carry the layouts that they were placed in; these are those that nobody placed.
    torch.Tensor.device_tensor_layout = lambda x: (
        stand_in.get_spyre_tensor_layout(x) if x.device.type == "spyre" else None
    )
    async_compile.subprocess = SimpleNamespace(run=lambda *_, **__: None)  # the assembler, which only IBM has
    kernels = make_tensors_possible()  # they last as long as this does
    torch.set_default_dtype(torch.float16)
    for name in MODELS if words in ([], ["all"]) else words:
        compiled(MODELS[name])
        print(f"{name}: compiled")
    del kernels


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
