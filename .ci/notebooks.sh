#!/usr/bin/env bash
# Every notebook runs from top to bottom, in an environment of its own; its assertions are the checks. The tests that
# need a real embedding model run here too.
# Usage: notebooks.sh FOLDER, which takes the environment and the executed notebooks.
set -euo pipefail
work=$(realpath -- "${1:?usage: notebooks.sh FOLDER}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PYTHONUTF8=1
failed=()

python3 -m venv "$work/notebooks"
python=$work/notebooks/bin/python
"$python" -m pip install -qq torch==2.13.0 # first, so that nothing else chooses a build
"$python" -m pip install -qq -e '.[cli,eval,langchain,llama-index]' -r notebooks/requirements.txt hypothesis pytest

for notebook in notebooks/*.ipynb; do
    start=$SECONDS
    if "$python" -m nbconvert --to notebook --execute --output-dir "$work/executed" --log-level WARN "$notebook"; then
        printf '%s: ok, %s s\n' "$notebook" $((SECONDS - start))
    else
        printf '%s: FAILED, %s s\n' "$notebook" $((SECONDS - start))
        failed+=("$notebook")
    fi
done

"$python" -m pytest -q -rs tests/test_eval_embedding.py || failed+=(test_eval_embedding.py)

if ((${#failed[@]})); then
    printf 'notebooks failed: %s\n' "${failed[*]}"
    exit 1
fi
