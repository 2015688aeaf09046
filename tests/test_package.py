"""What is built is what is tested: the wheel and the source distribution carry all that the checkout has."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {"mdchunk_core": ROOT / "core", "langchain_mdchunk": ROOT, "llama_mdchunk": ROOT}


def files_of(package: str) -> set[str]:
    """Every file of an import package, as a wheel names it."""
    parent = PACKAGES[package]
    return {
        path.relative_to(parent).as_posix()
        for path in (parent / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution, and the wheel that was built from it."""
    pytest.importorskip("build")
    pytest.importorskip("hatchling")
    if not (ROOT / "pyproject.toml").is_file():
        pytest.skip("the tests run without a checkout around them")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_the_wheel_holds_three_packages_whole_and_nothing_else(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        extra = {name.partition(".dist-info/")[2] for name in archive.namelist() if ".dist-info/" in name}
        assert names == set().union(*map(files_of, PACKAGES))
        for package in PACKAGES:
            assert f"{package}/py.typed" in names
        for ranks in ("cl100k_base.tiktoken", "o200k_base.tiktoken"):
            name = f"mdchunk_core/data/{ranks}"
            assert archive.read(name) == (ROOT / "core" / name).read_bytes()
        assert {"METADATA", "entry_points.txt", "licenses/LICENSE"} <= extra


def test_the_source_distribution_can_be_tested(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {f"core/{name}" for name in files_of("mdchunk_core")}
    wanted |= files_of("langchain_mdchunk") | files_of("llama_mdchunk")
    wanted |= {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "tests/test_package.py"}
    assert wanted <= names


def test_the_distribution_says_what_it_needs(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    assert wheel.name.startswith("mdchunk_core-")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = archive.read(name).decode()
    needs = [line.partition(": ")[2] for line in metadata.splitlines() if line.startswith("Requires-Dist: ")]
    always = {need.split(";")[0].split("=")[0].rstrip("<>~!") for need in needs if "extra ==" not in need}
    assert always == {"mistletoe", "pyyaml", "regex", "sentencex", "tiktoken", "tomli"}
    extras = {line.partition(": ")[2] for line in metadata.splitlines() if line.startswith("Provides-Extra: ")}
    assert extras == {
        "all",
        "bench",
        "cli",
        "convert",
        "dev",
        "enrich",
        "eval",
        "fast",
        "langchain",
        "llama-index",
        "ray",
    }


def test_importing_the_core_is_light_and_stays_off_the_network() -> None:
    program = """
import socket, sys
def refuse(*_, **__): raise AssertionError("a socket was opened")
class Refused(socket.socket):
    __init__ = refuse
socket.socket, socket.create_connection, socket.getaddrinfo = Refused, refuse, refuse
import mdchunk_core
heavy = ("langchain", "langchain_core", "langchain_text_splitters", "llama_index", "typer", "rich", "requests",
         "transformers", "tokenizers", "numpy", "ray", "markitdown", "charset_normalizer")
loaded = [name for name in heavy if name in sys.modules]
assert not loaded, loaded
print(mdchunk_core.__version__)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().count(".") == 2


def test_the_framework_packages_import_without_their_frameworks_being_loaded_by_the_core() -> None:
    program = "import sys, mdchunk_core; assert not {'langchain_mdchunk', 'llama_mdchunk'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
