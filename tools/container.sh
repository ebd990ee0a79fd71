# Sourced by what plays something in a container with a systemd of its own.
# shellcheck shell=bash

# needs_container WHAT PACKAGES TOOL...: where a tool is missing, or this is not root, it
# says so and ends; with CI=true as a failure.
needs_container() {
  local what=$1 packages=$2 lacking='' tool
  shift 2
  for tool in systemd-nspawn "$@"; do
    command -v "$tool" >/dev/null || lacking="$tool is not installed (apt-get install systemd-container $packages)"
  done
  [ "$(id -u)" = 0 ] || lacking='only root may start a container'
  [ -n "$lacking" ] || return 0
  echo "skipped: $what: $lacking" >&2
  [ "${CI:-}" != true ]
  exit
}

# lay USR SCRIPT SECONDS: puts into a folder /usr what has a container play a script of
# tools/, and end with it.
lay() {
  install -D -m 0755 "tools/$2" "$1/lib/ostler-test/inside.sh"
  install -D -m 0644 tools/inside.sh "$1/lib/ostler-test/said.sh"
  install -d "$1/lib/systemd/system"
  cat >"$1/lib/systemd/system/ostler-test.service" <<UNIT
[Unit]
Description=What happens to a service
SuccessAction=poweroff-force
FailureAction=poweroff-force
[Service]
Type=oneshot
ExecStart=/usr/lib/ostler-test/inside.sh
StandardOutput=append:/results/said
StandardError=append:/results/said
TimeoutStartSec=$3
UNIT
}

# play SCRATCH SECONDS ARGUMENT...: boots a container, with such arguments of
# systemd-nspawn, that plays what was laid; says what that said, and fails where it did.
# The container's console is of no interest unless something went wrong.
play() {
  local scratch=$1 seconds=$2
  shift 2
  mkdir -p "$scratch/results"
  timeout "$seconds" systemd-nspawn -q --register=no --keep-unit --private-network --machine=ostler-test --bind="$scratch/results:/results" "$@" \
    --boot systemd.firstboot=off systemd.mask=systemd-networkd-wait-online.service systemd.unit=ostler-test.service </dev/null >"$scratch/console" 2>&1 || true
  cat "$scratch/results/said" 2>/dev/null || true
  [ -e "$scratch/results/passed" ] && return
  echo '--- the container' >&2
  tail -40 "$scratch/console" >&2
  echo '--- its journal of Ostler' >&2
  grep -v -e '^goroutine' -e '^\s' -e '(0x\|(\.\.\.)$' "$scratch/results/journal" 2>/dev/null | tail -60 >&2 || true
  return 1
}
