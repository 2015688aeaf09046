"""An evaluation for people."""

from __future__ import annotations

from ..report.sheets import Sheet, clean
from .evaluate import Evaluation

__all__ = ["LEGEND", "headline", "sheets"]

SEARCHES = {"bm25": "BM25", "dense": "Dense", "hybrid": "Hybrid (BM25 and dense by reciprocal rank fusion)"}
LEGEND = (
    "recall, precision and IoU over characters of the evidence in the first k chunks; budget recall: share of the "
    "evidence in the chunks that fit the token budget; all in budget: questions with all of it there; MRR: of the "
    "first chunk that holds all of it. The verdict is about the first splitter against each other one: 95 % paired "
    "bootstrap over documents."
)


def headline(found: Evaluation) -> list[str]:
    """What was asked of what."""
    model = f", {clean(found.model)}" if found.model else ""
    asked = f"{len(found.questions):,} questions, {found.documents:,} documents"
    return [f"{asked}; k = {found.k}, budget {found.budget:,} tokens{model}"]


def sheets(found: Evaluation) -> list[Sheet]:
    """One table of means and verdicts for each search, one by kind of question, and what could not be run."""
    every = [_splitters(found)]
    for search in found.searches:
        every += [_means(found, search), _kinds(found, search)]
    errors = [(clean(splitter.name), clean(error)) for splitter in found.splitters for error in splitter.errors[:5]]
    every += [
        Sheet("Errors", ("splitter", "error"), errors),
        Sheet("Not run", ("splitter",), [(clean(line),) for line in found.missing]),
    ]
    return [sheet for sheet in every if sheet.rows]


def _splitters(found: Evaluation) -> Sheet:
    columns = ("splitter", "chunks", "avg tokens", "located %", "model reads in part %")
    rows = []
    for splitter in found.splitters:
        chunks = max(1, splitter.chunks)
        shares = (100 * splitter.located, 100 * splitter.cut_short / chunks)
        name = clean(f"{splitter.name} {splitter.version}".rstrip())
        rows.append((name, f"{splitter.chunks:,}", f"{splitter.tokens / chunks:.0f}", *(f"{x:.1f}" for x in shares)))
    used = len(columns) if found.model else len(columns) - 1
    return Sheet("Splitters", columns[:used], [row[:used] for row in rows], used - 1)


def _means(found: Evaluation, search: str) -> Sheet:
    everything = found.groups()["all"]
    k, budget = found.k, f"{found.budget:,}"
    columns = (
        f"recall@{k}", f"precision@{k}", f"IoU@{k}", f"recall in {budget}", f"all in {budget}", "MRR",
        "first is, in budget recall", "first is, in MRR",
    )  # fmt: skip
    rows = []
    for number, splitter in enumerate(found.splitters):
        measures = ("recall", "precision", "iou", "budget_recall", "budget_whole", "mrr")
        values = [f"{splitter.mean(search, name, everything):.3f}" for name in measures]
        verdicts = ["", ""]
        if number:
            gaps = [found.against_first(splitter, search, name, everything) for name in ("budget_recall", "mrr")]
            verdicts = [f"{gap.verdict} ({gap.mean:+.3f}, {gap.low:+.3f} to {gap.high:+.3f})" for gap in gaps]
        rows.append((clean(splitter.name), *values, *verdicts))
    return Sheet(SEARCHES[search], ("splitter", *columns), rows, 6)


def _kinds(found: Evaluation, search: str) -> Sheet:
    groups = {name: chosen for name, chosen in found.groups().items() if name != "all"}
    rows = [
        (
            clean(splitter.name),
            *(
                f"{splitter.mean(search, 'budget_recall', chosen):.2f} / {splitter.mean(search, 'mrr', chosen):.2f}"
                for chosen in groups.values()
            ),
        )
        for splitter in found.splitters
    ]
    columns = [clean(f"{name} ({len(chosen)})") for name, chosen in groups.items()]
    title = f"{SEARCHES[search]}, by kind of question: recall in {found.budget:,} tokens / MRR"
    return Sheet(title, ("splitter", *columns), rows if columns else [], len(columns))
