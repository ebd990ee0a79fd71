#!/usr/bin/env bash
# Says which tools the build lacks and how to get each, all at once, and fails
# when there is one.
set -uo pipefail
cd "$(dirname "$0")/.."

missing=0
lacks() {
  missing=1
  printf 'missing: %s\n   get it: %s\n' "$1" "$2" >&2
}

if ! command -v go >/dev/null; then
  lacks 'Go 1.26 or newer' 'https://go.dev/dl/ (unpack it and put its bin folder on your PATH)'
else
  # Asked inside the module: an older Go that may fetch newer ones answers with
  # the one it would build with.
  version=$(go env GOVERSION 2>/dev/null)
  IFS=. read -r major minor _ <<<"${version#go}"
  if ! [[ ${major:-} =~ ^[0-9]+$ && ${minor:-} =~ ^[0-9]+ ]] ||
    ((major < 1 || (major == 1 && ${BASH_REMATCH[0]} < 26))); then
    lacks "Go 1.26 or newer (found: $(GOTOOLCHAIN=local go version 2>/dev/null || echo 'one that does not run'))" 'https://go.dev/dl/'
  fi
fi

system='Debian, Ubuntu: apt-get install build-essential git; Fedora: dnf install gcc glibc-devel make git; macOS: xcode-select --install'
compiler=$(go env CC 2>/dev/null)
compiler=${compiler:-cc}
# shellcheck disable=SC2086  # CC may carry arguments
if ! command -v ${compiler%% *} >/dev/null; then
  lacks "a C compiler ($compiler), which SQLite needs" "$system"
elif ! printf '#include <stdlib.h>\nint main(void) { return 0; }\n' | $compiler -fsyntax-only -x c - 2>/dev/null; then
  lacks "the C library's headers (stdlib.h), which SQLite needs" "$system"
elif [ "$(go env CGO_ENABLED 2>/dev/null)" = 0 ]; then
  lacks 'cgo, which SQLite needs (CGO_ENABLED is 0)' 'unset CGO_ENABLED, and go env -u CGO_ENABLED'
fi
command -v git >/dev/null || lacks 'git' "$system"
exit "$missing"
