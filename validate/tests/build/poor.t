#!/bin/bash
# Where a program is not installed, whatever needs it says so in one line, and does not succeed: no
# error of a shell, of make or of Python. Each row is run with a PATH of Debian's essential programs
# and of stand-ins for those that are there, without cmocka and TestU01.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
[ -f Makefile ] || skip_all 'there is no Makefile here'

for program in bash sh env make awk sed grep find head tail paste dirname realpath date rm mkdir; do
    mkdir -p "$SCRATCH/essential" && ln -s "$(type -P $program)" "$SCRATCH/essential"
done
# with PROGRAM...: makes these, which do nothing.
with() {
    rm -rf "$SCRATCH/bin" && cp -r "$SCRATCH/essential" "$SCRATCH/bin"
    for program; do ln -s "$(type -P true)" "$SCRATCH/bin/$program"; done
}
# says LINE COMMAND...: the command says such a line and no other, and fails.
says() {
    local line=$1
    shift
    env -i PATH="$SCRATCH/bin" HOME="$SCRATCH" PYTHONPATH="$SCRATCH/minimal" \
        BUILD="$SCRATCH/build" "$@" </dev/null >"$SCRATCH/log" 2>&1 &&
        echo 'exit status 0' >>"$SCRATCH/log"
    [ "$(wc -l <"$SCRATCH/log")" = 1 ] && grep -q ": .*$line" "$SCRATCH/log"
    report $? "$line: $*"
}
# lacks PROGRAM COMMAND...
lacks() { says "\b$1 is not found" "${@:2}"; }
make=(make CMOCKA= TESTU01= CUDA=0)

with
for goal in '' check check-long check-gpu check-machines install demo coverage fuzz crush failing \
    bench-programs "$SCRATCH/build/test_fill"; do
    lacks gcc "${make[@]}" $goal
done
for goal in dist format format-check; do lacks git make $goal; done
lacks git scripts/format
lacks git scripts/packaging/build-deb
lacks gcovr scripts/coverage "$SCRATCH/build"

with gcc
lacks ar "${make[@]}"
with gcc ar
for goal in check check-long check-gpu check-machines; do lacks prove "${make[@]}" $goal; done
with gcc ar nm prove
for goal in check check-long; do lacks python3 "${make[@]}" $goal; done
lacks gfortran "${make[@]}" demo
lacks gcov "${make[@]}" coverage
lacks TestU01 "${make[@]}" crush
lacks TestU01 "${make[@]}" failing
lacks cmocka "${make[@]}" "$SCRATCH/build/test_fill"
with gcc ar git
lacks dpkg-buildpackage scripts/packaging/build-deb

# Debian's python3-minimal has a part of Python's library.
if needs 'a part of Python' python3; then
    python=$(python3 -c 'import sys; print(sys.executable)')
    ln -s "$python" "$SCRATCH/bin/python3" && mkdir "$SCRATCH/minimal"
    for module in concurrent dataclasses difflib json shlex shutil statistics; do
        echo "raise ImportError('$module is not found')" >"$SCRATCH/minimal/$module.py"
    done
    for command in scripts/bench 'scripts/compare-profiles a b' validate/crush \
        corsika-patch/gpuranmar-patch csrc/command/gpuranmar-{which,production}; do
        lacks '[a-z]*' $command
    done
    rm "$SCRATCH"/minimal/*.py
    echo 'import sys; sys.version_info = (3, 7, 1)' >"$SCRATCH/minimal/sitecustomize.py"
    for command in scripts/bench 'scripts/compare-profiles a b' validate/crush \
        corsika-patch/gpuranmar-patch; do
        says 'this is Python 3.7; 3.8 or later is needed' $command
    done
fi
finish
