#!/usr/bin/env bash
# Fails when a package's tests sleep without testing/synctest, in whose bubble a
# sleep costs nothing and ends at the same instant each time. Sleeping outside
# test files is the linter's to find; it cannot see a bubble.
set -euo pipefail
cd "$(dirname "$0")/.."

found=0
while IFS= read -r -d '' file; do
  if grep -q 'time\.Sleep(' "$file" && ! grep -q '"testing/synctest"' "$(dirname "$file")"/*_test.go; then
    echo "$file: time.Sleep outside a synctest bubble" >&2
    found=1
  fi
done < <(find . -path ./bin -prune -o -name '*_test.go' -print0)
exit "$found"
