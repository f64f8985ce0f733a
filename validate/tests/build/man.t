#!/bin/bash
# The manual pages have every function of the headers and every option of the tools. (`installed`
# checks that they are well formed.) The user guide has the table of settings.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
BUILD=${BUILD:-build}

# page NAME.SECTION: the page as a terminal would show it, in one column of words.
page() {
    mandoc -Tascii -O width=200 "$BUILD/man/$1" | sed 's/.\x08//g'
}
all_need mandoc

# has PAGE WHAT WORDS...: the page has all these words.
has() {
    local page=$1 what=$2
    shift 2
    page "$page" >"$SCRATCH/page"
    printf '%s\n' "$@" | while read -r word; do
        grep -qw -e "$word" "$SCRATCH/page" || echo "$page does not tell of $word"
    done >"$SCRATCH/log"
    [ $# -gt 2 ] && [ ! -s "$SCRATCH/log" ]
    report $? "$page: $what"
}
has gpuranmar.3 'every function' \
    $(grep -oE '\bgpuranmar_[a-z_]+\(' csrc/include/gpuranmar.h | tr -d '(' | sort -u)
has gpuranmar_fortran.3 'every routine, and what CHOPT may be' RMMAR RMMAQ RM48 RM48IN RM48UT \
    "'S'" "'R'" "'RV'" "'SV'" $(sed -n 's/^   public :: \(\(rmm\|grn\|gpuranmar_\(stream_\|init\|version\)\).*\)/\1/p' \
        fortran/gpuranmar.f90 | tr -d ' ' | tr , '\n' | sed '/^\(rmm\|grn\)/s/.*/\U&/')
has gpuranmar.3 'every constant' \
    $(grep -oE '\bGPURANMAR_[A-Z_]+\b' csrc/include/gpuranmar.h |
        grep -vx 'GPURANMAR_\(API\|H\)' | sort -u)
for header in csrc/include/gpuranmar_engine.h opencl/include/gpuranmar_opencl.h \
    cuda/include/gpuranmar_cuda.h; do
    name=$(basename "$header" .h)
    [ ! -e "$BUILD/man/$name.3" ] || has "$name.3" 'every function' \
        $(grep -oE "\\b${name}_[a-z_]+\(" "$header" | tr -d '(' | sort -u)
done
page gpuranmar-compare-profiles.1 | grep -q '^ *gpuranmar-compare-profiles \[-h\]'
report $? 'the synopsis of gpuranmar-compare-profiles has its installed name'
"$BUILD/gpuranmar" info --settings >"$SCRATCH/settings"
has gpuranmar.7 'every setting' $(grep -o '^| `[^`]*' "$SCRATCH/settings" | cut -c4-)
sed -n '/^| variable | values/,/^$/p' docs/user-guide.md | sed '$d' >"$SCRATCH/guide"
ok 'the user guide: the settings as info --settings has them' \
    diff "$SCRATCH/guide" "$SCRATCH/settings"
has gpuranmar-families.7 'every family' \
    $(sed -n 's/^FAMILY("\([^"]*\).*/\1/p' csrc/families/families.def)
awk -v as=table -f csrc/families/families.awk csrc/families/families.def >"$SCRATCH/families"
sed -n '/^| `NAME`/,/^$/p' csrc/families/README.md | sed '$d' >"$SCRATCH/guide"
ok 'the page on families: the table as families.def has it' \
    diff "$SCRATCH/guide" "$SCRATCH/families"
for tool in corsika-patch/gpuranmar-patch scripts/compare-profiles; do
    name=gpuranmar-${tool##*/}
    has "${name/gpuranmar-gpuranmar/gpuranmar}.1" 'every option' \
        $("$tool" --help | grep -oE -- '--[a-z-]+' | sort -u)
done
# Every tool, and every part of one, says the version.
version=$("$BUILD/gpuranmar" --version)
{
    for tool in csrc/command/gpuranmar-* corsika-patch/gpuranmar-patch scripts/compare-profiles; do
        "$tool" --version
    done
    "$BUILD/gpuranmar" seeds --version
    "$BUILD/gpuranmar" --help | sed -n 's/^  \([a-z-]\{1,\}\( [a-z]\{1,\}\)\{0,1\}\)  .*/\1/p' |
        while read -r words; do
            "$BUILD/gpuranmar" $words --version
        done
} >"$SCRATCH/said" 2>&1
{ [ "$(wc -l <"$SCRATCH/said")" = 13 ] && ! grep -vFx "$version" "$SCRATCH/said"; } >"$SCRATCH/log"
report $? '--version of every tool'
# The command's page has a heading for each subcommand, or for each part of one; those that are
# programs of their own have pages of their own.
"$BUILD/gpuranmar" --help | sed -n 's/^  \([a-z-]\{1,\}\) .*/\1/p' | while read -r name; do
    [ -f "$BUILD/man/gpuranmar-$name.1" ] || page gpuranmar.1 | grep -qix "$name.*" ||
        echo "gpuranmar.1 has no heading $name"
done >"$SCRATCH/log"
[ ! -s "$SCRATCH/log" ]
report $? 'gpuranmar.1: every subcommand'

# What documents link to, and the paths that documents and comments name, are there.
if git rev-parse -q --verify HEAD >"$SCRATCH/log" 2>&1; then
    {
        git ls-files '*.md' | while read -r file; do
            grep -oP '\]\(\K[^)# :]+(?=[)#])' "$file" | while read -r to; do
                [ -e "$(dirname "$file")/$to" ] || echo "$file links to $to"
            done
        done
        git grep -noP '(?<![\w/.-])(validate|scripts|csrc|cuda|fortran|examples|docs|corsika-patch)/[\w./-]+\.(md|t|c|h|py|mk|cu|cuh|f90|F90|awk|svg|plan|def)\b' \
            -- . ':!CHANGELOG.md' | while IFS=: read -r file line path; do
            [ -e "$path" ] || [ -e "csrc/$path" ] || [ -e "$(dirname "$file")/$path" ] ||
                [[ $path == */NAME.* ]] || echo "$file:$line: $path"
        done
    } >"$SCRATCH/log"
    [ ! -s "$SCRATCH/log" ]
    report $? 'documents and comments name files that are there'
else
    skip 'documents and comments name files that are there' 'this is no git repository'
fi
finish
