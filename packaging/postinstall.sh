#!/bin/sh
# After the files are there: the user, the folders, and a running daemon becomes the
# new one, which takes a backup before it changes the ledger.
set -e
systemd-sysusers ostler.conf
systemd-tmpfiles --create ostler.conf
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  # An upgrade starts again what runs, and starts nothing else. One that does not start is
  # no reason to leave the package half installed.
  systemctl try-restart ostler.service || echo 'Ostler does not start: journalctl -u ostler -n 20 says why' >&2
fi
if [ ! -e /etc/ostler/ostler.toml ]; then
  echo 'Ostler is installed. Next: ostler init, then systemctl enable --now ostler'
fi
