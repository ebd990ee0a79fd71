#!/usr/bin/env bash
# Installs, upgrades, takes back, removes and purges the packages, in a Debian of their own
# with a systemd of its own. The older packages are those of the working tree. The newer
# ones are of the newest commit, with a version and a migration of the ledger more: so the
# next release finds what this one leaves. PACKAGES=FOLDER names ready ones, in FOLDER/old
# and FOLDER/new. It needs root, systemd-nspawn, mmdebstrap and Debian's packages.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/container.sh
. tools/container.sh
needs_container 'the packages in a system of their own' mmdebstrap mmdebstrap

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
packages=${PACKAGES:-$scratch/packages}
arch=$(go env GOHOSTARCH)

# built FOLDER NAME: has that tree build its packages, and keeps them.
built() {
  rm -rf "$1/bin/packages"
  "$1/tools/package.sh" "$arch" >/dev/null
  mkdir -p "$packages"
  cp -r "$1/bin/packages" "$packages/$2"
}
if [ -z "${PACKAGES:-}" ]; then
  built "$PWD" old
  newer=$scratch/newer
  git clone -q . "$newer"
  mkdir -p "$newer/bin"
  ln -s "$PWD/bin/tools" "$newer/bin/tools"
  sed -i -E 's/^(const Version = "[0-9]+\.[0-9]+)\..*"$/\1.999"/' "$newer/internal/app/environment.go"
  printf -- '-- +goose Up\nCREATE INDEX of_the_next ON property (status);\n' >"$newer/ledger/migrations/99999_next.sql"
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) built "$newer" new
fi

# What it is installed in is fetched once.
base=bin/root.tar
if ! [ -e "$base" ]; then
  echo "Fetching a Debian into $base."
  mmdebstrap --quiet --variant=minbase --include=systemd,systemd-sysv,dbus,curl,rpm "${SUITE:-stable}" "$base.part"
  mv "$base.part" "$base"
fi
root=$scratch/root
mkdir "$root"
tar -C "$root" --exclude=./dev -xf "$base"
mkdir -p "$root/dev"
lay "$root/usr" package-inside.sh 540
play "$scratch" 580 --directory="$root" --bind-ro="$packages:/packages"
