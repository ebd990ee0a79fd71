#!/usr/bin/env bash
# Looks at the console of a demo in headless Chromium, and holds every page against
# axe-core, which npm fetches as browser/package-lock.json names it. Pictures of the
# pages go to bin/screenshots.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v chromium >/dev/null && [ "${CI:-}" != true ]; then
  echo 'SKIP: make browser needs chromium (apt-get install chromium).'
  exit 0
fi
command -v npm >/dev/null || { echo 'make browser needs Node.js with npm.' >&2; exit 1; }
(cd browser && npm ci --silent)
go build -o bin/ostler ./cmd/ostler
mkdir -p bin/screenshots
scratch=$(mktemp -d)
bin/ostler demo --listen 127.0.0.1:0 --data "$scratch/demo" --speed 0 >"$scratch/log" 2>&1 &
demo=$!
trap 'kill "$demo" 2>/dev/null || true; wait "$demo" || true; rm -rf "$scratch"' EXIT
for _ in $(seq 600); do
  [ -e "$scratch/demo/demo.json" ] && break
  kill -0 "$demo" 2>/dev/null || { cat "$scratch/log" >&2; exit 1; }
  sleep 0.1
done
export OSTLER_DEMO="$scratch/demo/demo.json" OSTLER_SCREENSHOTS="$PWD/bin/screenshots"
(cd browser && GOFLAGS='' go test -count 1 ./...)
