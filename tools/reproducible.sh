#!/usr/bin/env bash
# Builds the packages of the newest commit twice, in two clones that share nothing but
# the tools and the modules, and fails when a byte differs.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install.sh nfpm
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in first another; do
  mkdir -p "$work/$name"
  git clone -q . "$work/$name/ostler"
  mkdir -p "$work/$name/ostler/bin"
  ln -s "$PWD/bin/tools" "$work/$name/ostler/bin/tools"
  GOCACHE="$work/$name/cache" "$work/$name/ostler/tools/package.sh" "$@"
done
cd "$work/first/ostler/bin/packages"
for file in *; do
  sha256sum "$file"
  cmp "$file" "$work/another/ostler/bin/packages/$file"
done
echo 'Both are the same to the byte.'
