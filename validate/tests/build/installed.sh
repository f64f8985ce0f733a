# use_installed ROOT PREFIX LIBDIR INCLUDEDIR: makes the tests of the script `installed` in a new
# folder. The sources and the build folder are hidden from the tests, to find files that were not
# installed, unless this user may not mount.
use_installed() {
    local use=$SCRATCH/use hide=(env) by
    for by in '--map-root-user --mount' --mount; do
        unshare $by true 2>/dev/null && hide=(unshare $by)
    done
    mkdir -p "$use/shower" && cp -r validate/tests/{tap.sh,build/installed} examples csrc/python "$use"
    cp examples/shower/*.{F,inc} fortran/reference/{rmmard.F,crranma.inc} "$use/shower"
    HIDDEN=${hide[1]+"$(realpath "${BUILD:-build}") $PWD"} SOURCE=$PWD "${hide[@]}" bash -c '
        for folder in $HIDDEN; do mount -t tmpfs none "$folder" || exit; done
        cd "$1" && exec ./installed "${@:2}"' - "$use" "$@" >"$SCRATCH/used"
    awk -v n="$TAP_COUNT" '/^(not )?ok/ {sub(/ok [0-9]+/, "ok " ++n)} !/^1[.][.]/' "$SCRATCH/used"
    TAP_COUNT=$((TAP_COUNT + $(grep -cE '^(not )?ok' "$SCRATCH/used")))
    TAP_FAILED=$((TAP_FAILED + $(grep -c '^not ok' "$SCRATCH/used")))
    ok 'all that is installed was used' grep -q '^1[.][.]' "$SCRATCH/used"
}
