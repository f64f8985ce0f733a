#!/bin/bash
# The packages: Debian's are built from the committed sources, and used as an installed copy; a CMake
# project builds the library as a part of itself; two builds in different folders are the same to the
# byte.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh && . validate/tests/build/installed.sh
all_need "${FC:-gfortran}" "${CXX:-g++}" git
git rev-parse -q --verify HEAD >"$SCRATCH/log" 2>&1 || skip_all 'this is no git repository'
unset MAKEFLAGS MAKELEVEL PERL_TEST_HARNESS_DUMP_TAP # a folder, where nobody may not write

# --- Twice the same, in two folders, at two times ---
for copy in one 'another folder'; do
    mkdir "$SCRATCH/$copy" && git clone -q --no-local --depth 1 "file://$PWD" "$SCRATCH/$copy.git" &&
        (umask 0$((count++))7 && cd "$SCRATCH/$copy.git" && sleep 1.1 && TZ=XYZ$count make -s dist) &&
        tar -C "$SCRATCH/$copy" --strip-components=1 -xf "$SCRATCH/$copy.git"/*.tar.gz
    ok "a build in the folder '$copy'" env -u BUILD make -s -j2 -C "$SCRATCH/$copy" install CUDA=0 \
        PREFIX=/usr DESTDIR="$SCRATCH/$copy.root"
done
same 'make dist' "$SCRATCH/one.git/"*.tar.gz "$SCRATCH/another folder.git/"*.tar.gz
diff -r "$SCRATCH/one.root" "$SCRATCH/another folder.root" >"$SCRATCH/log" 2>&1
report $? 'the builds are the same to the byte'
# In the libraries as they are linked into programs, and in Fortran's module.
grep -rlF "$SCRATCH" "$SCRATCH/one.root" >"$SCRATCH/log"
report $((!$?)) '... and names no folder of this machine'

# hardened ROOT: what is installed there is relocated at its start and read-only then; programs are
# position-independent; stacks are protected and copies checked but in the families, some of which
# have no arrays or copy nothing. The check of indirect jumps (CET) would cost each call.
hardened() {
    local file not
    find "$1/usr" -type f ! -path '*/debug/*' -exec sh -c 'head -c 4 "$1" | grep -q ELF' - {} \; -print | while read -r file; do
        case $file in *libgpuranmar_*.so.*) not='-f -s' ;; *) not= ;; esac
        [[ $file == *_ilp64* ]] && not=
        [[ $file == *.so* ]] && not+=' -p'
        hardening-check --nocfprotection $not "$file" >"$SCRATCH/one.log" || cat "$SCRATCH/one.log"
    done >"$SCRATCH/log" 2>&1
    [ ! -s "$SCRATCH/log" ]
    report $? "programs and libraries are hardened, from ${1##*/}"
}
needs hardening hardening-check && hardened "$SCRATCH/one.root"

# --- As a part of a CMake project ---
if needs FetchContent cmake; then
    # By a link: from where it leads, the way to the build folder is another one.
    mkdir "$SCRATCH/deeper" "$SCRATCH/part" && ln -s "$SCRATCH/another folder" "$SCRATCH/deeper/link"
    cat >"$SCRATCH/part/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.14)
project(user C Fortran)
include(FetchContent)
FetchContent_Declare(gpuranmar SOURCE_DIR ${FETCH})
FetchContent_MakeAvailable(gpuranmar)
foreach(library gpuranmar static ilp64)
    add_executable(${library} ${FETCH}/examples/fixed.f)
    target_link_libraries(${library} gpuranmar::${library})
endforeach()
target_compile_options(ilp64 PRIVATE -fdefault-integer-8)
END
    { env -u BUILD cmake -S "$SCRATCH/part" -B "$SCRATCH/part/build" -DFETCH="$SCRATCH/deeper/link" \
        -DCMAKE_EXE_LINKER_FLAGS=-fno-lto && env -u BUILD cmake --build "$SCRATCH/part/build"; } \
        >"$SCRATCH/log" 2>&1
    report $? 'FetchContent builds the library, in the build folder of CMake'
    for library in gpuranmar static ilp64; do
        ok "... $library" eval "'$SCRATCH/part/build/$library' | grep '^785559 of 1000000 points'"
    done
fi

# --- Debian's packages ---
if needs "Debian's packages" dpkg-buildpackage dh; then
    # As an ordinary user, who writes nothing outside the folders given.
    git clone -q --no-local --depth 1 "file://$PWD" "$SCRATCH/user/source"
    mkdir "$SCRATCH/user/tmp"
    as_user=()
    if [ "$(id -u)" = 0 ] && id nobody >/dev/null && command -v runuser >/dev/null; then
        as_user=(runuser -u nobody --)
        chmod 755 "$SCRATCH" && chown -R nobody "$SCRATCH/user"
    fi
    touch "$SCRATCH/before"
    (cd "$SCRATCH/user" && "${as_user[@]}" env -u BUILD TMPDIR="$SCRATCH/user/tmp" \
        HOME="$SCRATCH/user" DEBFULLNAME=Tester DEBEMAIL=tester@example.org \
        DEB_BUILD_OPTIONS='parallel=2 nocheck' \
        source/scripts/packaging/build-deb) >"$SCRATCH/built" 2>&1
    status=$?
    grep -A 20 '[*][*][*]' "$SCRATCH/built" >"$SCRATCH/log"
    report $status 'build-deb'
    mkdir "$SCRATCH/bin" && ln -s /bin/true "$SCRATCH/bin/dpkg-buildpackage"
    ok 'build-deb without git' env PATH="$SCRATCH/bin:$PATH" "$SCRATCH/one/scripts/packaging/build-deb"
    ok '... takes the same files' diff \
        <(tar -tf "$SCRATCH"/one/build-packages/deb/*.orig.tar.gz | sort) \
        <(tar -tf "$SCRATCH"/user/source/build-packages/deb/*.orig.tar.gz | sort)
    if [ ${#as_user[@]} != 0 ]; then
        find /tmp /var/tmp /dev/shm /run -user nobody -newer "$SCRATCH/before" \
            ! -path "$SCRATCH/user*" >"$SCRATCH/log" 2>/dev/null # where anybody may write
        [ ! -s "$SCRATCH/log" ]
        report $? '... writes nothing elsewhere'
    fi
    [ $status = 0 ] || finish || exit
    for package in "$SCRATCH"/user/source/build-packages/deb/*.deb; do
        dpkg-deb -x "$package" "$SCRATCH/deb"
    done
    needs hardening hardening-check && hardened "$SCRATCH/deb"
    lib=$(dirname "$SCRATCH"/deb/usr/lib/*/libgpuranmar.so)
    use_installed "$SCRATCH/deb" /usr "${lib#"$SCRATCH/deb"}" /usr/include
    if needs lintian lintian; then
        ok 'lintian finds no error and warns of nothing' lintian --fail-on error,warning \
            "$SCRATCH"/user/source/build-packages/deb/*.changes
    fi
fi
finish
