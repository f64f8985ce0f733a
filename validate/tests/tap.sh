# TAP for shell tests: source it, call the checks, end with `finish`.

TAP_COUNT=0 TAP_FAILED=0
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT

# In a locale with a decimal comma these would not read or write 0.5.
awk() { LC_ALL=C command awk "$@"; }
od() { LC_ALL=C command od "$@"; }

# report STATUS NAME: one test; what went wrong, the file $SCRATCH/log, is shown if it failed.
report() {
    TAP_COUNT=$((TAP_COUNT + 1))
    if [ "$1" = 0 ]; then
        echo "ok $TAP_COUNT - $2"
    else
        TAP_FAILED=$((TAP_FAILED + 1))
        echo "not ok $TAP_COUNT - $2"
        head -n 30 "$SCRATCH/log" | sed 's/^/# /'
    fi
}

# ok NAME COMMAND...: the command must succeed.
ok() {
    local name=$1
    shift
    "$@" >"$SCRATCH/log" 2>&1
    report $? "$name"
}

# same NAME FILE FILE: the files must have the same bytes.
same() {
    ok "$1" cmp "$2" "$3"
}

# stops NAME LINE PROGRAM... <SCRIPT: the last line of the program's input ends it, with one line on
# standard error, "gpuranmar: " and an extended regular expression, and an exit status that is not
# 0. What it wrote for the lines before is all there.
stops() {
    local name=$1 line=$2
    shift 2
    cat >"$SCRATCH/script"
    (
        cd "$SCRATCH" || exit
        head -n -1 script | "$@" >expected
        "$@" <script >output 2>log && echo 'exit status 0' >>log
        [ "$(wc -l <log)" = 1 ] && grep -Eqx "gpuranmar: $line" log && cmp expected output >>log
    )
    report $? "$name"
}

# skip NAME REASON: a test that this machine cannot run.
skip() {
    TAP_COUNT=$((TAP_COUNT + 1))
    echo "ok $TAP_COUNT - $1 # SKIP $2"
}

# needs NAME COMMAND...: whether there are these commands; where not, the test of that name is
# skipped.
needs() {
    local name=$1 command
    shift
    for command; do
        command -v "$command" >/dev/null || {
            skip "$name" "$command is not found"
            return 1
        }
    done
}

# can_make NAME RUN COMPILER...: whether that compiler makes a program that runs here, by the
# command RUN unless that is empty; where not, the test of that name is skipped.
can_make() {
    local name=$1 run=$2
    shift 2
    needs "$name" "$1" || return 1
    if ! printf '#include <errno.h>\nint main(void) { return 0; }\n' |
        "$@" -x c -o "$SCRATCH/empty" - 2>/dev/null; then
        skip "$name" "$* links no program"
    elif ! $run "$SCRATCH/empty" 2>/dev/null; then
        skip "$name" "${run:-this machine} cannot run its programs"
    else
        return 0
    fi
    return 1
}

# skip_all REASON: when the machine cannot run any of the tests.
skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}

# all_need COMMAND...: all tests are skipped where one of these commands is not there.
all_need() {
    local command
    for command; do
        command -v "$command" >/dev/null || skip_all "$command is not found"
    done
}

# remake ARGUMENT...: runs make with the variables of the make that runs this test, since with other
# variables it would build everything anew. It runs without that -j, and installs only below
# $SCRATCH.
REMAKE_BUILD=${BUILD:-build} REMAKE_IN=$PWD
REMAKE_PLACES=("PREFIX=$SCRATCH/root" DESTDIR= 'BINDIR=$(PREFIX)/bin' 'LIBDIR=$(PREFIX)/lib'
    'INCLUDEDIR=$(PREFIX)/include' 'DATADIR=$(PREFIX)/share' 'MANDIR=$(DATADIR)/man')
remake() {
    local given=
    [[ ${MAKEFLAGS-} == *' -- '* ]] && given="-- ${MAKEFLAGS#* -- }"
    env -u MAKELEVEL MAKEFLAGS="$given" make -s -C "$REMAKE_IN" BUILD="$REMAKE_BUILD" \
        "${REMAKE_PLACES[@]}" "$@"
}

# The last command of a test, so that its exit status says whether all went well.
finish() {
    echo "1..$TAP_COUNT"
    [ "$TAP_FAILED" = 0 ]
}
