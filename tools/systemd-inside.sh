#!/bin/bash
# What tools/systemd.sh plays inside the container. Every line that it says was seen.
set -euo pipefail
# shellcheck source=tools/inside.sh
. /usr/lib/ostler-test/said.sh
restarts() { [ "$(property NRestarts)" -ge "$1" ]; }

ip link set lo up 2>/dev/null || true
systemd-sysusers
systemd-tmpfiles --create ostler.conf
[ "$(stat -c '%U %a' /var/lib/ostler)" = 'ostler 750' ] || fail 'the data folder is not the user'\''s'
ostler init >/tmp/init
[ "$(stat -c '%U' /var/lib/ostler/production.db 2>/dev/null || stat -c '%U' /var/lib/ostler/ledger/production.db)" = ostler ] || fail 'the ledger is not the user'\''s'
[ "$(stat -c '%a' /var/lib/ostler/ledger/production.db)" = 640 ] || fail 'the ledger is not for its user and group alone'
said 'user, folders and a first ledger'

systemctl start ostler.service
[ "$(property ActiveState)" = active ] || fail 'it is not active'
[[ $(property StatusText) = serving* ]] || fail "its status is $(property StatusText)"
curl -fsS http://127.0.0.1:9464/readyz | grep -q '"status":"pass"' || fail 'it is not ready'
curl -fsS http://127.0.0.1:8080/v1/health | grep -q pass || fail '/v1 does not answer'
said "it starts, and is ready when systemd says so: $(property StatusText)"

ostler doctor >/tmp/doctor 2>&1 || fail "doctor: $(cat /tmp/doctor)"
said 'root asks it through its socket'

sed -i 's/^# level = .*/level = "debug"/' /etc/ostler/ostler.toml
systemctl reload ostler.service
within 10 sh -c 'journalctl -u ostler -o cat | grep -q "configuration read again.*log.level"'
[ "$(property ActiveState)" = active ] || fail 'a reload ended it'
said 'it reloads'

mkdir -p /srv/sheets
chown ostler: /srv/sheets
sed -i 's|^# sheets = .*|sheets = "/srv/sheets"|' /etc/ostler/ostler.toml
systemctl restart ostler.service
ostler doctor >/tmp/doctor 2>&1 && fail 'the doctor does not see that sheets cannot be written'
grep -q 'notify.sheets: /srv/sheets is read-only for the daemon' /tmp/doctor || fail "doctor: $(cat /tmp/doctor)"
mkdir -p /etc/systemd/system/ostler.service.d
printf '[Service]\nReadWritePaths=/srv/sheets\n' >/etc/systemd/system/ostler.service.d/folders.conf
systemctl daemon-reload
systemctl restart ostler.service
ostler doctor >/tmp/doctor 2>&1 || fail "doctor: $(cat /tmp/doctor)"
said 'a folder elsewhere is read-only until the unit opens it, and the doctor says which'

systemctl kill -s KILL ostler.service
within 20 restarts 1
within 20 curl -fsS http://127.0.0.1:8080/v1/health
said 'killed, it is started again'

mkdir -p /etc/systemd/system/ostler.service.d
printf '[Service]\nWatchdogSec=3\n' >/etc/systemd/system/ostler.service.d/soon.conf
systemctl daemon-reload
systemctl restart ostler.service
before=$(property NRestarts)
systemctl kill -s STOP ostler.service # it lives, and does nothing
within 30 restarts $((before + 1))
journalctl -u ostler -o cat | grep -q -i 'watchdog timeout' || fail 'it was not the watchdog'
within 20 curl -fsS http://127.0.0.1:8080/v1/health
rm /etc/systemd/system/ostler.service.d/soon.conf
systemctl daemon-reload
said 'hanging, it is started again by the watchdog'

systemctl stop ostler.service
systemctl start ostler.socket ostler.service
refused=0
for _ in 1 2 3; do
  systemctl restart --no-block ostler.service
  for _ in $(seq 40); do
    curl -fsS --max-time 20 http://127.0.0.1:8080/v1/health >/dev/null || refused=$((refused + 1))
  done
done
[ "$refused" = 0 ] || fail "$refused requests were refused while it was started again"
within 20 test "$(property ActiveState)" = active
journalctl -u ostler -o cat | grep -q '"listener":"api","address":"127.0.0.1:8080","passed":true' || fail 'the socket was not taken over'
said 'with the socket nobody is refused while it is started again'

systemctl start ostler-backup.service
ls /var/lib/ostler/backups/*.db >/dev/null || fail 'there is no backup'
said 'a backup beside it'
systemctl stop ostler.socket ostler.service
[ "$(property Result)" = success ] || fail "it ended with $(property Result)"
systemctl start ostler-backup.service
[ "$(ls /var/lib/ostler/backups/*.db | wc -l)" -ge 2 ] || fail 'there is no second backup'
said 'and one without it'

systemctl start ostler-backup.timer
[ "$(property ActiveState ostler-backup.timer)" = active ] || fail 'the timer does not run'
said 'the timer'

if journalctl -u ostler -o cat | grep -E '"level":"(error|fatal)"'; then fail 'the log has errors'; fi

refused() {
  [ "$(curl -sS -o /dev/null -w '%{http_code}' --unix-socket /var/lib/ostler/admin.sock --json '{"name":"Nobody","time_zone":"Europe/Lisbon","currency":"EUR","country":"PT"}' http://ostler/v1/properties)" = 503 ]
}
# A disk of the ledger's own that becomes full for longer than the watchdog waits.
cp -a /var/lib/ostler/ledger /var/lib/ostler/ledger.was
mount -t tmpfs -o size=16m,mode=0750 tmpfs /var/lib/ostler/ledger
chown ostler: /var/lib/ostler/ledger
cp -a /var/lib/ostler/ledger.was/. /var/lib/ostler/ledger/
printf '[Service]\nWatchdogSec=3\n' >/etc/systemd/system/ostler.service.d/soon.conf
systemctl daemon-reload
systemctl restart ostler.service
before=$(property NRestarts)
cat /dev/zero >/var/lib/ostler/ledger/ballast 2>/dev/null || true
within 20 refused # what its log has room for is stored
read -r -t 10 <> <(:) || true
[ "$(property NRestarts)" = "$before" ] || fail 'it was killed on a full disk'
curl -fsS http://127.0.0.1:8080/v1/health >/dev/null || fail '/v1 does not answer on a full disk'
rm /var/lib/ostler/ledger/ballast
within 10 curl -fsS http://127.0.0.1:9464/readyz
systemctl stop ostler.service
said 'on a full disk it goes on, and is ready when there is room'
passed
