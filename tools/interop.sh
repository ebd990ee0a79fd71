#!/usr/bin/env bash
# Holds /v1 against programs of others: its document against two linters, what the
# tests of package api say against kin-openapi and, through a proxy, against Prism, and a
# demo against clients; and a calendar that we publish against ical.js. It needs npm, which
# fetches what interop/package-lock.json names.
# What the tests say is taken from the file OSTLER_EXCHANGES, where there is one already.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ ! -s "${OSTLER_EXCHANGES:-}" ]; then
  export OSTLER_EXCHANGES="$scratch/exchanges.jsonl"
  go test -count 1 ./api
fi

if ! command -v npm >/dev/null; then
  if [ "${CI:-}" = true ]; then
    echo 'npm is missing; tools/outside.sh says how to get it' >&2
    exit 1
  fi
  echo 'npm is missing, so only kin-openapi is asked; tools/outside.sh says how to get it' >&2
  cd interop && exec go test -count 1 -run '^TestExchangesAreAsDocumented$' ./...
fi

(cd interop && npm ci --silent)
interop/node_modules/.bin/spectral lint api/openapi.yaml --ruleset interop/.spectral.yaml --fail-severity warn
# Redocly asks for news of itself, and would tell of its use.
REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true interop/node_modules/.bin/redocly lint api/openapi.yaml --config interop/redocly.yaml

go build -o bin/ostler ./cmd/ostler
OSTLER_FEED="$scratch/feed.ics" go test -count 1 -run '^TestWrittenForOthers$' ./connectors/ical/calendar
cd interop
OSTLER_FEED="$scratch/feed.ics" node --test calendars.test.mjs
node --test clients.test.mjs proxy.test.mjs
node with-demo.mjs go test -count 1 ./...
