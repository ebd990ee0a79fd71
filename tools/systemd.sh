#!/usr/bin/env bash
# Starts the units of systemd/ under a real systemd, in a container of this machine's
# own system that leaves no trace, and plays with them what happens to a service:
# start, questions, reload, kill, hang, restart under load, backup, stop, a full disk. It
# needs root, systemd-nspawn and curl.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=tools/container.sh
. tools/container.sh
needs_container 'the units of systemd/ under a real systemd' curl systemd-analyze curl

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
lay "$usr" systemd-inside.sh 150
play "$scratch" 200 --directory=/ --volatile=yes --overlay-ro="/usr:$usr:/usr"
