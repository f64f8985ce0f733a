#!/bin/bash
# README's two commands on a fresh Debian 13, by scripts/check-distributions.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
all_need debootstrap unshare git apt-get
[ "$(id -u)" = 0 ] || skip_all 'only root can make a system'
unset MAKEFLAGS MAKELEVEL BUILD PERL_TEST_HARNESS_DUMP_TAP
row=$(scripts/check-distributions trixie 2>"$SCRATCH/log")
status=$?
[ $status != 2 ] || skip_all "$(tail -n 1 "$SCRATCH/log")"
echo "# $row"
grep -h -A 9 -e '^not ok' -e '^Result' build/distributions/trixie.* >"$SCRATCH/log"
report $status "README's two commands on Debian 13"
finish
