#!/bin/bash
# A program that was linked with an earlier version finds the same names with the same arguments and
# structures in this build's libraries. FILE.abi.tar.xz has what abidw says of a released version:
# exported symbols, types of public headers, COMMON /GRNCOM/. abidw does not see the enumerations of
# the headers, since calls take their values as int: the file `constants` has these values. Values
# of macros are not compared. Names may be added. `frozen.t --freeze` calls `abi.t --freeze VERSION`
# to write the archive.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
BUILD=${BUILD:-build} here=validate/frozen
[ "$1" != --freeze ] || skip_all() { echo "abi.t: $1" >&2 && exit 1; }
all_need abidw abidiff xz readelf
[ -z "$SANITIZE" ] || skip_all 'libraries with the sanitizers need others'
[ "$(uname -m)" = x86_64 ] || skip_all 'the released libraries are those of x86_64'
readelf -S "$BUILD/libgpuranmar.so" | grep -q '[.]debug_info' || skip_all 'built without -g'

# What gfortran adds to a module for class(*) depends on its version.
printf '[suppress_%s]\nsymbol_name_regexp = ^__gpuranmar_MOD___\n' function variable >"$SCRATCH/made"
mkdir "$SCRATCH/now"
for library in "$BUILD"/libgpuranmar*.so; do
    name=$(basename "$library" .so)
    abidw --suppressions "$SCRATCH/made" --no-corpus-path --no-show-locs --no-comp-dir-path \
        --short-locs --no-parameter-names --no-elf-needed --drop-private-types \
        --drop-undefined-syms --exported-interfaces-only --headers-dir csrc/include \
        --headers-dir cuda/include --headers-dir opencl/include \
        --header-file csrc/fortran/registry.h "$library" >"$SCRATCH/now/$name" || exit
done
readelf --debug-dump=info "$BUILD/libgpuranmar.so" | awk '/DW_AT_name/ {name = $NF}
    /DW_AT_const_value/ && name ~ /^GPURANMAR_/ {print name, $NF}' | sort -u >"$SCRATCH/now/constants"
if [ "$1" = --freeze ]; then
    for name in libgpuranmar_{cuda,opencl}; do
        [ -e "$SCRATCH/now/$name" ] || skip_all "built without $name.so"
    done
    tar -C "$SCRATCH/now" --sort=name --owner=0 --group=0 --mtime=@0 -cf - . | xz -9e >"$here/$2.abi.tar.xz"
    exit
fi
compare() {
    case $1 in
    constants) ! grep -vxFf "$SCRATCH/now/$1" "$SCRATCH/then/$1" ;;
    *) abidiff --no-added-syms --suppressions "$SCRATCH/made" "$SCRATCH"/{then,now}/"$1" ;;
    esac
}
for version in "$here"/*.abi.tar.xz; do
    mkdir "$SCRATCH/then" && tar -C "$SCRATCH/then" -xJf "$version" || exit
    for name in $(ls "$SCRATCH/then"); do
        row="$name, since $(basename "$version" .abi.tar.xz)"
        if [[ $name = *_@(cuda|opencl) && ! -e $SCRATCH/now/$name ]]; then
            skip "$row" 'it was not built'
        else
            ok "$row" compare "$name"
        fi
    done
    rm -r "$SCRATCH/then"
done
finish
