#!/usr/bin/env bash
# Runs the benchmarks of the named packages whose names have BENCH in them, one after the
# other, and prints their figures as one table. Whatever fails is shown as it is.
set -euo pipefail

out=$(mktemp)
trap 'rm -f "$out"' EXIT
if ! go test -p 1 -run '^$' -bench "${BENCH:-Figures}" -benchtime 1x -timeout "${WITHIN:-10m}" "$@" >"$out" 2>&1; then
	cat "$out"
	exit 1
fi
{
	echo '| measured | figure | aim | conditions'
	grep '^| ' "$out"
} | awk -F ' *[|] *' '
	{ for (i = 2; i <= NF; i++) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) } }
	END { for (r = 1; r <= NR; r++) { for (i = 2; i <= 4; i++) printf "%-*s  ", width[i], cell[r, i]; print cell[r, 5] } }'
