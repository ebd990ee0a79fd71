#!/usr/bin/env bash
# Lets every fuzz target of the module look for new inputs, FUZZTIME each (ten
# seconds unless told). What it finds is left in the package's testdata/fuzz, from
# where the next `make test` runs it. Arguments narrow the packages.
# What is new is hardly made smaller: Go takes a minute for each such input unless told, in
# which it tries nothing else, and most of what we read is long.
set -euo pipefail
cd "$(dirname "$0")/.."

status=0
for package in $(go list "${@:-./...}"); do
  dir=$(go list -f '{{.Dir}}' "$package")
  for target in $(grep -hoE '^func Fuzz\w+' "$dir"/*_test.go 2>/dev/null | awk '{print $2}'); do
    printf '%s %s\n' "${package#*/}" "$target"
    go test "$package" -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-10s}" -fuzzminimizetime 10x >"$dir/.fuzz.log" 2>&1 || {
      cat "$dir/.fuzz.log"
      status=1
    }
    rm -f "$dir/.fuzz.log"
  done
done
exit "$status"
