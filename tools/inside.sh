# Sourced by what is played inside a container: every line that it says was seen.
# shellcheck shell=bash
trap 'journalctl -u "ostler*" -o cat --no-pager >/results/journal 2>&1 || true' EXIT

said() { printf 'ok: %s\n' "$*"; }
fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}
# Repeats a question until it is answered with yes, for so many seconds.
within() {
  local until=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < until)) || fail "not within the time: $*"
    read -r -t 0.1 <> <(:) || true
  done
}
property() { systemctl show -P "$1" "${2:-ostler.service}"; }
passed() { : >/results/passed; }
