"""Compile a model for slate on any CPU, and say what came out.

    python compile_models.py [mlp | block | all]

Tensors are fake: they have a shape, a type and a device, and no bytes, so nothing is computed and no chip is missed.
Everything that Inductor does to a graph is done for real, up to the text of the generated program.
"""

import sys

import cpu_port
from torch._guards import TracingContext, tracing
from torch._inductor import config
from torch._inductor.compile_fx import compile_fx_inner
from torch._inductor.decomposition import select_decomp_table
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn import functional

import torch
from torch import nn

WIDTH, HEADS, BATCH, TOKENS = 64, 4, 2, 16


class Mlp(nn.Module):
    """Two layers with a GELU between them."""

    def __init__(self):
        super().__init__()
        self.up = nn.Linear(WIDTH, 4 * WIDTH)
        self.down = nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        return self.down(functional.gelu(self.up(x)))


class Block(nn.Module):
    """A transformer block, with attention written out."""

    def __init__(self):
        super().__init__()
        self.before, self.between = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.mlp = Mlp()

    def forward(self, x):
        y = self.before(x)
        q, k, v = (
            layer(y).view(BATCH, TOKENS, HEADS, WIDTH // HEADS).transpose(1, 2)
            for layer in (self.query, self.key, self.value)
        )
        weights = torch.softmax(q @ k.transpose(-2, -1) / (WIDTH // HEADS) ** 0.5, -1)
        x = x + self.out((weights @ v).transpose(1, 2).reshape(BATCH, TOKENS, WIDTH))
        return x + self.mlp(self.between(x))


MODELS = {"mlp": Mlp, "block": Block}


def compiled(model_class):
    """Text of the program that Inductor makes of a model on slate."""
    mode = FakeTensorMode()
    with mode, torch.no_grad():
        with torch.device("slate"):
            model, x = model_class(), torch.empty(BATCH, TOKENS, WIDTH)
        parameters = dict(model.named_parameters())

        def run(weights, given):
            return torch.func.functional_call(model, weights, (given,))

        graph = make_fx(run, decomposition_table=select_decomp_table())(parameters, x)
        with tracing(TracingContext(mode)), config.patch(fx_graph_cache=False, compile_threads=1):
            return compile_fx_inner(graph, [*parameters.values(), x], is_inference=True).source_code


def main(words):
    """Compile what was asked for; exit code 1 if a program launches nothing."""
    cpu_port.register()
    code = 0
    for name in MODELS if words in ([], ["all"]) else words:
        program = compiled(MODELS[name])
        launches = program.count("    slate_launch(")
        print(f"{name}: {launches} launches, {program.count('extern_kernels.')} library calls")
        code |= not launches
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
