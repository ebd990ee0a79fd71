#!/usr/bin/env bash
# Looks up which known faults of Go and of the modules the program calls. The data are
# Go's own, or a copy of them that VULNDB names (https://… or file:///…). Where they cannot
# be had it fails: nothing was looked up.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install.sh govulncheck
db=${VULNDB:-https://vuln.go.dev}
if ! bin/tools/govulncheck -db "$db" ./...; then
  echo "Either faults were found, which are listed above, or the data of $db cannot be had, which is said there." >&2
  exit 1
fi
