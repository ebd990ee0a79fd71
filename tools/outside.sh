#!/usr/bin/env bash
# Says which programs of others that tests are held against are missing here, what each
# is for and how to get it. Where CI=true the tests fail without them, so there, and as
# root beside apt-get, it installs them.
set -uo pipefail
cd "$(dirname "$0")/.."

missing=() packages=()

# wants NAME PACKAGE PURPOSE COMMAND...: the command succeeds where it is there.
wants() {
  local name=$1 package=$2 purpose=$3
  shift 3
  "$@" >/dev/null 2>&1 && return
  missing+=("$name: $purpose; Debian, Ubuntu: apt-get install $package")
  # shellcheck disable=SC2206  # some need two packages
  packages+=($package)
}

icalendar() {
  local python
  for python in /usr/bin/python3 python3; do
    "$python" -c 'import icalendar' && return
  done
  return 1
}

look() {
  missing=() packages=()
  wants curl curl 'sends the first request of the documentation' curl --version
  wants nginx nginx 'stands in front of /v1 and has to pass what it is sent' test -n "$(PATH=$PATH:/usr/sbin command -v nginx)"
  wants xmllint libxml2-utils 'validates the messages of AlpineBits by their schemas' xmllint --version
  wants python3 python3 'runs the example of a connector in another language' python3 --version
  wants python3-icalendar python3-icalendar 'reads the calendars that are published' icalendar
  wants khal khal 'shows the calendars that are published' khal --version
  wants groff groff-base 'formats the manual page' groff --version
  wants promtool prometheus 'checks the metrics and has every alert fire' promtool --version
  wants systemd-nspawn systemd-container 'starts the units of systemd/ under a real systemd' systemd-nspawn --version
  wants chromium chromium 'shows the pages of the console' chromium --version
  wants 'npm, with Node.js 20 or newer (https://nodejs.org)' 'nodejs npm' 'runs make interop, and fetches what pages are held against' npm --version
}

look
if ((${#missing[@]})) && [ "${CI:-}" = true ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing ${packages[*]} for the tests."
  # What cannot be had is named below, and by the test that needs it.
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"; } >/dev/null
  look
fi
((${#missing[@]})) || exit 0
if [ "${CI:-}" = true ]; then
  echo 'Tests will fail for want of these programs:' >&2
else
  echo 'Tests that need one of these programs are skipped here:' >&2
fi
printf '  %s\n' "${missing[@]}" >&2
