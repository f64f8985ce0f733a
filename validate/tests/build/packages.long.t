#!/bin/bash
# The packages: Debian's are built from the committed sources, and small programs in C, C++ and
# Fortran are built against what is in them; a CMake project builds the library as a part of
# itself; two builds in different folders are the same to the byte.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
build=$(realpath "${BUILD:-build}") source=$PWD CXX=${CXX:-g++} FC=${FC:-gfortran}
all_need "${FC%% *}" "$CXX"
git rev-parse -q --verify HEAD >"$SCRATCH/log" 2>&1 || skip_all 'this is no git repository'
unset MAKEFLAGS MAKELEVEL BUILD PERL_TEST_HARNESS_DUMP_TAP # a folder that is not nobody's
mkdir "$SCRATCH/programs" && cd "$SCRATCH/programs" || exit
. "$source/validate/tests/build/programs.sh" || exit
"$build/reference-numbers" 1802 0 0 1000 >expected

# --- Twice the same ---
for copy in one 'another folder'; do
    mkdir "$SCRATCH/$copy"
    git -C "$source" archive HEAD | tar -C "$SCRATCH/$copy" -xf -
    ok "a build in the folder '$copy'" make -s -j2 -C "$SCRATCH/$copy" install CUDA=0 PREFIX=/usr \
        DESTDIR="$SCRATCH/$copy.root"
done
diff -r "$SCRATCH/one.root" "$SCRATCH/another folder.root" >"$SCRATCH/log" 2>&1
report $? '... is the same to the byte'
# In the libraries as they are linked into programs, and in Fortran's module.
grep -rlF "$SCRATCH" "$SCRATCH/one.root" >"$SCRATCH/log"
report $((!$?)) '... and names no folder of this machine'

# --- As a part of a CMake project ---
if command -v cmake >/dev/null; then
    # By a link: from where it leads, the way to the build folder is another one.
    mkdir "$SCRATCH/deeper" && ln -s "$SCRATCH/another folder" "$SCRATCH/deeper/link"
    cmake_builds FetchContent -DFETCH="$SCRATCH/deeper/link" -DCMAKE_EXE_LINKER_FLAGS=-fno-lto
    ok '... in the build folder of CMake' test -n \
        "$(find "$SCRATCH/programs" -path '*/make/libgpuranmar.a')"
fi

# uses PACKAGES LIBDIR: the programs build against what lies there. (install.t has
# pkg-config.)
uses() {
    local packages=$1 lib=$2
    cmake_builds "$packages" -Dgpuranmar_DIR="$lib/cmake/gpuranmar" \
        -DCMAKE_EXE_LINKER_FLAGS=-fno-lto
}

# --- Debian's packages ---
if needs "Debian's packages" dpkg-buildpackage dh; then
    # As an ordinary user, who writes nothing outside the folders given; the tests run elsewhere.
    git clone -q --no-local --depth 1 "file://$source" "$SCRATCH/user/source"
    mkdir "$SCRATCH/user/tmp"
    as_user=()
    if [ "$(id -u)" = 0 ] && id nobody >/dev/null && command -v runuser >/dev/null; then
        as_user=(runuser -u nobody --)
        chmod 755 "$SCRATCH" && chown -R nobody "$SCRATCH/user"
    fi
    touch "$SCRATCH/before"
    (cd "$SCRATCH/user" && "${as_user[@]}" env TMPDIR="$SCRATCH/user/tmp" HOME="$SCRATCH/user" \
        DEBFULLNAME=Tester DEBEMAIL=tester@example.org DEB_BUILD_OPTIONS='parallel=2 nocheck' \
        source/scripts/packaging/build-deb) >"$SCRATCH/built" 2>&1
    status=$?
    grep -A 20 '[*][*][*]' "$SCRATCH/built" >"$SCRATCH/log"
    report $status 'build-deb'
    if [ ${#as_user[@]} != 0 ]; then
        find /tmp /var/tmp /dev/shm /run -user nobody -newer "$SCRATCH/before" \
            ! -path "$SCRATCH/user*" >"$SCRATCH/log" 2>/dev/null # where anybody may write
        [ ! -s "$SCRATCH/log" ]
        report $? '... writes nothing elsewhere'
    fi
    for package in "$SCRATCH"/user/source/build-packages/deb/*.deb; do
        dpkg-deb -x "$package" "$SCRATCH/deb"
    done
    uses "Debian's packages" "$(dirname "$SCRATCH"/deb/usr/lib/*/libgpuranmar.so)"
    if command -v lintian >/dev/null; then
        lintian "$SCRATCH"/user/source/build-packages/deb/*.changes >"$SCRATCH/log" 2>&1
        report $? 'lintian finds no error'
    fi
fi

finish
