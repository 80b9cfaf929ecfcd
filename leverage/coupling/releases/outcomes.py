"""What a release does to each site of a port: one change is harmless for a call and fatal for a patch."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from leverage.coupling.releases.extract import Sort
from leverage.coupling.releases.guards import conditions, is_second_choice, runs
from leverage.coupling.releases.matrix import Status, constructor, parameters_of
from leverage.coupling.releases.names import Found
from leverage.model.touchpoints import Scope, TouchKind
from leverage.resolve.rows import RESTORE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leverage.coupling.releases.extract import Entry
    from leverage.coupling.releases.matrix import Cell, Row
    from leverage.coupling.releases.names import ReleaseNames
    from leverage.model.touchpoints import Call, Parameter, Touchpoint


class Outcome(StrEnum):
    """What happens at a site in a release; from the worst to the best."""

    BREAKS = "breaks"
    """An exception: at import where the name is imported, else when the line runs."""
    SILENTLY_DEAD = "silently_dead"
    """A patch of a name that nothing calls any more: no exception, and the port's code never runs."""
    POSITION_MOVED = "position_moved"
    """The list that it indexes, or the signature that it fills by position, changed length, order or meaning."""
    DEGRADES = "degrades"
    """It runs and does less: a pass of a type that makes the cache bypass itself, say."""
    LEAKY = "leaky"
    """A patch that others do not see, for they took the name over before."""
    COLLIDES = "collides"
    """Upstream now has the name that the port adds."""
    REVIEW = "review"
    """What it leans on does something else now; a person must look."""
    NO_EFFECT = "no_effect"
    """The port sets what upstream has by default."""
    OK = "ok"
    NOT_REACHED = "not_reached"
    """It stands behind a condition that asks whether the name is there."""
    UNKNOWN = "unknown"
    """The index cannot tell."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What happens at one site in one release.

    Attributes:
        outcome: the outcome.
        why: the reason, in one line; empty where it is `OK`.
    """

    outcome: Outcome
    why: str = ""


FINE = Verdict(Outcome.OK)
_ABSENT = frozenset({Status.GONE, Status.NOT_YET})
_RAISED = frozenset({Outcome.BREAKS, Outcome.SILENTLY_DEAD})
_CAUGHT = ("ImportError", "ModuleNotFoundError", "AttributeError", "except Exception", "except BaseException")
_POSITIONAL = frozenset({"pop", "index", "slice", "del"})
_PASS_TYPES = (
    "CustomGraphPass",
    "CustomGraphModulePass",
    "CustomSchedulerPass",
    "CustomPartitionerFn",
    "CustomRuntimeEstimator",
)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What of a port decides over more than one site.

    Attributes:
        pin: release that the port is written for.
        optional: path of a file, and name that it imports only if it is there.
        patched: names that the port rebinds, so that a patch of one where it was imported to covers that module.
    """

    pin: str
    patched: frozenset[str] = frozenset()
    optional: frozenset[tuple[str, str]] = frozenset()


def verdicts_of(
    site: Touchpoint, row: Row, releases: Sequence[ReleaseNames], around: Surroundings
) -> dict[str, Verdict]:
    """What happens at a site in each release, by version.

    Args:
        site: the site.
        row: its symbol in the matrix.
        releases: in order.
        around: what is known of the whole port.
    """
    if not row.cells:
        return {each.version: Verdict(Outcome.UNKNOWN, row.unknown) for each in releases}
    base = next((each for each in releases if each.version == row.base), None)
    found = {}
    for each in releases:
        if site.guard and runs(site.guard, each.version, each.exists) is False:
            found[each.version] = Verdict(Outcome.NOT_REACHED, f"does not run there: {site.guard[:80]}")
            continue
        verdict = _judged(site, row, each, base, around)
        found[each.version] = _guarded(site, row.cells[each.version], verdict, each, around)
    return found


def asks_first(site: Touchpoint) -> bool:
    """Whether a site stands behind a condition that asks whether its symbol is there, or survives its absence."""
    last = site.symbol.rpartition(".")[2]
    for condition in conditions(site.guard):
        if condition.startswith("try:") and any(error in condition for error in _CAUGHT):
            return True
        if condition.startswith(("hasattr(", "getattr(")) and f"'{last}'" in condition:
            return True
        if "find_spec(" in condition:
            return True
    return is_second_choice(site.guard)


def _guarded(site: Touchpoint, cell: Cell, verdict: Verdict, names: ReleaseNames, around: Surroundings) -> Verdict:
    """A site that asks whether the name is there is not reached, or survives, where it is not."""
    if cell.status not in _ABSENT or verdict.outcome not in _RAISED:
        return verdict
    if asks_first(site):
        return Verdict(Outcome.NOT_REACHED, f"{cell.why}; the port asks first: {site.guard[:80]}")
    parts = site.symbol.split(".")
    for size in range(1, len(parts) + 1):
        owner = ".".join(parts[:size])
        if (site.path, owner) in around.optional and not isinstance(names.find(owner), Found):
            return Verdict(Outcome.NOT_REACHED, f"{cell.why}; the port asks for {owner} where it imports it")
    return verdict


def _judged(  # noqa: C901, PLR0911, PLR0912 - one return for each relation
    site: Touchpoint, row: Row, names: ReleaseNames, base: ReleaseNames | None, around: Surroundings
) -> Verdict:
    cell = row.cells[names.version]
    if site.form == RESTORE:
        return FINE
    absent = cell.status in _ABSENT
    if base is None:
        return FINE if _adds(site) else Verdict(Outcome.UNKNOWN, cell.why)
    if _adds(site) and not site.guard and row.cells[around.pin].status in _ABSENT:
        return FINE if absent else Verdict(Outcome.COLLIDES, f"upstream has the name that the port adds: {row.symbol}")
    now, then = None if absent else meant(row.symbol, names), meant(row.symbol, base)
    match site.kind:
        case TouchKind.IMPORT | TouchKind.SUBCLASS | TouchKind.REGISTRATION | TouchKind.ATTRIBUTE_USE if absent:
            return _lost(site, row, names.version, cell)
        case TouchKind.MONKEY_PATCH:
            return _patch(site, row, names, now, then, around)
        case TouchKind.OVERRIDE:
            return _override(site, cell, now, then)
        case TouchKind.CONFIG_KEY:
            return _switch(site, cell, now, then)
        case TouchKind.CONTAINER_MUTATION:
            return _container(site, cell, now, then)
        case TouchKind.SUBCLASS:
            return _subclass(cell, names, base, now, then)
        case TouchKind.IMPORT:
            return FINE
        case TouchKind.COPIED:
            return (
                Verdict(Outcome.REVIEW, f"the original changed: {cell.why}") if cell.status is not Status.OK else FINE
            )
        case _ if site.form == "index":
            return _container(site, cell, now, then)
        case _:
            return _use(site, cell, names, now, then)


def meant(symbol: str, names: ReleaseNames) -> Found | None:
    """What a name means in a release, in a subclass of its class if need be; None where it is not there."""
    found = names.find(symbol)
    return found if isinstance(found, Found) else names.below(symbol)


def _adds(site: Touchpoint) -> bool:
    return site.kind is TouchKind.MONKEY_PATCH or site.form in {"write", "planted", "delete", "object.__setattr__"}


def _lost(site: Touchpoint, row: Row, version: str, cell: Cell) -> Verdict:
    likely = dict(row.likely).get(version, "")
    hint = f"; perhaps now {likely}" if likely else ""
    if site.form in {"write", "planted"}:
        return Verdict(Outcome.SILENTLY_DEAD, f"{cell.why}: what is written is read by nobody upstream{hint}")
    if site.form == "getattr" and "default" in site.detail:
        return Verdict(Outcome.REVIEW, f"{cell.why}: the default is used{hint}")
    when = "import fails" if site.kind is TouchKind.IMPORT and not site.within else "fails when the line runs"
    return Verdict(Outcome.BREAKS, f"{when}: {cell.why}{hint}")


def _patch(  # noqa: PLR0917, PLR0911 - one return for each way to go wrong
    site: Touchpoint, row: Row, names: ReleaseNames, now: Found | None, then: Found | None, around: Surroundings
) -> Verdict:
    cell = row.cells[names.version]
    if cell.status in _ABSENT:
        likely = dict(row.likely).get(names.version, "")
        hint = f"; perhaps now {likely}" if likely else ""
        if site.form in {"patch.object", "mock.patch", "monkeypatch"} or site.wraps:
            return Verdict(Outcome.BREAKS, f"the original that it takes is not there: {cell.why}{hint}")
        if isinstance(names.find(row.symbol.rpartition(".")[0]), Found):
            return Verdict(Outcome.SILENTLY_DEAD, f"nothing upstream calls the name: {cell.why}{hint}")
        return Verdict(Outcome.BREAKS, f"its owner is not there: {cell.why}{hint}")
    if refused := newly_refused(site.parameters, now, then):
        return Verdict(Outcome.BREAKS, f"what takes its place does not take {refused}")
    if cell.status is Status.SIGNATURE_CHANGED and not (site.wraps and _passes_all_on(site.parameters)):
        return Verdict(Outcome.REVIEW, cell.why)
    if site.form == "mock.patch" and (both := twofold(row.symbol, names)):
        return Verdict(Outcome.REVIEW, f"{both} is a module and something else: what a string reaches is not certain")
    leaks = (
        [each for each in importers(row.symbol, names) if each not in around.patched]
        if site.scope is Scope.GLOBAL
        else []
    )
    if leaks:
        shown = ", ".join(leaks[:3]) + (f" and {len(leaks) - 3} more" if len(leaks) > 3 else "")  # noqa: PLR2004 - three are shown
        return Verdict(
            Outcome.LEAKY, f"took the name over by import and keep the original, if imported before: {shown}"
        )
    if cell.status in {Status.BODY_CHANGED, Status.SIGNATURE_CHANGED}:
        return Verdict(Outcome.REVIEW, cell.why)
    return FINE


def _passes_all_on(parameters: Sequence[Parameter] | None) -> bool:
    kinds = {each.kind for each in parameters or ()}
    return "var_positional" in kinds and "var_keyword" in kinds


def twofold(symbol: str, names: ReleaseNames) -> str:
    """A part of a dotted name that is both a module and a function, class or value of its package; empty where none is.

    ``mock.patch`` follows attributes, so that it reaches one or the other, by what was imported before.
    """
    parts = symbol.split(".")
    for size in range(2, len(parts)):
        whole = ".".join(parts[:size])
        found = names.find(whole)
        if not isinstance(found, Found) or found.path:
            continue
        forms = names.series.module(".".join(parts[: size - 1]))
        entry = None if forms is None else forms.entry(parts[size - 1], names.number)
        if entry is None:
            continue
        meant_by = names.find(entry.text) if entry.sort is Sort.IMPORT and entry.text != whole else found
        if entry.sort is not Sort.IMPORT or (isinstance(meant_by, Found) and meant_by.path):
            return whole
    return ""


def importers(symbol: str, names: ReleaseNames) -> list[str]:
    """Full names under which other upstream modules hold a function or class that they imported at their top."""
    found = names.find(symbol)
    if not isinstance(found, Found) or "." in found.path or not found.path:
        return []
    return [each for each in names.importers(found.place) if each != symbol]


def _override(site: Touchpoint, cell: Cell, now: Found | None, then: Found | None) -> Verdict:
    if cell.status in _ABSENT:
        if site.wraps:
            return Verdict(Outcome.BREAKS, f"it calls the method of its base, which is not there: {cell.why}")
        return Verdict(Outcome.SILENTLY_DEAD, f"no class above has the method, so nothing may call it: {cell.why}")
    if refused := newly_refused(site.parameters, now, then):
        return Verdict(Outcome.BREAKS, f"the override does not take {refused}")
    if cell.status in {Status.SIGNATURE_CHANGED, Status.BODY_CHANGED}:
        return Verdict(Outcome.REVIEW, cell.why)
    return FINE


def _switch(site: Touchpoint, cell: Cell, now: Found | None, then: Found | None) -> Verdict:
    if cell.status in _ABSENT:
        return Verdict(Outcome.BREAKS, f"there is no such switch: {cell.why}")
    if now is None or now.entry is None:
        return FINE
    noted = now.entry.note
    types = [name for name in _PASS_TYPES if name in noted]
    before = "" if then is None or then.entry is None else then.entry.note
    if types and noted != before:
        return Verdict(
            Outcome.DEGRADES, f"declared as {noted}: a pass of another type makes the graph cache bypass itself"
        )
    if site.value and site.value == now.entry.text:
        return Verdict(Outcome.NO_EFFECT, f"upstream's default is {now.entry.text} already")
    if cell.status is not Status.OK:
        return Verdict(Outcome.REVIEW, cell.why)
    return FINE


def _container(site: Touchpoint, cell: Cell, now: Found | None, then: Found | None) -> Verdict:
    if cell.status in _ABSENT:
        return Verdict(Outcome.BREAKS, f"the container is not there: {cell.why}")
    if cell.status is Status.OK or now is None or now.entry is None:
        return FINE
    if cell.status is Status.SIGNATURE_CHANGED:
        return Verdict(Outcome.BREAKS, cell.why)
    if site.form in _POSITIONAL and _shape(now.entry) != _shape(None if then is None else then.entry):
        return Verdict(Outcome.POSITION_MOVED, cell.why)
    return Verdict(Outcome.REVIEW, cell.why)


def _shape(entry: Entry | None) -> str:
    return "" if entry is None else entry.text


def _subclass(cell: Cell, names: ReleaseNames, base: ReleaseNames, now: Found | None, then: Found | None) -> Verdict:
    if now is not None and then is not None:
        before = base.members(then.place) or frozenset()
        if new := sorted(name for name in abstract_methods(now, names) if name not in before):
            return Verdict(Outcome.BREAKS, f"a class below it must have {', '.join(new)}, which is new and abstract")
    if cell.status is Status.OK:
        return FINE
    return Verdict(Outcome.REVIEW, cell.why)


def abstract_methods(found: Found, names: ReleaseNames) -> frozenset[str]:
    """Methods that a class leaves to those that derive from it."""
    left: dict[str, bool] = {}
    for owner in names.ancestry(found):
        forms = names.series.module(owner.module)
        for name in names.own(owner):
            entry = None if forms is None else forms.entry(f"{owner.path}.{name}", names.number)
            marks = "" if entry is None else entry.marks
            left.setdefault(name, any(mark.rpartition(".")[2] == "abstractmethod" for mark in marks.split()))
    return frozenset(name for name, abstract in left.items() if abstract)


def _use(site: Touchpoint, cell: Cell, names: ReleaseNames, now: Found | None, then: Found | None) -> Verdict:  # noqa: PLR0911 - one return for each way
    if cell.status is Status.OK or now is None or now.entry is None or now.rest:
        return FINE
    if site.call is None or now.entry.sort not in {Sort.FUNCTION, Sort.CLASS}:
        if cell.status is Status.SIGNATURE_CHANGED and site.call is None:
            return Verdict(Outcome.REVIEW, cell.why)
        return FINE
    target = constructor(now, names) if now.entry.sort is Sort.CLASS else now.entry
    if target is None or cell.status is not Status.SIGNATURE_CHANGED:
        return FINE if cell.status is not Status.BODY_CHANGED else Verdict(Outcome.REVIEW, cell.why)
    bound = "." in now.path and "staticmethod" not in target.marks
    if refused := does_not_bind(site.call, target, bound=bound or now.entry.sort is Sort.CLASS):
        return Verdict(Outcome.BREAKS, f"the call {refused}: {cell.why}")
    old = function_of(then)
    if old is not None and moved(site.call, old, target, bound=bound):
        return Verdict(Outcome.POSITION_MOVED, f"an argument given by position means something else: {cell.why}")
    return FINE


def function_of(found: Found | None) -> Entry | None:
    """The form of a function; None for other things."""
    return found.entry if found is not None and found.entry is not None and found.entry.sort is Sort.FUNCTION else None


def moved(call: Call, old: Entry, new: Entry, *, bound: bool) -> bool:
    """Whether an argument that a call gives by position reaches a parameter of another name."""
    before, after = _plain(old, bound=bound), _plain(new, bound=bound)
    return before[: call.positional] != after[: call.positional] and not call.star


def _plain(entry: Entry, *, bound: bool) -> list[str]:
    names = [each.name for each in parameters_of(entry.text) or () if each.kind in {"positional", "positional_only"}]
    return names[1:] if bound else names


def does_not_bind(call: Call, entry: Entry, *, bound: bool) -> str:
    """Why a call does not fit a signature; empty where it does or where that cannot be told.

    Args:
        call: how it is called.
        entry: form of the function.
        bound: whether its first parameter is filled by the object.
    """
    parameters = parameters_of(entry.text)
    if parameters is None:
        return ""
    plain = [each for each in parameters if each.kind in {"positional", "positional_only"}]
    plain = plain[1:] if bound else plain
    kinds = {each.kind for each in parameters}
    if call.positional > len(plain) and "var_positional" not in kinds:
        return f"gives {call.positional} arguments by position, and {len(plain)} are taken"
    names = {each.name for each in parameters if each.kind in {"positional", "keyword_only"}}
    unknown = [name for name in call.keywords if name not in names]
    if unknown and "var_keyword" not in kinds:
        return f"gives {', '.join(unknown)}, which is not taken"
    if call.star or call.double_star:
        return ""
    given = {each.name for each in plain[: call.positional]} | set(call.keywords)
    missing = [
        each.name
        for each in [*plain, *(each for each in parameters if each.kind == "keyword_only")]
        if each.default is None and each.name not in given
    ]
    return f"does not give {', '.join(missing)}, which must be given" if missing else ""


def newly_refused(own: Sequence[Parameter] | None, now: Found | None, then: Found | None) -> str:
    """Names of upstream's parameters that a function of the port does not take and did not have to take before."""
    old, new = function_of(then), function_of(now)
    if own is None or new is None:
        return ""
    before = frozenset() if old is None else refused_by(own, old)
    return ", ".join(sorted(refused_by(own, new) - before))


def refused_by(own: Sequence[Parameter], entry: Entry) -> frozenset[str]:
    """Parameters of upstream's signature that a function of the port does not take.

    Args:
        own: parameters of the port's function.
        entry: form of the function that it stands for.
    """
    theirs = parameters_of(entry.text) or ()
    kinds = {each.kind for each in own}
    by_name = {each.name for each in own if each.kind in {"positional", "keyword_only"}}
    room = sum(each.kind in {"positional", "positional_only"} for each in own)
    plain = [each for each in theirs if each.kind in {"positional", "positional_only"}]
    lost = {each.name for each in theirs if each.kind == "keyword_only" and each.name not in by_name}
    lost |= {each.name for each in plain[room:] if each.name not in by_name} if "var_positional" not in kinds else set()
    # What it takes as `**kwargs` may hold any parameter that is given by name, which is how new ones are given.
    return frozenset() if "var_keyword" in kinds else frozenset(lost)
