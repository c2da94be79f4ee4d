#!/usr/bin/env bash
# Grows session stores with the real pi and holds everything that pifs makes of them against what pi makes
# of them: the context at every entry, names, labels, leaves, roots, children, totals, migrations. No
# difference is taken. The real and the odd session files are compared too.
#
#   scripts/pi-compat.sh [SEEDS] [SESSIONS] [ENTRIES]
#
# SEEDS is how many random seeds to try, or seeds=1,2,3: the seeds themselves, to repeat a failure. By default
# 6 seeds of 20 sessions of about 80 entries, well under a minute. The large comparison, a minute or two:
#
#   scripts/pi-compat.sh 20 30 120
#
# Installs the real pi with npm the first time (see scripts/oracle/run).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

seeds=${1:-6}
if [[ $seeds == seeds=* ]]; then
  seeds=${seeds#seeds=}
else
  seeds=$(shuf -i 1-4294967295 -n "$seeds" | paste -sd,)
fi
export PIFS_SEEDS=$seeds PIFS_SESSIONS=${2:-20} PIFS_ENTRIES=${3:-80}
echo "repeat with: scripts/pi-compat.sh seeds=$PIFS_SEEDS $PIFS_SESSIONS $PIFS_ENTRIES"

scripts/oracle/run list /nonexistent >/dev/null # installs pi
require=pi
if [[ -n ${PIFS_REQUIRE:-} ]]; then require=$PIFS_REQUIRE,pi; fi
PIFS_REQUIRE=$require go test ./tree -count=1 -timeout=60m -run '^TestPiCompat' -v | grep -v '^=== RUN'
