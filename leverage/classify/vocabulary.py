"""The words of classification: compiler stages in pipeline order, and departures from GPU-shaped assumptions.

This table is the one definition. Packs may use these words only, the loader's suggestions come from here, and
`docs/stages.md` is generated from here (`vocabulary_markdown`).

Two principles decide what the single entries leave open. An intermediate representation (its data structures, printers
and verifiers) belongs to the stage that first produces it. A file that serves several stages belongs to the stage that
holds most of its lines, and only where no stage does, to `support`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """One word of the vocabulary.

    Attributes:
        id: the word as packs and outputs write it.
        title: the word as headings write it.
        definition: one sentence, complete by itself.
        belongs: what is counted under this word.
        excludes: what looks like it and is counted elsewhere, with the place.
    """

    id: str
    title: str
    definition: str
    belongs: tuple[str, ...]
    excludes: tuple[str, ...]


STAGES: tuple[Term, ...] = (
    Term(
        "capture",
        "Capture",
        "Turns the user's program or model file into the first graph that the compiler works on.",
        (
            "tracing, guards and Dynamo backends",
            "importers of model formats",
            "the graph representation that they produce",
            "fake-tensor and shape inference needed for tracing",
        ),
        (
            "rewriting the captured graph (graph_rewrite)",
            "compile-time drivers that call capture and then everything else (pass_management)",
        ),
    ),
    Term(
        "graph_rewrite",
        "Graph rewriting",
        "Replaces, removes or reorders operators in the graph and leaves a graph of the same kind.",
        (
            "pattern matchers and their patterns",
            "constant folding, dead code and duplicate removal on the graph",
            "padding, chunking or splitting of operators in the graph",
            "graph-level fusion of operators into one larger operator",
        ),
        (
            "tables that express an operator by smaller ones (decomposition)",
            "choosing which loops share a kernel (fusion)",
            "the order of passes (pass_management)",
        ),
    ),
    Term(
        "decomposition",
        "Decomposition",
        "Expresses an operator by simpler operators that later stages know, in the graph.",
        (
            "decomposition tables and functions",
            "custom operators that exist as targets of decompositions, with their shape functions",
            "lists of operators that must not be decomposed",
        ),
        (
            "turning an operator into loops (lowering)",
            "pattern-driven rewriting of several operators (graph_rewrite)",
        ),
    ),
    Term(
        "lowering",
        "Lowering",
        "Turns graph operators into loop-level representation: index expressions, loops, reductions, extern calls.",
        (
            "lowering tables and functions",
            "fallbacks to library kernels at compile time",
            "the loop-level representation, its index algebra, symbolic sizes and dependencies",
            "templates and algorithm choice for single operators",
            "rewriting of the loop-level representation that serves no narrower stage",
        ),
        (
            "eager kernels and fallbacks that run without the compiler (runtime)",
            "printing a kernel's text (codegen)",
        ),
    ),
    Term(
        "layout",
        "Layout",
        "Decides how tensors lie in memory and inserts the conversions between layouts.",
        (
            "stride, tile and stick layouts: choice, propagation, conversion",
            "views and index maps that exist because of a device layout",
        ),
        (
            "how much of a tensor is handled at once (tiling)",
            "which addresses buffers get (memory_planning, scratchpad)",
            "tensor layout metadata of the eager runtime (runtime)",
        ),
    ),
    Term(
        "tiling",
        "Tiling",
        "Splits an operator's iteration space into blocks and chooses the block sizes.",
        (
            "tile-size search, heuristics and tuning of block sizes",
            "loop splitting, outer loops over tiles, double buffering plans",
        ),
        (
            "assigning blocks to cores (work_division)",
            "padding of operators in the graph (graph_rewrite)",
        ),
    ),
    Term(
        "work_division",
        "Work division",
        "Assigns parts of the iteration space to cores or other units that work in parallel.",
        (
            "core counts and splits per dimension",
            "cost models that choose such a split",
            "placement of operators on a grid of cores",
        ),
        (
            "splitting without assignment (tiling)",
            "several devices (distributed)",
        ),
    ),
    Term(
        "scratchpad",
        "On-chip storage",
        "Decides what lies in memory on the chip that software manages, where and for how long.",
        (
            "allocators and liveness for scratchpad, shared or accumulator memory",
            "graph changes made so that values can stay on the chip",
        ),
        (
            "buffers in the device's main memory (memory_planning)",
            "registers and caches that hardware manages",
        ),
    ),
    Term(
        "memory_planning",
        "Memory planning",
        "Decides the allocation, lifetime and reuse of buffers in the device's main memory, at compile time.",
        (
            "buffer reuse and pooling, peak-memory estimates and orders chosen for them",
            "in-place decisions",
        ),
        (
            "allocators that run with the program (runtime)",
            "on-chip storage (scratchpad)",
        ),
    ),
    Term(
        "fusion",
        "Fusion",
        "Decides which operators or loop nests are computed by one kernel.",
        (
            "fusion rules, groups and costs on the loop level",
            "combining independent kernels into one launch",
        ),
        (
            "replacing a pattern of graph operators by one (graph_rewrite)",
            "deciding the order of kernels (scheduling)",
        ),
    ),
    Term(
        "scheduling",
        "Scheduling",
        "Orders the work: scheduler nodes, dependencies, the sequence of kernels and of transfers.",
        (
            "scheduler classes and their nodes",
            "dependency analysis made for ordering",
            "partition of a program into separately compiled or launched parts",
        ),
        (
            "ordering of communication between devices (distributed)",
            "a scheduling class whose lines mostly print kernels (codegen)",
        ),
    ),
    Term(
        "codegen",
        "Code generation",
        "Emits the text or data structure that the next tool reads: kernels, host wrappers, bundles.",
        (
            "kernel classes, operator printers, templates of kernel text",
            "wrapper and launcher generation, device calls as they are printed",
            "descriptions handed to a second-stage compiler",
        ),
        (
            "running a compiler on the emitted text (backend)",
            "helpers called by generated kernels while they run (runtime)",
        ),
    ),
    Term(
        "backend",
        "Back end",
        "Turns emitted kernels into target programs or binaries: second-stage compilers, tool runs, binary caches.",
        (
            "drivers of vendor compilers and assemblers, build command lines",
            "caches of compiled artifacts",
            "dialects and passes below the tile level, instruction selection, machine code",
        ),
        (
            "emitting the text that is compiled (codegen)",
            "loading and launching the result (runtime)",
        ),
    ),
    Term(
        "runtime",
        "Runtime",
        "Runs with the program: allocation, copies, streams, launches, eager kernels, graph replay.",
        (
            "device allocators, streams, events, random generators",
            "kernel launchers and code called by generated kernels",
            "eager operators and their fallbacks",
            "capture and replay of device command graphs",
        ),
        (
            "telling the framework that the device exists (device_registration)",
            "collectives (distributed)",
        ),
    ),
    Term(
        "device_registration",
        "Device registration",
        "Makes the device known to the framework: names, hooks, interfaces, dispatch keys, autoload.",
        (
            "registration calls and the classes that they need",
            "device interface, guard and property classes",
            "bindings that expose the device module",
        ),
        (
            "what the hooks do once called (the stage that they serve)",
            "patches of upstream code (pass_management, or the stage that is patched)",
        ),
    ),
    Term(
        "distributed",
        "Distributed",
        "Work across several devices: collectives, their lowering, overlap and bucketing.",
        ("process groups and collective libraries", "compiler passes about communication"),
        ("several cores of one device (work_division)",),
    ),
    Term(
        "profiling",
        "Profiling and debugging aids",
        "Observes the compiler or the program: profilers, benchmarks, dumps, comparison of numbers, bisection.",
        (
            "profiler integration, timing, metrics",
            "debug dumps, accuracy comparison, fuzzing and bisecting of the compiler",
        ),
        (
            "measuring kernels in order to choose one (tiling, lowering)",
            "plain logging set-up (support)",
        ),
    ),
    Term(
        "pass_management",
        "Pass management",
        "Decides which passes run, in which order and when; drives a compilation from end to end.",
        (
            "pass lists, hooks and drivers",
            "patches of upstream code that make room for passes",
        ),
        (
            "the passes themselves (their stage)",
            "settings (support)",
        ),
    ),
    Term(
        "support",
        "Support",
        "Serves several stages and belongs to none: settings, errors, logging, shared helpers.",
        (
            "configuration, constants, errors, logging",
            "helper functions used by three or more stages",
            "caches that are not about binaries",
        ),
        ("helpers of one stage (that stage)",),
    ),
)
"""Stages, in pipeline order."""

DIVERGENCES: tuple[Term, ...] = (
    Term(
        "data_movement",
        "Data movement",
        "Copies and transfers are planned by the compiler because the hardware doesn't hide them behind caches.",
        ("transfers between memories as explicit operations", "gather and scatter by address lists, DMA"),
        ("ordinary host-device copies of an eager runtime (none)",),
    ),
    Term(
        "on_chip_storage",
        "On-chip storage",
        "Memory on the chip is assigned by the compiler, beyond what a kernel language's own compiler does.",
        ("scratchpad allocation", "tile sizes chosen because of on-chip capacity"),
        ("shared memory inside one GPU kernel (none)",),
    ),
    Term(
        "work_distribution",
        "Work distribution",
        "The compiler assigns work to a small fixed number of cores instead of to an open grid of thread blocks.",
        ("core splits", "persistent kernels with one program per core", "axis analysis made for such a split"),
        ("grid computation as on GPUs (none)",),
    ),
    Term(
        "tensor_layout",
        "Tensor layout",
        "Tensors lie in memory in a form that strides cannot express.",
        ("tiled and stick layouts", "conversion operators between them", "padding to hardware granules"),
        ("channels-last and other stride orders (none)",),
    ),
    Term(
        "dtype_numerics",
        "Types and numerics",
        "Number formats, missing types or rounding differ from what Inductor assumes.",
        ("device number formats", "casts around missing types", "rewriting for precision"),
        ("type promotion as upstream does it (none)",),
    ),
    Term(
        "execution_model",
        "Execution model",
        "The device runs something else than kernels of threads: dataflow programs, vector cores, command bundles.",
        (
            "other kernel languages or program descriptions than Triton for GPUs, C++ or CUDA",
            "launching by job plans, command streams or device programs",
            "masking and vectorisation rules of a vector core",
        ),
        ("a renamed device that launches the same kind of kernel (substrate_glue)",),
    ),
    Term(
        "operator_set",
        "Operator set",
        "Operators are missing, extra, or must be expressed differently for this hardware.",
        (
            "decompositions and lowerings for the device",
            "custom operators, fallbacks, lists of supported operators",
        ),
        ("operators changed only for their layout or type (tensor_layout, dtype_numerics)",),
    ),
    Term(
        "substrate_glue",
        "Substrate glue",
        "Exists because the framework must be told, patched or renamed, and would vanish if upstream had the hook.",
        (
            "registration, renaming of devices, import grafting",
            "monkey patches, and copies of upstream code with small changes",
        ),
        ("a patch that carries a departure of its own (that departure)",),
    ),
    Term(
        "none",
        "None",
        "GPU-shaped or neutral: would look the same for a GPU.",
        (
            "upstream's own code",
            "settings, logging, plain helpers",
            "runtimes with streams and events as GPUs have them",
        ),
        ("code that nobody has judged yet (undetermined)",),
    ),
    Term(
        "undetermined",
        "Undetermined",
        "Nobody could tell, or nobody has looked; never counted as `none`.",
        ("files that no rule reaches", "rules that know the stage and not the departure"),
        (),
    ),
)
"""Divergences: which GPU-shaped assumption a piece of code departs from."""

STAGE_IDS: tuple[str, ...] = tuple(term.id for term in STAGES)
DIVERGENCE_IDS: tuple[str, ...] = tuple(term.id for term in DIVERGENCES)


_HEAD = """\
# Stages and divergences

This page is generated from `leverage/classify/vocabulary.py`; change it there and run
`python -m leverage.classify.vocabulary > docs/stages.md`.

Two principles decide what the entries leave open. An intermediate representation belongs to the stage that first
produces it. A file that serves several stages belongs to the one that holds most of its lines, and only where no stage
does, to `support`.

Code that no rule reaches has the stage `undetermined`; no rule may declare it.
"""


def vocabulary_markdown() -> str:
    """The page `docs/stages.md`: every term with its definition, what belongs and what doesn't."""
    stages, divergences = (map(_section, terms) for terms in (STAGES, DIVERGENCES))
    return "\n".join((_HEAD, "## Stages, in pipeline order\n", *stages, "## Divergences\n", *divergences))


def _section(term: Term) -> str:
    lines = [f"### {term.title} (`{term.id}`)\n", f"{term.definition}\n"]
    for heading, items in (("Belongs here:", term.belongs), ("Does not:", term.excludes)):
        if items:
            lines += [f"{heading}\n", *(f"- {item}" for item in items), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    print(vocabulary_markdown(), end="")  # noqa: T201 - printing the page is what this entry does
