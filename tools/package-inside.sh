#!/bin/bash
# What tools/package-test.sh plays inside the container. Every line that it says was seen.
set -euo pipefail
# shellcheck source=tools/inside.sh
. /usr/lib/ostler-test/said.sh

deb() { dpkg -i /packages/"$1"/*.deb >/tmp/dpkg 2>&1 || fail "dpkg -i, $1: $(cat /tmp/dpkg)"; }
rpms() { rpm --force-debian --nodeps "$@" >/tmp/rpm 2>&1 || fail "rpm $*: $(cat /tmp/rpm)"; }
sum() { sha256sum /etc/ostler/ostler.toml /var/lib/ostler/seal.key; }
ask() { curl -fsS --unix-socket /var/lib/ostler/admin.sock "http://ostler/v1$1"; }
knows() { ask /properties | grep -q '"name":"Sea View"'; }
journal() { journalctl -u ostler -o cat --no-pager; }
version() { ostler version | head -n 1; }

# begun: a ledger with a hotel in it, and a daemon that works.
begun() {
  ostler init >/tmp/init 2>&1 || fail "init: $(cat /tmp/init)"
  systemctl start ostler.service || fail "it does not start: $(journal | tail -n 20)"
  curl -fsS --unix-socket /var/lib/ostler/admin.sock -H 'Content-Type: application/json' \
    -d '{"name":"Sea View","time_zone":"Europe/Lisbon","currency":"EUR","country":"PT"}' http://ostler/v1/properties >/dev/null
}

# upgraded: it runs as the newer version, its ledger brought up to date behind a backup.
upgraded() {
  [ "$(property ActiveState)" = active ] || fail "it is not active after the upgrade: $(journal | tail -n 20)"
  [[ $(readlink "/proc/$(property MainPID)/exe") = /usr/bin/ostler ]] || fail 'the older program runs on'
  [[ $(version) = *.999* ]] || fail "the version is $(version)"
  [ "$(sum)" = "$kept" ] || fail 'the configuration or the key was changed'
  journal | grep -q 'the ledger is brought up to date; a backup was taken before' || fail 'no backup was taken before the ledger was changed'
  ls /var/lib/ostler/backups/*.db >/dev/null || fail 'there is no backup'
  knows || fail 'the hotel is gone'
}

# gone: what the package brought is not there any more, and what the hotel has is.
gone() {
  local file
  [ "$(property LoadState)" = not-found ] || fail "the unit is $(property LoadState)"
  while IFS= read -r file; do
    [ -d "$file" ] || ! [ -e "$file" ] || fail "$file was left"
  done </tmp/files
  [ -z "$(find /etc/systemd/system -name 'ostler*')" ] || fail 'links to its units were left'
  [ -e /var/lib/ostler/ledger/production.db ] || fail 'the ledger is gone'
  [ "$(sum)" = "$kept" ] || fail 'the configuration or the key is gone'
}

deb old
cp /usr/bin/ostler /root/older
dpkg -L ostler >/tmp/files
for file in /usr/lib/systemd/system/ostler{.service,.socket,-backup.service,-backup.timer} /usr/share/man/man1/ostler.1.gz \
  /usr/share/bash-completion/completions/ostler /usr/share/zsh/vendor-completions/_ostler /usr/share/fish/vendor_completions.d/ostler.fish; do
  grep -q -x "$file" /tmp/files || fail "the package has no $file"
done
[ "$(stat -c '%U %a' /var/lib/ostler)" = 'ostler 750' ] || fail 'the data folder is not the user'\''s'
[ "$(property ActiveState)" = inactive ] || fail 'it was started before there is a configuration'
grep -q 'Next: ostler init' /tmp/dpkg || fail 'it is not said what is next'
said "the .deb installs $(version), and starts nothing"

begun
systemctl enable -q ostler.service ostler.socket
printf '# a line of the operator\n' >>/etc/ostler/ostler.toml
kept=$(sum)
deb new
upgraded
said "the upgrade keeps the configuration, takes a backup, brings the ledger up to date and runs as $(version)"

systemctl stop ostler.service ostler.socket
refusal=$(setpriv --reuid=ostler --regid=ostler --clear-groups /root/older serve --config /etc/ostler/ostler.toml 2>&1) && fail 'the older program starts on the newer ledger'
[[ $refusal = *'the ledger was written by a newer Ostler'* ]] || fail "the older program says: $refusal"
systemctl start ostler.service
deb old # what somebody does who wants to go back
[ "$(property ActiveState)" != active ] || fail 'the older program runs on the newer ledger'
grep -q 'journalctl -u ostler' /tmp/dpkg || fail "it is not said that it does not start: $(cat /tmp/dpkg)"
journal | grep -q 'the ledger was written by a newer Ostler' || fail 'the journal does not say why'
systemctl stop ostler.service
systemctl reset-failed ostler.service
deb new
systemctl start ostler.service
knows || fail 'the hotel is gone'
said "the older program refuses the newer ledger, as a package too, and leaves it whole: ${refusal##*error: }"

dpkg -L ostler >/tmp/files
systemctl stop ostler.service
systemctl start ostler.socket ostler.service
dpkg -r ostler >/tmp/dpkg 2>&1 || fail "dpkg -r: $(cat /tmp/dpkg)"
gone
grep -q 'The ledger stays in /var/lib/ostler' /tmp/dpkg || fail 'it is not said what stays'
deb new
systemctl start ostler.service
knows || fail 'the hotel is gone'
dpkg -P ostler >/tmp/dpkg 2>&1 || fail "dpkg -P: $(cat /tmp/dpkg)"
gone
if dpkg -s ostler >/dev/null 2>&1; then fail 'dpkg still knows it'; fi
said 'removed and purged it leaves the ledger, its backups and the configuration, and nothing of its own'

rm -rf /var/lib/ostler /etc/ostler
journalctl -q --rotate --vacuum-time=1s >/dev/null 2>&1 || true
rpms -i /packages/old/*.rpm
begun
systemctl enable -q ostler.service
kept=$(sum)
rpms -U /packages/new/*.rpm
upgraded
rpm -ql ostler >/tmp/files
rpms -e ostler
gone
said 'and so does the .rpm'
passed
