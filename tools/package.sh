#!/usr/bin/env bash
# Builds the packages of the named architectures (amd64, arm64; without names this
# machine's) into bin/packages. The program is linked whole, so one binary runs on every
# Linux of its architecture. Who builds the same commit with the same Go and the same
# compilers gets the same bytes (make reproducible): every time in a package is the commit's.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install.sh nfpm

here=$(go env GOHOSTARCH)
version=$(sed -n 's/^const Version = "\(.*\)"$/\1/p' internal/app/environment.go)
export VERSION=$version
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
[ $# -gt 0 ] || set -- "$here"
mkdir -p bin/packages
go build -o bin/ostler ./cmd/ostler # tells the manual and the completions
for arch in "$@"; do
  compiler=$(go env CC)
  if [ "$arch" != "$here" ]; then
    case $arch in
      arm64) compiler=aarch64-linux-gnu-gcc package=gcc-aarch64-linux-gnu ;;
      amd64) compiler=x86_64-linux-gnu-gcc package=gcc-x86-64-linux-gnu ;;
      *) echo "There are packages for amd64 and arm64, not for $arch." >&2; exit 1 ;;
    esac
    command -v "$compiler" >/dev/null || { echo "missing: $compiler; get it: apt-get install $package" >&2; exit 1; }
  fi
  STAGE=$(mktemp -d)
  export STAGE ARCH=$arch
  trap 'rm -rf "$STAGE"' EXIT
  echo "Building ostler $version for $arch."
  # Names are looked up by Go's own means: those of the C library need its shared parts.
  GOARCH=$arch CGO_ENABLED=1 CC=$compiler GOFLAGS="-tags=sqlite_omit_load_extension,netgo,osusergo -trimpath" \
    go build -ldflags '-s -w -linkmode external -extldflags "-static"' -o "$STAGE/ostler" ./cmd/ostler
  # The program's own account of what it is built from; that of another architecture cannot be asked.
  if [ "$arch" = "$here" ]; then "$STAGE/ostler" version --sbom >"bin/packages/ostler_${version}_$arch.cdx.json"; fi
  bin/ostler manual | gzip -9n >"$STAGE/ostler.1.gz"
  for shell in bash zsh fish; do bin/ostler completion "$shell" >"$STAGE/$shell"; done
  # Of a folder the packager takes times and modes as they are here.
  cp -r docs "$STAGE/docs"
  chmod -R u=rwX,go=rX "$STAGE/docs"
  find "$STAGE/docs" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
  for kind in deb rpm; do
    bin/tools/nfpm package --config packaging/nfpm.yaml --packager "$kind" --target bin/packages/
  done
  rm -rf "$STAGE"
  trap - EXIT
done
ls -l bin/packages
