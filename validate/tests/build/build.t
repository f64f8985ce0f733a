#!/bin/bash
# What a user sees of the build: it works in a folder with spaces and in a Turkish locale, makes
# again what other flags change and nothing else, and names each program that is not installed in
# one line. Compilers that only write empty files build everything in a second.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
[ -f Makefile ] || skip_all 'there is no Makefile here'
copy="$SCRATCH/a copy"
mkdir "$copy" "$SCRATCH/bin" "$SCRATCH/few" "$SCRATCH/old"
tar -cf - --exclude='./build*' --exclude=./.git --exclude='*.json' . | tar -C "$copy" -xf -
cd "$copy" || exit
cat >"$SCRATCH/bin/my-cc" <<'END'
#!/bin/bash
while [ $# -gt 0 ]; do
    case $1 in --version) exec echo my-cc 1.0 ;; -o) file=$2 ;; *.a) file=${file:-$1} ;; esac
    shift
done
[ -z "${file-}" ] || [ "$file" = /dev/null ] || : >"$file"
mkdir -p build/mod && : >>build/mod/gpuranmar.mod
END
chmod +x "$SCRATCH/bin/my-cc"

# build ARGUMENTS...: what make says, less the word on CUDA, in $SCRATCH/said.
build() {
    env -u MAKEFLAGS -u MAKELEVEL -u BUILD -u SANITIZE LC_ALL=C PATH="$SCRATCH/bin:$PATH" \
        make --no-print-directory CUDA=0 CC=my-cc FC=my-cc AR=my-cc "$@" 2>&1 |
        grep -v '^No CUDA' >"$SCRATCH/said"
    return "${PIPESTATUS[0]}"
}
# says NAME [LINE...]: what the last build said.
says() { ok "$1" diff <(printf '%s\n' "${@:2}" | grep .) "$SCRATCH/said"; }

ok 'everything is built, in a folder with spaces' build
build
says 'nothing is made again'
object=build/shared/base/error.o
build CPPFLAGS=-DX $object
says 'other flags: what they change' '  CC    csrc/base/error.c'
touch csrc/base/error.c && build CPPFLAGS=-DX $object
says 'another source' '  CC    csrc/base/error.c'
touch build/libgpuranmar_cuda.so && build cuda-left-out
ok 'CUDA=0 takes a plugin from before away' [ ! -e build/libgpuranmar_cuda.so ]
build CUDA=1 NVCC=my-cc CXX=my-cc V=1 build/cuda/measure-opencl
ok 'what measures OpenCL is linked with its plugin' grep -q 'measure-opencl .*libgpuranmar_opencl.so' \
    "$SCRATCH/said"
if localedef -i tr_TR -f UTF-8 "$SCRATCH/tr_TR.UTF-8" >"$SCRATCH/log" 2>&1; then
    for locale in C tr_TR.UTF-8; do
        env -u MAKEFLAGS -u MAKELEVEL LOCPATH="$SCRATCH" LC_ALL=$locale \
            make -s print-{VERSION,FAMILY_ROWS,CSRC,COMMAND_SRC} >"$SCRATCH/in $locale"
    done
    same 'a Turkish locale has another order, and another capital of i' "$SCRATCH/in "*
else
    skip 'a Turkish locale' "$(head -n 1 "$SCRATCH/log")"
fi

# --- The archive: the same from any user's settings, and of what is committed ---
if needs 'make dist' git; then
    archive() {
        env -u MAKEFLAGS -u MAKELEVEL "$@" make -s dist >"$SCRATCH/log" 2>&1 &&
            mv libgpuranmar-*.tar.gz "$SCRATCH/$1"
    }
    { git init -q && git add -A &&
        GIT_CONFIG_GLOBAL=/dev/null git -c user.name=A -c user.email=a@example.org commit -qm 1; } \
        >"$SCRATCH/log" 2>&1
    archive A=plain
    echo '*.md export-ignore' >"$SCRATCH/attributes"
    for setting in core.autocrlf=true tar.umask=077 "core.attributesFile=$SCRATCH/attributes"; do
        git config "${setting%%=*}" "${setting#*=}"
    done
    sed -i 's/\(VERSION_PATCH\) .*/\1 99/' csrc/include/gpuranmar.h
    (umask 077 && archive A=settings GZIP=--rsyncable TZ=XYZ5)
    same 'make dist' "$SCRATCH/A="*
fi

# --- Scripts say what they do ---
for script in $(find scripts validate/crush -type f -perm -u+x ! -path '*/debian/*'); do
    "$script" -h </dev/null 2>&1 | head -n 1 >"$SCRATCH/log"
    [ "${PIPESTATUS[0]}" = 0 ] && [ -s "$SCRATCH/log" ]
    report $? "$script -h"
done

# --- Programs that are not there ---
build FC=no-fortran
ok 'without Fortran make says so' grep -q '^No Fortran: no-fortran is not found' "$SCRATCH/said"
build BUILD='a build'
ok 'a build folder with spaces is refused' grep -q "^Makefile:.*BUILD = 'a build': " "$SCRATCH/said"
for name in bash sh env make awk sed grep find head tail paste dirname realpath date rm mkdir cat id \
    mktemp sort tr; do
    ln -s "$(type -P $name)" "$SCRATCH/few"
done
# lacks LINE COMMAND...: with few programs it ends with this line and no other, and fails.
few() { env -i PATH="$SCRATCH/few" HOME="$SCRATCH" PYTHONPATH="$SCRATCH/old" "$@" </dev/null 2>&1; }
lacks() {
    few "${@:2}" >"$SCRATCH/log" && echo 'exit status 0' >>"$SCRATCH/log"
    [ "$(wc -l <"$SCRATCH/log")" = 1 ] && grep -q ": .*\b$1" "$SCRATCH/log"
    report $? "$1: ${*:2}"
}
have() { for program; do ln -s "$(type -P true)" "$SCRATCH/few/$program"; done; }
make=(make CMOCKA= TESTU01= CUDA=0)
for goal in all check install demo coverage; do lacks 'gcc is not found' "${make[@]}" $goal; done
lacks 'git is not found' make dist
lacks 'dpkg-buildpackage is not found' scripts/packaging/build-deb
few scripts/install-deps --check >"$SCRATCH/log"
grep -q '^install-deps: needed and not found: C compiler, nm,' "$SCRATCH/log" &&
    grep -q '^  Fedora, RHEL: *dnf install .*gcc-gfortran' "$SCRATCH/log"
report $? 'install-deps names what is missing, and how to get it'
have ar nm
printf '#!/bin/bash\n[[ $* != *-fsyntax-only* ]]\n' >"$SCRATCH/few/gcc" && chmod +x "$SCRATCH/few/gcc"
lacks 'prove is not found' "${make[@]}" check
have prove
lacks 'python3 is not found' "${make[@]}" check
lacks 'gfortran is not found' "${make[@]}" demo
lacks 'cmocka is not found' "${make[@]}" build/test_fill
if needs 'what can be left out' python3; then
    ln -s "$(python3 -c 'import sys; print(sys.executable)')" "$SCRATCH/few/python3"
    few scripts/install-deps --check >"$SCRATCH/log" &&
        grep -q '^  cmocka: without it, the unit tests' "$SCRATCH/log"
    report $? '... and goes on where only what can be left out is missing'
    # Debian's python3-minimal has a part of Python's library.
    echo 'raise ImportError("no statistics")' >"$SCRATCH/old/statistics.py"
    lacks 'this Python is not whole' scripts/compare-profiles
fi
finish
