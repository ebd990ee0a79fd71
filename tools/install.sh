#!/usr/bin/env bash
# Builds the named tools into bin/tools, in the versions that tools/go.mod pins,
# unless they are there already: made from that version and by the Go in use,
# since a linter built by an older Go refuses newer code.
set -euo pipefail
cd "$(dirname "$0")"

# The tools are not tied to C, and without it sqlc need not compile the parser of
# a database that is not used here.
export CGO_ENABLED=0

goversion=$(go env GOVERSION)
for name in "$@"; do
  package=$(go list -f '{{.ImportPath}}' tool | grep -E "/$name\$")
  pinned=$(go list -f '{{.Module.Version}}' "$package")
  binary=../bin/tools/$name
  if [ -x "$binary" ]; then
    have=$(go version -m "$binary" | awk 'NR == 1 {go = $NF} $1 == "mod" {print go, $3}')
    [ "$have" = "$goversion $pinned" ] && continue
  fi
  echo "Building $name $pinned into bin/tools; the first time this takes some minutes."
  mkdir -p ../bin/tools
  go build -o ../bin/tools/ "$package"
done
