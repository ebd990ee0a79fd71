#!/usr/bin/env bash
# Lets every fuzz target of the module look for new inputs, FUZZTIME each (ten
# seconds unless told). What it finds is left in the package's testdata/fuzz, from
# where the next `make test` runs it. Arguments narrow the packages.
set -euo pipefail
cd "$(dirname "$0")/.."

status=0
for package in $(go list "${@:-./...}"); do
  dir=$(go list -f '{{.Dir}}' "$package")
  for target in $(grep -hoE '^func Fuzz\w+' "$dir"/*_test.go 2>/dev/null | awk '{print $2}'); do
    printf '%s %s\n' "${package#*/}" "$target"
    go test "$package" -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-10s}" >"$dir/.fuzz.log" 2>&1 || {
      cat "$dir/.fuzz.log"
      status=1
    }
    rm -f "$dir/.fuzz.log"
  done
done
exit "$status"
