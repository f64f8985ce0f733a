#!/bin/bash
# The build: what is made again and what is not, what it says, and what it does without. It runs in
# a copy of the sources whose path has spaces in it, with compilers that only write their arguments
# into the file that they are to make, so that building everything takes a second.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
[ -f Makefile ] || skip_all 'there is no Makefile here'

copy="$SCRATCH/a copy"
mkdir "$copy" "$SCRATCH/bin"
tar -cf - --exclude='./build*' --exclude=./.git --exclude='*.json' --exclude='*.png' . |
    tar -C "$copy" -xf -
cd "$copy" || exit
export PATH="$SCRATCH/bin:$PATH"
for name in my-cc my-fc my-ar; do
    cat >"$SCRATCH/bin/$name" <<'END'
#!/bin/bash
[ "$1" != --version ] || exec echo "$(basename "$0") 1.0"
echo start >>"$LOG"
while [ $# -gt 0 ]; do
    case $1 in -o) file=$2 ;; *.a) file=${file:-$1} ;; esac
    shift
done
${PAUSE:-:}
[ -z "${file-}" ] || [ "$file" = /dev/null ] || : >"$file"
mkdir -p build/mod && : >>build/mod/gpuranmar.mod
echo stop >>"$LOG"
END
    chmod +x "$SCRATCH/bin/$name"
done
export LOG="$SCRATCH/compilers"

# build ARGUMENTS...: what make says, less the word on CUDA, in $SCRATCH/log.
build() {
    : >"$LOG"
    env -u MAKEFLAGS -u MAKELEVEL -u BUILD -u SANITIZE LC_ALL=C \
        make --no-print-directory CUDA=0 CC=my-cc FC=my-fc AR=my-ar "$@" 2>&1 |
        grep -v '^No CUDA' >"$SCRATCH/log"
    return "${PIPESTATUS[0]}"
}
# says NAME LINE...: what the last build said, in any order.
says() {
    local name=$1
    shift
    cp "$SCRATCH/log" "$SCRATCH/said"
    diff <(printf '%s\n' "$@" | grep . | sort) <(sort "$SCRATCH/said") >"$SCRATCH/log"
    report $? "$name"
}

# --- What is made again ---
object=build/shared/definition/error.o
ok 'everything is built, in a folder with spaces' build
build
says 'nothing is made again'
version=$(env -u MAKEFLAGS -u MAKELEVEL make -s print-VERSION)
libraries=("build/libgpuranmar.so.$version" build/libgpuranmar.a)
touch csrc/definition/error.c && build "${libraries[@]}"
says 'a source: its two objects and the libraries' '  CC    csrc/definition/error.c' \
    '  CC    csrc/definition/error.c' \
    "  LD    ${libraries[0]}" '  AR    build/libgpuranmar.a'
build LDFLAGS=-Wl,-O1 "${libraries[@]}"
says 'LDFLAGS: what is linked' "  LD    ${libraries[0]}" "make: '${libraries[1]}' is up to date."
build CPPFLAGS=-DX $object
says 'CPPFLAGS: what is C' '  CC    csrc/definition/error.c'
build V=1 $object
grep -q '^my-cc .*-c -o build/shared/definition/error.o csrc/definition/error.c' "$SCRATCH/log"
report $? 'V=1 shows the command'
build -s CPPFLAGS=-DX $object
says '-s: nothing is said'
build $object
echo '# A word more.' >>csrc/rules.mk && build $object
says 'a comment in a rules.mk' "make: '$object' is up to date."
sed -i 's/1\.0/1.1/' "$SCRATCH/bin/my-cc" && build $object
says 'another version of the compiler' '  CC    csrc/definition/error.c'
build "${libraries[@]}" && rm csrc/fortran/hooks.c && build "${libraries[@]}"
says 'a source less: the libraries' "  LD    ${libraries[0]}" '  AR    build/libgpuranmar.a'
touch build/libgpuranmar_cuda.so && build cuda-left-out
ok 'CUDA=0 takes a plugin from before away' [ ! -e build/libgpuranmar_cuda.so ]

if needs 'a Turkish locale' localedef; then
    localedef -i tr_TR -f UTF-8 "$SCRATCH/tr_TR.UTF-8" 2>/dev/null
    for locale in C tr_TR.UTF-8; do
        env -u MAKEFLAGS -u MAKELEVEL LOCPATH="$SCRATCH" LC_ALL=$locale \
            make -s print-{VERSION,FAMILY_ROWS,CSRC,COMMAND_SRC} >"$SCRATCH/in $locale"
    done
    same 'a Turkish locale has another order, and another capital of i' "$SCRATCH/in "*
fi

# --- Jobs ---
# Adds up starts and stops: the most compilers that ran at once.
at_once() { awk '{n += /start/ ? 1 : -1; if (n > most) most = n} END {print most}' "$LOG"; }
type -P gprof >/dev/null || ln -s "$(type -P true)" "$SCRATCH/bin/gprof"
PAUSE='sleep 0.05' build -j3 CFLAGS=-O2 demo
ok 'as many as asked for, by make demo' [ "$(at_once)" = 3 ]

# --- What is not there ---
build FC=no-fortran
grep -q '^No Fortran: no-fortran is not found' "$SCRATCH/log"
report $? 'without Fortran make says so'
! build FC=no-fortran build/shower-relinked && grep -qx 'make: no-fortran is not found' "$SCRATCH/log"
report $? '... and what is made by it fails and says why'
build FC=no-fortran build/without/no-fortran/x
ok '... and every test that needs it' \
    [ "$(build/without/no-fortran/x)" = '1..0 # SKIP no-fortran is not found' ]
build BUILD='a build'
grep -q "^Makefile:.*BUILD = 'a build': " "$SCRATCH/log" && [ "$(wc -l <"$SCRATCH/log")" = 1 ]
report $? 'a build directory with spaces is refused in one line'

# --- scripts/install-deps ---
mkdir "$SCRATCH/few"
for name in bash cat dirname env grep id mktemp paste rm sort tr; do
    ln -s "$(command -v $name)" "$SCRATCH/few"
done
deps() {
    env -i PATH="$SCRATCH/few" HOME=/ "$@" bash scripts/install-deps --check >"$SCRATCH/log" 2>&1
}
deps
[ $? = 1 ] && grep -q '^install-deps: needed and not found: make, C compiler,' "$SCRATCH/log" &&
    grep -q '^  Fedora, RHEL: *dnf install .*gcc-gfortran' "$SCRATCH/log"
report $? 'install-deps names what is missing, and how to get it'
for name in make nm python3 prove; do ln -s "$(type -P true)" "$SCRATCH/few/$name"; done
cat >"$SCRATCH/few/gcc" <<'END'
#!/bin/bash
[[ $* != *-fsyntax-only* ]]
END
chmod +x "$SCRATCH/few/gcc"
deps && grep -q '^  cmocka: without it, the unit tests of the core will be left out' \
    "$SCRATCH/log" &&
    ! grep -q '^install-deps: needed' "$SCRATCH/log"
report $? '... goes on where only what can be left out is missing, without dpkg'
ok '... says nothing where nothing is missing' test -z "$(
    for name in g++ gfortran pkg-config mandoc gnuplot perf; do
        ln -s "$(type -P true)" "$SCRATCH/few/$name"
    done
    ln -sf "$(type -P true)" "$SCRATCH/few/gcc"
    deps
    cat "$SCRATCH/log"
)"

finish
