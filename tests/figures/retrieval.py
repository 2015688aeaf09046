"""README's table of retrieval: questions with known answers, put to the chunks of every splitter that is installed.

python tests/figures/retrieval.py [FOLDER QUESTIONS] [--bm25] [--all]

Only the documents that a question is about are searched; with --all every document of the folder, for the chunks of
`mdchunk` as it comes and of its peers. Without --bm25 it needs the extra `eval`; embeddings are kept in the user's
cache.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from tables import read_folder, table

from mdchunk_core.compare import PEERS, Settings, Splitter, make_splitters
from mdchunk_core.evaluation.embedding import CachedEmbedder, SentenceTransformerEmbedder, cache_folder
from mdchunk_core.evaluation.evaluate import Evaluation, Measured, evaluate
from mdchunk_core.evaluation.questions import read_questions

DATA = Path(__file__).parent.parent / "data"
SETTINGS = Settings(target=400, limit=512, overlap=0)
OURS = (
    "mdchunk",
    "mdchunk,overlap=60",
    "mdchunk,merge_across=never",
    "mdchunk,note_context=suffix",
    "mdchunk,heading_context=prefix",
    "mdchunk,target=450",
    "mdchunk,target=480",
    "mdchunk,target=480,heading_context=prefix",
)
WINDOWS = ("tokens,max=128", "tokens,max=256", "tokens", "tokens,max=1024", "tokens,max=2000")
"""Fixed windows of several sizes: what size alone does to the measures."""
KINDS = ("table", "code", "validity-note")


def main(folder: Path, questions: Path, *, dense: bool, everything: bool = False) -> str:
    """The tables, and what could not be run."""
    documents = read_folder(folder)
    asked = read_questions(questions.read_text(encoding="utf-8"), documents)
    if not everything:
        documents = {name: documents[name] for name in sorted({question.document for question in asked})}
    found_splitters, missing = make_splitters((*OURS[: 1 if everything else None], *PEERS), SETTINGS)
    splitters = [cut_once(splitter) for splitter in found_splitters]
    embedder, reads = None, "words only"
    if dense:
        model = SentenceTransformerEmbedder()
        embedder = CachedEmbedder(model, model.key, cache_folder())
        reads = f"{model.name}, which reads {model.window} of its tokens of a text"
    found = evaluate(documents, asked, splitters, tokenizer=SETTINGS.counter, embedder=embedder, missing=missing)
    windows = [cut_once(splitter) for splitter in make_splitters(WINDOWS, SETTINGS)[0]]
    by_size = evaluate(documents, asked, windows, tokenizer=SETTINGS.counter)
    over = {splitter.name: share_over_limit(splitter, documents) for splitter in (*splitters, *windows)}
    search = found.searches[-1]
    return (
        "\n\n".join(
            [
                f"{len(asked)} questions, {len(documents)} documents, {reads}",
                f"recall in {found.budget} tokens / MRR, all questions",
                means(found, over),
                "the same for fixed windows of other sizes: what size alone does",
                means(by_size, over),
                f"the same for {search}, by kind of question",
                by_kind(found, search),
                f"{search}: {splitters[0].name} against each, the difference and its 95 % interval",
                verdicts(found, search),
                *missing,
            ]
        )
        + "\n"
    )


def cut_once(splitter: Splitter) -> Splitter:
    """The splitter, which remembers what it cut."""
    return replace(splitter, split=lru_cache(maxsize=None)(splitter.split))


def means(found: Evaluation, over: dict[str, float]) -> str:
    """Sizes and means of every splitter."""
    everything = found.groups()["all"]
    columns = ("splitter", "tokens", "over limit", "no chunk has all", *found.searches)
    rows = []
    for splitter in found.splitters:
        scores = splitter.scores[found.searches[0]]
        rows.append(
            (
                splitter.name if "," in splitter.name else f"{splitter.name} {splitter.version}".rstrip(),
                f"{splitter.tokens / splitter.chunks:.0f}",
                f"{over[splitter.name]:.0%}",
                f"{sum(score.mrr == 0 for score in scores)}",
                *(pair(splitter, search, everything) for search in found.searches),
            )
        )
    return table(columns, rows)


def by_kind(found: Evaluation, search: str) -> str:
    """The same for the kinds of questions that structure matters to."""
    groups = {kind: chosen for kind, chosen in found.groups().items() if kind in KINDS}
    columns = ("splitter", *(f"{kind} ({len(chosen)})" for kind, chosen in groups.items()))
    rows = [(x.name, *(pair(x, search, chosen) for chosen in groups.values())) for x in found.splitters]
    return table(columns, rows)


def verdicts(found: Evaluation, search: str) -> str:
    """Whether a difference is more than chance."""
    everything = found.groups()["all"]
    rows = []
    for splitter in found.splitters[1:]:
        gaps = [found.against_first(splitter, search, measure, everything) for measure in ("budget_recall", "mrr")]
        rows.append((splitter.name, *(f"{x.mean:+.3f} ({x.low:+.3f} to {x.high:+.3f}) {x.verdict}" for x in gaps)))
    return table(("against", "recall", "MRR"), rows)


def pair(splitter: Measured, search: str, chosen: list[int]) -> str:
    """Recall in the budget, and MRR."""
    return " / ".join(f"{splitter.mean(search, measure, chosen):.3f}" for measure in ("budget_recall", "mrr"))


def share_over_limit(splitter: Splitter, documents: dict[str, str]) -> float:
    """Of the text, in tokens: how much stands in chunks above the limit of 512."""
    sizes = [
        SETTINGS.counter.count(piece.text) for name, text in documents.items() for piece in splitter.split(text, name)
    ]
    return sum(size for size in sizes if size > SETTINGS.limit) / sum(sizes)


if __name__ == "__main__":
    flags = {"--bm25", "--all"} & set(sys.argv)
    paths = [Path(argument) for argument in sys.argv[1:] if argument not in flags]
    places = paths or [DATA / "corpus", DATA / "questions.jsonl"]
    sys.stdout.write(main(*places, dense="--bm25" not in flags, everything="--all" in flags))
