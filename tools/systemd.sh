#!/usr/bin/env bash
# Starts the units of systemd/ under a real systemd, in a container of this machine's
# own system that leaves no trace, and plays with them what happens to a service:
# start, questions, reload, kill, hang, restart under load, backup, stop, a full disk. It
# needs root, systemd-nspawn and curl.
set -euo pipefail
cd "$(dirname "$0")/.."

lacking=
for tool in systemd-analyze systemd-nspawn curl; do
  command -v "$tool" >/dev/null || lacking="$tool is not installed (apt-get install systemd-container curl)"
done
[ "$(id -u)" = 0 ] || lacking='only root may start a container'
if [ -n "$lacking" ]; then
  echo "skipped: the units of systemd/ under a real systemd: $lacking" >&2
  [ "${CI:-}" != true ] # there it is a failure
  exit
fi

limit=1.2 # what systemd-analyze may count as exposed
for unit in ostler ostler-backup; do
  level=$(systemd-analyze security --offline=true "systemd/$unit.service" 2>/dev/null | sed -n 's/^→ Overall exposure level for .*: \([0-9.]*\) .*/\1/p')
  echo "$unit.service is exposed to $level of 10, at most $limit"
  awk -v l="$level" -v m="$limit" 'BEGIN {exit !(l != "" && l <= m)}'
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
usr=$scratch/usr
install -D -m 0755 bin/ostler "$usr/bin/ostler"
install -D -m 0644 systemd/ostler.sysusers "$usr/lib/sysusers.d/ostler.conf"
install -D -m 0644 systemd/ostler.tmpfiles "$usr/lib/tmpfiles.d/ostler.conf"
for unit in ostler.service ostler.socket ostler-backup.service ostler-backup.timer; do
  install -D -m 0644 "systemd/$unit" "$usr/lib/systemd/system/$unit"
done
install -D -m 0755 tools/systemd-inside.sh "$usr/lib/ostler-test/inside.sh"
cat >"$usr/lib/systemd/system/ostler-test.service" <<'UNIT'
[Unit]
Description=What happens to a service
SuccessAction=poweroff-force
FailureAction=poweroff-force
[Service]
Type=oneshot
ExecStart=/usr/lib/ostler-test/inside.sh
StandardOutput=append:/results/said
StandardError=append:/results/said
TimeoutStartSec=150
UNIT
mkdir -p "$scratch/results"

# The console of the container is of no interest unless something went wrong.
timeout 200 systemd-nspawn -q --directory=/ --volatile=yes --register=no --keep-unit --private-network --machine=ostler-test \
  --overlay-ro="/usr:$usr:/usr" --bind="$scratch/results:/results" \
  --boot systemd.firstboot=off systemd.mask=systemd-networkd-wait-online.service systemd.unit=ostler-test.service </dev/null >"$scratch/console" 2>&1 || true
cat "$scratch/results/said" 2>/dev/null || true
if ! [ -e "$scratch/results/passed" ]; then
  echo '--- the container' >&2
  tail -40 "$scratch/console" >&2
  echo '--- its journal of Ostler' >&2
  grep -v -e '^goroutine' -e '^\s' -e '(0x\|(\.\.\.)$' "$scratch/results/journal" 2>/dev/null | tail -60 >&2 || true
  exit 1
fi
