#!/bin/bash
# SmallCrush on all flavours, with one instance and with eight. It looks at more than 24 bits, so
# that two numbers of `single` make one.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
export BUILD=${BUILD:-build} PYTHONDONTWRITEBYTECODE=1
[ -x "$BUILD/crush-driver" ] || skip_all "TestU01 is not installed: scripts/install-deps --testu01"
all_need parallel

for flavour in double extended keyed "single --pair"; do
    for instances in "" "--instances 8 --prefetch 1024"; do
        echo "--battery small --flavour $flavour --seed 54217137 $instances"
    done
done >"$SCRATCH/plan"
ok "SmallCrush" validate/crush --plan "$SCRATCH/plan" --out "$SCRATCH/out"
while read -r row; do
    echo "$row" >"$SCRATCH/log"
    [[ $row =~ ^\|\ (.*)\ \|\ SmallCrush\ \|\ [0-9]+\ \|\ 15\ \|\ [0-9]+\ \|\ 0\ \| ]]
    report $? "no failure: ${BASH_REMATCH[1]}"
done < <(grep '^|.*| SmallCrush | 54217137 | [0-9]' "$SCRATCH/out/report.md")
ok "... all 8 were whole" \
    test "$(grep -c '^|.*| SmallCrush | 54217137 | 15 |' "$SCRATCH/out/report.md")" = 8
finish
