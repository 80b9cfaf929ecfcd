"""Make the index of one release out of its source: an unpacked tree or the listing of a wheel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.coupling.releases.extract import ModuleFacts, module_facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

OUTLINED: Mapping[str, tuple[str, ...]] = {
    "torch": (
        *("torch.testing", "torch.onnx", "torch._vendor", "torch.distributions", "torch._numpy", "torch.package"),
        *("torch.masked", "torch._strobelight", "torch.distributed.benchmarks"),
    )
}
"""Packages by substrate of which the index has the modules alone: no port of a compiler was seen to lean on more."""


def wanted(path: str, packages: Iterable[str]) -> bool:
    """Whether a file of a tree or wheel belongs into the index of some packages."""
    return path.endswith((".py", ".pyi")) and path.startswith(tuple(f"{package}/" for package in packages))


def module_of(path: str) -> tuple[str, bool, bool]:
    """Dotted name of a file's module, whether it is a package, and whether it is a stub."""
    stem, _, ending = path.rpartition(".")
    name = stem.replace("/", ".")
    return name.removesuffix(".__init__"), name.endswith(".__init__"), ending == "pyi"


def read_module(path: str, data: bytes, substrate: str) -> ModuleFacts | None:
    """Facts of one file; None where it cannot be parsed or has a name that no import can reach."""
    name, package, stub = module_of(path)
    if not all(part.isidentifier() for part in name.split(".")):
        return None
    if f"{name}.".startswith(tuple(f"{outlined}." for outlined in OUTLINED.get(substrate, ()))):
        return ModuleFacts(open=True, entries={})
    return module_facts(data, name, package=package, stub=stub)


def release_facts(found: Iterable[tuple[str, ModuleFacts | None]]) -> dict[str, ModuleFacts]:
    """Modules of a release by name, from what `read_module` gave for each path; source goes before stubs."""
    modules: dict[str, ModuleFacts] = {}
    stubs: dict[str, ModuleFacts] = {}
    for path, facts in found:
        name, _, stub = module_of(path)
        if facts is not None:
            (stubs if stub else modules)[name] = facts
        elif not stub:
            modules.setdefault(name, ModuleFacts(open=True, entries={}))
    return {**stubs, **modules}
