#!/usr/bin/env bash
# The browser that the preview's tests drive. Where it can be had neither installed nor by apt, those tests are skipped,
# and this says so.
set -euo pipefail

for name in chromium chromium-browser google-chrome-stable google-chrome; do
    if command -v "$name"; then exit 0; fi
done
if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
    echo "no Chromium, and no right or no apt to install it: the preview's browser tests are skipped"
    exit 0
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
{ apt-get -o Acquire::Retries=5 update && apt-get -o Acquire::Retries=5 install -y --no-install-recommends chromium; } \
    >"$log" 2>&1 || { tail -n 20 "$log"; exit 1; }
command -v chromium
