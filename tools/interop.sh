#!/usr/bin/env bash
# Holds /v1 against programs of others: its document against two linters, what the
# tests of package api say against kin-openapi, and a demo against clients. It needs
# npm, which fetches what interop/package-lock.json names.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v npm >/dev/null || { echo 'make interop needs Node.js with npm.' >&2; exit 1; }
(cd interop && npm ci --silent)
interop/node_modules/.bin/spectral lint api/openapi.yaml --ruleset interop/.spectral.yaml --fail-severity warn
interop/node_modules/.bin/redocly lint api/openapi.yaml --config interop/redocly.yaml

go build -o bin/ostler ./cmd/ostler
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export OSTLER_EXCHANGES="$scratch/exchanges.jsonl"
go test -count 1 ./api
(cd interop && node --test clients.test.mjs && node with-demo.mjs go test -count 1 ./...)
