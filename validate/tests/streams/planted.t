#!/bin/bash
# No code runs from the current folder, or from a file that another user or the environment has put
# in the way. Each file that is planted here leaves its name in $SCRATCH/ran if it runs.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
ROOT=$PWD BUILD=$(realpath "${BUILD:-build}") CC=${CC:-cc}
export RAN=$SCRATCH/ran
mkdir -p "$SCRATCH"/{prefix/{bin,share/csrc},there/{run/{bin,lib},lib,bin,tree,csrc/command}} \
    "$SCRATCH"/{lib,path,broken,tools,crush,scripts}
cp "$BUILD/gpuranmar" "$SCRATCH/prefix/bin"
cp "$BUILD"/libgpuranmar.so.? "$BUILD/plugin-use" "$SCRATCH/prefix"
chmod 755 "$SCRATCH"

printf '#!/bin/sh\necho "$0" >>%q\nexit 1\n' "$RAN" | install /dev/stdin "$SCRATCH/program"
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

# refused NAME COMMAND...: no plugin is loaded from `there` after the command.
refused() {
    local name=$1
    shift
    plugins "$SCRATCH/there"
    "$@"
    nothing "$name" 'CUDA: another user owns' ../plugin-use
    chmod 755 "$SCRATCH/there"
}

if can_make 'plugins' '' "$CC" &&
    ok 'a plugin is made' "$CC" -w -shared -fPIC -o "$SCRATCH/plugin.so" "$SCRATCH/plugin.c"; then
    plugins "$SCRATCH"/there/{run,lib}
    info=(gpuranmar info)
    PATH=$SCRATCH/prefix/bin:$PATH nothing 'the command, found by PATH' 'cuda plugin: ' "${info[@]}"
    plugins "$SCRATCH/there/run/lib"
    nothing 'the command, under another name' 'cuda plugin: ' \
        bash -c "exec -a bin/gpuranmar '$SCRATCH/prefix/bin/gpuranmar' info"
    # A driver that a plugin of ours would load.
    cp "$BUILD"/libgpuranmar_opencl.s[o] "$SCRATCH/prefix/bin"
    cp "$SCRATCH/plugin.so" "$SCRATCH/there/run/libOpenCL.so.1"
    for value in : .: "$SCRATCH:" "$SCRATCH;." run; do
        LD_LIBRARY_PATH=$value nothing "LD_LIBRARY_PATH=${value/"$SCRATCH"/there}" \
            'LD_LIBRARY_PATH or a run path' "$SCRATCH/prefix/bin/gpuranmar" info
    done
    mkdir "$SCRATCH/there/run/\$x"
    plugins "$SCRATCH/there/run/\$x"
    # shellcheck disable=SC2016 # the loader reads the dollar
    LD_LIBRARY_PATH='$x' nothing 'LD_LIBRARY_PATH=$x' 'LD_LIBRARY_PATH or a run path' \
        "$SCRATCH/prefix/bin/gpuranmar" info
    echo '#include <stdlib.h>
__attribute__((constructor)) static void run(void) { unsetenv("LD_LIBRARY_PATH"); }' |
        "$CC" -shared -fPIC -x c -o "$SCRATCH/unset.so" -
    LD_PRELOAD=$SCRATCH/unset.so LD_LIBRARY_PATH=. ASAN_OPTIONS=verify_asan_link_order=0 \
        nothing 'LD_LIBRARY_PATH that the program unsets' 'LD_LIBRARY_PATH or a run path' \
        "$SCRATCH/prefix/bin/gpuranmar" info
    cp "$SCRATCH"/prefix/{libgpuranmar.so.?,plugin-use} "$SCRATCH/there"
    rm "$SCRATCH/there/run"/*.so
    plugins "$SCRATCH/lib"
    nothing 'lib beside a folder that is not bin' 'the CPU goes on' ../plugin-use
    # relink FILE COPY OPTIONS: links a file of BUILD again, with a run path.
    relink() { eval "$(sed "s/^[^=]*= //; s/ \[.*//; s|-o [^ ]*|-o $2|" "$1.cmd") -Wl,$3"; }
    relink "$BUILD"/libgpuranmar.so.?.?.? "$SCRATCH/path/libgpuranmar.so.1" -rpath,/none
    relink "$BUILD/plugin-use" "$SCRATCH/path/use" --disable-new-dtags,-rpath,.:"$SCRATCH/path"
    nothing 'a relative run path of the program' 'LD_LIBRARY_PATH or a run path' ../../path/use
    cuda=$SCRATCH/there/libgpuranmar_cuda.so
    refused 'a plugin that everybody may write' chmod 757 "$cuda"
    refused 'a folder that everybody may write' chmod 1777 "$SCRATCH/there"
    if [ "$(id -u)" != 0 ]; then
        skip "another user's files, setuid programs" 'this user is not root'
    else
        refused "another user's plugin" chown nobody "$cuda"
        ln -sf "$SCRATCH/plugin.so" "$SCRATCH/link"
        chown -h nobody "$SCRATCH/link"
        refused "another user's link" mv "$SCRATCH/link" "$cuda"
        plugins "$SCRATCH/there"
        ln -s "$SCRATCH/there" "$SCRATCH/prefix/lib" && chown -h nobody "$SCRATCH/prefix/lib"
        nothing "another user's link to a folder" 'cuda plugin: .*another user owns' \
            "$SCRATCH/prefix/bin/gpuranmar" info
        for name in x$'\n' x\\012; do cp -r "$SCRATCH/there" "$SCRATCH/$name"; done
        chown -R nobody "$SCRATCH/$name"
        nothing "another user's folder, x\\012" 'CUDA: another user owns' "$SCRATCH/x"$'\n'/plugin-use
        chown nobody "$SCRATCH"/there/libgpuranmar.so.?
        nothing "root's plugin beside the user's library" 'cuda.so is of another version' \
            setpriv --reuid=nobody --clear-groups ../plugin-use
        plugins "$SCRATCH/prefix/bin"
        cp "$SCRATCH/prefix/bin/gpuranmar" "$SCRATCH/prefix/bin/setuid"
        chown nobody "$SCRATCH/prefix/bin/setuid" && chmod u+s "$SCRATCH/prefix/bin/setuid"
        for said in 'cuda plugin: none \(a setuid program loads no plugin\)' 'DEVICE +the back'; do
            GPURANMAR_DEVICE=x GPURANMAR_NONE=1 nothing "a setuid program: $said" "$said" \
                "$SCRATCH/prefix/bin/setuid" info
        done
        install "$SCRATCH/program" "$SCRATCH/prefix/bin/gpuranmar-which"
        nothing 'a tool of a setuid program' 'gpuranmar-which .* was refused' \
            "$SCRATCH/prefix/bin/setuid" which
    fi
    if needs 'options for nm in a file' nm python3; then
        cp "$SCRATCH/empty" "$SCRATCH/there/run/@options"
        echo "--plugin=$SCRATCH/plugin.so $SCRATCH/empty" >"$SCRATCH/there/run/options"
        nothing 'options for nm, which' 'no RANMAR found' \
            "$ROOT/csrc/command/gpuranmar-which" @options
        nothing 'options for nm, compare-profiles' 'median of 1' "$ROOT/scripts/compare-profiles" \
            --no-gprof --runs 1 --library @options "$SCRATCH/empty" "$SCRATCH/empty"
    fi
    if needs 'the library of the current folder' gfortran python3; then
        cp "$SCRATCH/plugin.c" "$SCRATCH/library.c"
        for name in fil vec set cnt sta put; do echo "void grn${name}_(void) {}"; done \
            >>"$SCRATCH/library.c"
        "$CC" -w -shared -fPIC -o "$SCRATCH/there/run/libgpuranmar.so.1" "$SCRATCH/library.c"
        # broken, so that verify ends soon after it has found the library
        cp "$ROOT/fortran/reference/crranma.inc" "$SCRATCH/broken"
        sed '0,/RETURN/s//RETURN (/' "$ROOT/fortran/reference/rmmard.F" >"$SCRATCH/broken/rmmard.F"
        LD_LIBRARY_PATH=. nothing 'LD_LIBRARY_PATH=. patch' 'does not compile on its own' \
            "$ROOT/corsika-patch/gpuranmar-patch" --library "$BUILD" verify "$SCRATCH/broken"
        cp "$SCRATCH/there/run/libgpuranmar.so"{.1,}
        printf 'libdir=%s\nName: x\nDescription: x\nVersion: 1\n' "$SCRATCH/there/run" \
            >"$SCRATCH/there/run/gpuranmar.pc"
        PKG_CONFIG_PATH=. nothing 'PKG_CONFIG_PATH=. patch' 'gpuranmar-patch: not verified' \
            "$ROOT/corsika-patch/gpuranmar-patch" verify "$SCRATCH/broken"
    fi
fi

# The tools: beside the command, and those that they run.
cp "$BUILD/gpuranmar" "$SCRATCH/there/bin"
install -m 757 "$SCRATCH/program" "$SCRATCH/there/csrc/command/gpuranmar-which"
nothing 'a tool that everybody may write' 'gpuranmar-which .* was refused' ../bin/gpuranmar which
if needs 'tools of the current folder' python3; then
    ln -s "$(command -v sh)" "$(python3 -c 'import sys; print(sys.executable)')" "$SCRATCH/tools"
    cd "$SCRATCH/there/run" || exit
    for name in perf gfortran gcc nm pkg-config zstd gpuranmar parallel setpriv gnuplot; do
        cp "$SCRATCH/program" "$name"
    done
    cp "$ROOT"/fortran/reference/{rmmard.F,crranma.inc} ../tree
    printf '\x28\xb5\x2f\xfd' >DAT000001.zst
    cp -r "$ROOT/csrc/command" "$SCRATCH/prefix/share/csrc"
    printf '#!/bin/sh\necho --battery small --test 1 --flavour double --seed 1 --position 0\n' |
        install -D -m 755 /dev/stdin "$SCRATCH/fake/crush-driver"
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
        nothing "$name crush" 'parallel is not installed' \
            "${run[@]}" BUILD="$SCRATCH/fake" "$ROOT/validate/crush" --out "$SCRATCH/crush"
    done
    install -D "$SCRATCH/program" ../python/python3
    cp -r "$ROOT/csrc/families" "$SCRATCH/prefix/share/csrc" # root refuses a tool of another user
    ln -sf "$SCRATCH/prefix/share/csrc/command/gpuranmar-which" "$SCRATCH/prefix/bin"
    for path in ../python:$PATH :../python:$PATH ../python; do
        nothing "PATH=${path/$PATH/...}: gpuranmar which" 'no RANMAR found' \
            env "PATH=$path" "$SCRATCH/prefix/bin/gpuranmar" which ../tree/crranma.inc
    done
    if needs "gnuplot's settings" gnuplot; then
        echo "system('echo .gnuplot >>$RAN')" >.gnuplot
        printf '{"command": "%s", "seconds": 1, "testu01": "", "p": [["T", 0.5]]}\n' \
            "$("$SCRATCH/fake/crush-driver")" >"$SCRATCH/crush/results.jsonl"
        for HOME in '' .; do
            nothing "gnuplot's settings, HOME='$HOME'" 'crush: picture: ' env HOME="$HOME" \
                BUILD="$SCRATCH/fake" "$ROOT/validate/crush" --report --out "$SCRATCH/crush"
        done
    fi
    ln -s "$ROOT/validate/crush" "$production" .
    echo "open('$RAN', 'a').write('a module\\n')" | tee argparse.py >numpy.py
    nothing 'a link to crush' 'usage: crush' ./crush --help
    nothing "install-deps's NumPy" 'looked' \
        bash -c "$(grep '^NumPy()' "$ROOT/scripts/install-deps"); NumPy; echo looked"
    CDPATH=$SCRATCH nothing 'CDPATH' "$ROOT/scripts\$" \
        bash -c "cd '$ROOT' && . scripts/common.sh && cd scripts && pwd"
    chmod 1777 .
    nothing 'a link to production in a folder that everybody may write' 'There is nothing' \
        env "PATH=$PATH:$SCRATCH/prefix/bin" ./gpuranmar-production audit ../tree
    nothing 'BUILD of an installed production' 'There is nothing' \
        env "BUILD=$SCRATCH/there/run" "PATH=$PATH:$SCRATCH/prefix/bin" "$production" audit .
fi

finish
