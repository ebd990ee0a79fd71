#!/bin/sh
# After the files are gone. The ledger, its backups and the configuration stay, also
# when the package is purged: they are the hotel's bookings.
set -e
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
case "$1" in
remove | purge | 0)
  if [ -d /var/lib/ostler ]; then
    echo 'The ledger stays in /var/lib/ostler, the configuration in /etc/ostler.'
  fi
  ;;
esac
