# TAP for shell tests: source it, call the checks, end with `finish`.

TAP_COUNT=0
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT

# report STATUS NAME: one test; what went wrong, the file $SCRATCH/log, is shown if it failed.
report() {
    TAP_COUNT=$((TAP_COUNT + 1))
    if [ "$1" = 0 ]; then
        echo "ok $TAP_COUNT - $2"
    else
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

# remake ARGUMENT...: make, with the variables that the make above this test was given, without which
# it would build everything anew, but not with its -j.
REMAKE_BUILD=${BUILD:-build} REMAKE_IN=$PWD
remake() {
    local given=
    [[ ${MAKEFLAGS-} == *' -- '* ]] && given="-- ${MAKEFLAGS#* -- }"
    env -u MAKELEVEL MAKEFLAGS="$given" make -s -C "$REMAKE_IN" BUILD="$REMAKE_BUILD" "$@"
}

# same NAME FILE FILE: the files must have the same bytes.
same() {
    ok "$1" cmp "$2" "$3"
}

# skip_all REASON: when the machine cannot run the test.
skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}

finish() {
    echo "1..$TAP_COUNT"
}
