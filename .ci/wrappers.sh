#!/usr/bin/env bash
# The wrappers with the oldest versions of their frameworks that are supported; the newest are in the environment "dev".
# Usage: wrappers.sh FOLDER, which takes the environments.
set -euo pipefail
work=$(realpath -- "${1:?usage: wrappers.sh FOLDER}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PYTHONDONTWRITEBYTECODE=1 PYTHONUTF8=1
failed=()

oldest() { # NAME TESTS REQUIREMENT...
    local python=$work/oldest-$1/bin/python tests=$2
    printf '\n%s: %s\n' "$1 at its oldest" "${*:3}"
    python3 -m venv "$work/oldest-$1" || return 1
    "$python" -m pip install -qq -e . hypothesis numpy pytest tokenizers "${@:3}" || return 1
    "$python" -m pytest -q -rs -p no:cacheprovider "$tests"
}

oldest langchain tests/langchain_splitter langchain-core==0.3.0 langchain-text-splitters==0.3.0 || failed+=(langchain)
oldest llama-index tests/llama_index_parser llama-index-core==0.12.0 || failed+=(llama-index)

if ((${#failed[@]})); then
    printf 'failed at the oldest versions: %s\n' "${failed[*]}"
    exit 1
fi
