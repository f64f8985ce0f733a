# What the scripts of this folder source: -h or --help prints the comment at the head of the script.
case ${1-} in
-h | --help)
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
    exit
    ;;
esac
unset CDPATH # by which `cd scripts/..` would find another folder
# needs PROGRAM...: if one is not found, a line names it and the script ends.
needs() {
    local program
    for program; do
        type -P "$program" >/dev/null && continue
        echo "${0##*/}: $program is not found" >&2
        exit 2
    done
}
