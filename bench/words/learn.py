"""Learn how much words say about stages, and how well that does on a vendor that was not learnt from.

    python -m bench.words.learn --mirrors FOLDER --wheel torch-….whl [--leave-one-out]

Writes ``leverage/classify/weights.tsv``: for each feature its weight for each stage, in hundredths. Weights are those
of a multinomial logistic regression with an L2 penalty; documents weigh by the square root of their lines, systems by a
power of their number, so that no large one drowns the others. The features that matter most are kept.
With ``--leave-one-out`` each vendor is left out in turn and judged by the weights that the others give.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from leverage.classify.features import features
from leverage.classify.scoring import WEIGHTS
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from bench.words.labelled import Document, documents

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

KEPT = 3_000
PENALTY = 6.0  # scikit-learn's C
LONG = 400  # lines above which a document weighs no more
BALANCE = 0.3  # 0: every system weighs the same; 1: by its number of documents
LEAST_DOCUMENTS, LEAST_VENDORS = 5, 3  # of a word, or it is one vendor's own
LEAST_WEIGHT = 10  # hundredths; what is less is left out
RELATED = {"IBM": ("IBM", "ONNX-MLIR"), "ONNX-MLIR": ("IBM", "ONNX-MLIR")}
"""Vendors that are left out together, since the same people worked on both."""


def weights_of(corpus: Sequence[Document]) -> np.ndarray:
    """How much each document weighs."""
    weights = np.sqrt(np.minimum([each.lines for each in corpus], LONG)) + 1.0
    systems = np.array([each.system for each in corpus])
    for system in set(systems):
        of_it = systems == system
        weights[of_it] *= of_it.sum() ** BALANCE * 10 / weights[of_it].sum()
    return weights


def told(corpus: Sequence[Document]) -> list[dict[str, float]]:
    """Features of each document, without words that too few use."""
    found = [features(each.words) for each in corpus]
    times: Counter[str] = Counter()
    vendors: defaultdict[str, set[str]] = defaultdict(set)
    for each, values in zip(corpus, found, strict=True):
        for name in values:
            times[name] += 1
            vendors[name].add(each.vendor)
    kept = {name for name in times if "@" in name or _common(times[name], len(vendors[name]))}
    return [{name: value for name, value in values.items() if name in kept} for values in found]


def _common(times: int, vendors: int) -> bool:
    return times >= LEAST_DOCUMENTS and vendors >= LEAST_VENDORS


def kappa(truth: np.ndarray, answer: np.ndarray, weights: np.ndarray) -> float:
    """Cohen's kappa of weighted answers."""
    share = weights / weights.sum()
    agreed = share[truth == answer].sum()
    chance = sum(share[truth == word].sum() * share[answer == word].sum() for word in set(truth) | set(answer))
    return float((agreed - chance) / (1 - chance)) if chance < 1 else 1.0


def learnt(
    matrix: np.ndarray, truth: np.ndarray, weights: np.ndarray, names: np.ndarray
) -> tuple[LogisticRegression, np.ndarray]:
    """The regression on the features that matter most, and which these are."""

    def fitted(columns: np.ndarray) -> LogisticRegression:
        return LogisticRegression(C=PENALTY, max_iter=200, tol=1e-3).fit(matrix[:, columns], truth, weights)

    everything = np.ones(len(names), bool)
    spread = np.sqrt(np.asarray(matrix.multiply(matrix).mean(0)).ravel())
    matters = np.abs(fitted(everything).coef_).max(0) * spread
    kept = np.char.find(names, "@") >= 0
    kept[np.argsort(-matters, kind="stable")[:KEPT]] = True
    return fitted(kept), kept


def main() -> None:
    """Learn from all; with ``--leave-one-out`` judge first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirrors", type=Path, required=True)
    parser.add_argument("--wheel", type=Path, required=True)
    parser.add_argument("--leave-one-out", action="store_true")
    asked = parser.parse_args()
    corpus = documents(asked.mirrors, asked.wheel)
    vectors = DictVectorizer(dtype=np.float64)
    matrix = vectors.fit_transform(told(corpus))
    names = np.array(vectors.feature_names_)
    truth = np.array([each.stage for each in corpus])
    weights = weights_of(corpus)
    if asked.leave_one_out:
        judge(corpus, matrix, truth, weights, names)
    regression, kept = learnt(matrix, truth, weights, names)
    write(regression, names[kept])
    print(f"{len(corpus)} documents, {kept.sum()} features -> {WEIGHTS}")


def judge(
    corpus: Sequence[Document], matrix: np.ndarray, truth: np.ndarray, weights: np.ndarray, names: np.ndarray
) -> None:
    """Print a table: each vendor judged by what the others teach."""
    vendor = np.array([each.vendor for each in corpus])
    measures: dict[str, Callable[[Document], int]] = {"units": lambda it: it.units, "lines": lambda it: it.lines}
    print("| vendor | documents | right, by lines | kappa by units | kappa by lines |\n|---|---:|---:|---:|---:|")
    sums = []
    for name in sorted(set(vendor)):
        out = np.isin(vendor, RELATED.get(name, (name,)))
        regression, kept = learnt(matrix[~out], truth[~out], weights[~out], names)
        judged = vendor == name
        answer = regression.predict(matrix[judged][:, kept])
        sizes = {
            key: np.array([size(each) for each in corpus if each.vendor == name]) for key, size in measures.items()
        }
        agreed = {key: kappa(truth[judged], answer, size) for key, size in sizes.items()}
        right = sizes["lines"][truth[judged] == answer].sum() / sizes["lines"].sum()
        sums.append(agreed)
        print(f"| {name} | {judged.sum()} | {right:.1%} | {agreed['units']:.2f} | {agreed['lines']:.2f} |", flush=True)
    means = {key: float(np.mean([each[key] for each in sums])) for key in measures}
    print(f"| mean | {len(corpus)} | | {means['units']:.2f} | {means['lines']:.2f} |", flush=True)


def write(regression: LogisticRegression, names: np.ndarray) -> None:
    """One line for each feature, sorted: its name, then its weights in hundredths by stage."""
    lines = ["# Written by bench/words/learn.py. Weights in hundredths; a stage that is not named has none.\n"]
    starts = {
        stage: round(value * 100) for stage, value in zip(regression.classes_, regression.intercept_, strict=True)
    }
    lines.append("start\t" + " ".join(f"{stage}{value:+d}" for stage, value in sorted(starts.items())) + "\n")
    for name, values in sorted(zip(names, regression.coef_.T, strict=True)):
        found = {
            stage: round(value * 100)
            for stage, value in zip(regression.classes_, values, strict=True)
            if abs(round(value * 100)) >= LEAST_WEIGHT
        }
        if found:
            lines.append(f"{name}\t" + " ".join(f"{stage}{value:+d}" for stage, value in sorted(found.items())) + "\n")
    WEIGHTS.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
