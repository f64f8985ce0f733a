#!/bin/bash
# Only plugins beside the library, or in lib beside bin, are opened. No code of the current folder
# runs. A setuid program ignores settings, and tools start others without a shell. Each file that is
# planted here leaves its name in $SCRATCH/ran if it runs.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
ROOT=$PWD BUILD=$(realpath "${BUILD:-build}") CC=${CC:-cc}
export RAN=$SCRATCH/ran
mkdir -p "$SCRATCH"/{prefix/bin,there/run/lib,not-bin,lib}
cp "$BUILD/gpuranmar" "$SCRATCH/prefix/bin"
cp "$BUILD/gpuranmar" "$SCRATCH/not-bin"
chmod 755 "$SCRATCH"

# nothing NAME PATTERN COMMAND...: run in there/run, nothing that is planted runs, and what the
# command says has a line of that pattern.
nothing() {
    local name=$1 pattern=$2
    shift 2
    rm -f "$RAN"
    (cd "$SCRATCH/there/run" && "$@") >"$SCRATCH/log" 2>&1 </dev/null
    grep -Eq "$pattern" "$SCRATCH/log" && [ ! -e "$RAN" ]
    local status=$?
    [ -e "$RAN" ] && sed 's/^/has run: /' "$RAN" >>"$SCRATCH/log"
    report $status "$name"
}

if can_make 'plugins' '' "$CC"; then
    echo '#include <stdio.h>
    __attribute__((constructor)) static void run(void)
    {
        FILE *const f = fopen("'"$RAN"'", "a");
        if (f) fputs("a plugin\n", f), fclose(f);
    }' >"$SCRATCH/plugin.c"
    for folder in "$SCRATCH"/there/run{,/lib} "$SCRATCH/lib"; do
        "$CC" -w -shared -fPIC -o "$folder/libgpuranmar_cuda.so" "$SCRATCH/plugin.c"
    done
    none='cuda plugin: none .*cannot open'
    PATH=$SCRATCH/prefix/bin:$PATH nothing 'the command, found by PATH' "$none" gpuranmar info
    nothing 'the command, under another name' "$none" \
        bash -c "exec -a bin/gpuranmar '$SCRATCH/prefix/bin/gpuranmar' info"
    for value in : . "$SCRATCH/lib"; do
        LD_LIBRARY_PATH=$value nothing "LD_LIBRARY_PATH=${value/"$SCRATCH"/...}" "$none" \
            "$SCRATCH/prefix/bin/gpuranmar" info
    done
    nothing 'lib beside a folder that is not bin' "$none" "$SCRATCH/not-bin/gpuranmar" info
fi
if [ "$(id -u)" != 0 ]; then
    skip 'a setuid program' 'this user is not root'
else
    chown nobody "$SCRATCH/not-bin/gpuranmar" && chmod u+s "$SCRATCH/not-bin/gpuranmar"
    GPURANMAR_DEVICE=x GPURANMAR_NONE=1 nothing 'settings of a setuid program' \
        'DEVICE +the back' "$SCRATCH/not-bin/gpuranmar" info
fi

printf '#!/bin/sh\necho "$0" >>%q\n' "$RAN" >"$SCRATCH/there/run/gpuranmar-which"
chmod 755 "$SCRATCH/there/run/gpuranmar-which"
PATH=$PATH: nothing 'a tool of the current folder' 'gpuranmar-which was not found' \
    "$SCRATCH/prefix/bin/gpuranmar" which
if needs 'modules of the current folder' python3; then
    cd "$SCRATCH/there/run" || exit
    ln -s "$ROOT/validate/crush" .
    echo "open('$RAN', 'a').write('a module\\n')" | tee argparse.py >numpy.py
    nothing 'a link to crush' 'usage: crush' ./crush --help
    nothing "install-deps's NumPy" 'looked' \
        bash -c "$(grep '^NumPy()' "$ROOT/scripts/install-deps"); NumPy; echo looked"
    CDPATH=$SCRATCH nothing 'CDPATH' "$ROOT/scripts\$" \
        bash -c "cd '$ROOT' && . scripts/common.sh && cd scripts && pwd"

    # A shell would run a part of this name.
    name='; echo a name >$RAN; #'
    ln -s /bin/true "$name"
    nothing 'a name for nm' 'no RANMAR' "$ROOT/csrc/command/gpuranmar-which" "$name"
    nothing 'a name for compare-profiles' 'median of 1' \
        "$ROOT/scripts/compare-profiles" --no-gprof --runs 1 "$name" "$name"
fi

finish
