#!/usr/bin/env bash
# Looks at the console of a demo in headless Chromium, and holds every page against
# axe-core, which npm fetches as browser/package-lock.json names it. Pictures of the
# pages go to bin/screenshots. It wants bin/ostler built.
set -euo pipefail
cd "$(dirname "$0")/.."
for program in chromium npm; do
  command -v "$program" >/dev/null && continue
  if [ "${CI:-}" = true ]; then
    echo "$program is missing; tools/outside.sh says how to get it" >&2
    exit 1
  fi
  echo "SKIP: the pages are not looked at, for want of $program; tools/outside.sh says how to get it"
  exit 0
done
(cd browser && npm ci --silent)
mkdir -p bin/screenshots
scratch=$(mktemp -d)
bin/ostler demo --listen 127.0.0.1:0 --data "$scratch/demo" --speed 0 >"$scratch/log" 2>&1 &
demo=$!
trap 'kill "$demo" 2>/dev/null || true; wait "$demo" || true; rm -rf "$scratch"' EXIT
for _ in $(seq 1800); do
  [ -e "$scratch/demo/demo.json" ] && break
  kill -0 "$demo" 2>/dev/null || { cat "$scratch/log" >&2; exit 1; }
  sleep 0.1
done
export OSTLER_DEMO="$scratch/demo/demo.json" OSTLER_SCREENSHOTS="$PWD/bin/screenshots"
(cd browser && GOFLAGS='' go test -count 1 -timeout 10m ./...)
