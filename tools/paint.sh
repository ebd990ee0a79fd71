#!/usr/bin/env bash
# Serves the house of `make bench`, and has headless Chromium open its calendar and change a
# price as often as the first argument says.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v chromium >/dev/null || { echo "SKIP: chromium is missing; tools/outside.sh says how to get it"; exit 0; }
mkdir -p bin
go test -c -o bin/console.test ./internal/console
scratch=$(mktemp -d)
mkfifo "$scratch/open"
bin/console.test -test.run '^$' -test.bench '^BenchmarkServed$' -test.benchtime 1x -test.timeout 0 -console.serve "$scratch/served.json" <"$scratch/open" >"$scratch/log" 2>&1 &
served=$!
exec 3>"$scratch/open"
trap 'exec 3>&-; wait "$served" || true; rm -rf "$scratch"' EXIT
until [ -e "$scratch/served.json" ]; do
  kill -0 "$served" 2>/dev/null || { cat "$scratch/log" >&2; exit 1; }
  sleep 0.1
done
(cd browser && OSTLER_DEMO="$scratch/served.json" GOFLAGS='' go test -count 1 -v -timeout 30m -run '^TestPaint$' . -args -paint.rounds "$1")
