#!/bin/bash
# No code of the current folder runs, nor that of a file which another user or the environment has
# put in the way. Each file that is planted here leaves its name in $SCRATCH/ran if it runs.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
ROOT=$PWD BUILD=$(realpath "${BUILD:-build}") CC=${CC:-cc}
export RAN=$SCRATCH/ran
mkdir -p "$SCRATCH"/{prefix/bin,there/{run,lib,csrc/command}}
cp "$BUILD/gpuranmar" "$SCRATCH/prefix/bin"
cp "$BUILD"/libgpuranmar.so.? "$BUILD/plugin-use" "$SCRATCH/prefix"
chmod 755 "$SCRATCH"

printf '#!/bin/sh\necho "$0" >>%q\nexit 1\n' "$RAN" >"$SCRATCH/program"
chmod +x "$SCRATCH/program"
echo '#include <stdio.h>
__attribute__((constructor)) static void run(void)
{
    FILE *const f = fopen("'"$RAN"'", "a");
    if (f) fputs("a plugin\n", f), fclose(f);
}' >"$SCRATCH/plugin.c"

# plugins FOLDER...: planted there.
plugins() {
    local folder
    for folder; do
        install -m 755 "$SCRATCH/plugin.so" "$folder/libgpuranmar_cuda.so"
        install -m 755 "$SCRATCH/plugin.so" "$folder/libgpuranmar_opencl.so"
    done
}

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

if can_make 'plugins' '' "$CC" &&
    ok 'a plugin is made' "$CC" -w -shared -fPIC -o "$SCRATCH/plugin.so" "$SCRATCH/plugin.c"; then
    plugins "$SCRATCH"/there/{run,lib}
    info=(gpuranmar info)
    PATH=$SCRATCH/prefix/bin:$PATH nothing 'the command, found by PATH' 'cuda plugin: ' "${info[@]}"
    mkdir "$SCRATCH"/there/run/{bin,lib}
    plugins "$SCRATCH/there/run/lib"
    nothing 'the command, under another name' 'cuda plugin: ' \
        bash -c "exec -a bin/gpuranmar '$SCRATCH/prefix/bin/gpuranmar' info"
    for value in : .: "$SCRATCH:" "$SCRATCH;." run; do
        LD_LIBRARY_PATH=$value nothing "LD_LIBRARY_PATH=${value/"$SCRATCH"/there}" \
            'LD_LIBRARY_PATH has a relative' "$SCRATCH/prefix/bin/gpuranmar" info
    done
    mkdir "$SCRATCH/there/run/\$x"
    plugins "$SCRATCH/there/run/\$x"
    # shellcheck disable=SC2016 # the loader reads the dollar
    LD_LIBRARY_PATH='$x' nothing 'LD_LIBRARY_PATH=$x' 'LD_LIBRARY_PATH has a relative' \
        "$SCRATCH/prefix/bin/gpuranmar" info
    cp "$SCRATCH"/prefix/{libgpuranmar.so.?,plugin-use} "$SCRATCH/there"
    rm "$SCRATCH/there/run"/*.so
    mkdir "$SCRATCH/lib"
    plugins "$SCRATCH/lib"
    nothing 'lib beside a folder that is not bin' 'the CPU goes on' ../plugin-use
    rm -r "$SCRATCH/lib"
    plugins "$SCRATCH/there"
    chmod 757 "$SCRATCH/there/libgpuranmar_cuda.so"
    nothing 'a plugin that everybody may write' 'so is not loaded: another user' ../plugin-use
    if [ "$(id -u)" != 0 ]; then
        skip "another user's plugin" 'this user is not root'
        skip 'a setuid program' 'this user is not root'
    else
        plugins "$SCRATCH/there"
        chown nobody "$SCRATCH/there/libgpuranmar_cuda.so"
        nothing "another user's plugin" 'so is not loaded: another user' ../plugin-use
        rm "$SCRATCH/there/lib"/*.so
        plugins "$SCRATCH/prefix/bin"
        cp "$SCRATCH/prefix/bin/gpuranmar" "$SCRATCH/prefix/bin/setuid"
        chown nobody "$SCRATCH/prefix/bin/setuid" && chmod u+s "$SCRATCH/prefix/bin/setuid"
        GPURANMAR_DEVICE=x GPURANMAR_NONE=1 nothing 'a setuid program' \
            'cuda plugin: none \(a setuid program loads no plugin\)' \
            "$SCRATCH/prefix/bin/setuid" info
    fi
fi

# The tools: beside the command, and those that they run.
mkdir "$SCRATCH/there/bin"
cp "$BUILD/gpuranmar" "$SCRATCH/there/bin"
install -m 757 "$SCRATCH/program" "$SCRATCH/there/csrc/command/gpuranmar-which"
nothing 'a tool that everybody may write' "no subcommand 'which'" ../bin/gpuranmar which
if needs 'tools of the current folder' python3; then
    mkdir "$SCRATCH/tools"
    ln -s "$(command -v sh)" "$(python3 -c 'import sys; print(sys.executable)')" "$SCRATCH/tools"
    cd "$SCRATCH/there/run" || exit
    for name in perf gfortran gcc nm pkg-config zstd gpuranmar; do
        cp "$SCRATCH/program" "$name"
    done
    cp -r "$ROOT/examples/shower" ../tree
    printf '\x28\xb5\x2f\xfd' >DAT000001.zst
    mkdir -p "$SCRATCH/prefix/share/csrc"
    cp -r "$ROOT/csrc/command" "$SCRATCH/prefix/share/csrc"
    production=$SCRATCH/prefix/share/csrc/command/gpuranmar-production
    for path in . '' bin:..:.; do
        run=(env "PATH=$path:$SCRATCH/tools:$SCRATCH/prefix/bin")
        name="PATH=$path:...:"
        nothing "$name which" 'no Fortran compiler' \
            "${run[@]}" "$ROOT/csrc/command/gpuranmar-which" "$ROOT/fortran/reference/rmmard.F"
        nothing "$name patch" 'gfortran: No such file' \
            "${run[@]}" "$ROOT/corsika-patch/gpuranmar-patch" apply ../tree
        nothing "$name production" 'there is no program zstd' "${run[@]}" "$production" audit .
        nothing "$name compare-profiles" "No such file or directory: 'nm'" \
            "${run[@]}" "$ROOT/scripts/compare-profiles" --no-gprof --runs 1 /bin/true /bin/true
    done
    nothing 'BUILD of an installed production' 'There is nothing' \
        env "BUILD=$SCRATCH/there/run" "PATH=$PATH:$SCRATCH/prefix/bin" "$production" audit .
fi

finish
