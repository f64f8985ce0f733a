# Reads families.def. With -v as=table it prints the table of README.md, from which
# docs/man/gpuranmar-families.awk makes the manual page. With -v as=flags it prints a line for each row, for
# rules.mk: the family's name, its sources, and the macros that the row gives them. A ~ separates
# these three, and one macro from the next. A comma separates sources.

function calls_quoted(calls) {
    if (calls ~ /^C /)
        return calls
    gsub(/(U = )?[A-Za-z0-9_]+\([^)]*\)/, "`&`", calls)
    return calls
}

BEGIN {
    if (as == "table")
        print "| `NAME` | calls | types | words | a zero becomes | who has it | state |\n" \
              "|---|---|---|---|---|---|---|"
}
/^FAMILY\(/ { row = "" }
{ row = row $0 }
/"\)$/ {
    gsub(/"  +"/, "", row)
    split(row, field, "\"")
    name = field[2]; calls = field[4]; types = field[6]; words = field[8]
    zero = field[10]; who = field[12]; state = field[14]; sources = field[16]
    if (as == "flags")
        flags()
    else if (as == "table")
        print "| `" name "` | " calls_quoted(calls) " | " types " | " words " | " zero " | " who \
              " | " state " |"
}
function flags(    flag, n, call, i, role, routine, arguments, block) {
    flag = "-DFAMILY_" name " -DFAMILY=" name
    gsub(/U = /, "=", calls)
    n = split(calls, call, " ")
    for (i = 1; i <= 3 && i <= n; ++i) {
        role = i == 1 ? "DRAW" : i == 2 ? "START" : "STATUS"
        routine = call[i]
        gsub(/^=|\(.*/, "", routine)
        flag = flag " -D" role "=" tolower(routine) "_ -D" role "_NAME=" toupper(routine)
    }
    arguments = call[2]
    flag = flag " -DSEEDS=" gsub(/,/, "", arguments) + 1
    flag = flag " -D" (call[1] ~ /^=/ ? "FUNCTION" : call[1] ~ /,/ ? "ARRAY" : "ONE")
    flag = flag " -DNUMBER=" (types ~ /^REAL/ ? "float" : "double")
    flag = flag " -DFLAVOUR=GPURANMAR_" (words ~ /^24/ ? "SINGLE" : "DOUBLE")
    zero = zero == "kept" ? "KEEP" : zero == "redrawn" ? "REDRAW" : "U2"
    flag = flag " -DZERO=GPURANMAR_ZERO_" zero
    flag = flag " '-DSTATES="
    n = split(state, block, " ")
    for (i = 1; i <= n && state !~ /kept up/; ++i)
        if (gsub(/\//, "", block[i]))
            flag = flag "S(" tolower(block[i]) "_," block[i] ")"
    gsub(/ /, "~", flag)
    gsub(/ /, ",", sources)
    print name "~" sources "~" flag "'"
}
