# Prints for each row of the first table of README.md that has sources: the family's name, its
# sources, and the macros that its row gives them, parted by ~, with a comma for each space.
BEGIN { FS = " *[|] *" }
/^\| `/ && $9 ~ /\.(c|cc|f90|F90)/ {
    gsub(/`/, "")
    flags = "-DFAMILY_" $2 " -DFAMILY=" $2
    calls = $3
    gsub(/U = /, "=", calls)
    n = split(calls, call, " ")
    for (i = 1; i <= 3 && i <= n; ++i) {
        kind = i == 1 ? "DRAW" : i == 2 ? "START" : "STATUS"
        name = call[i]
        sub(/^=/, "", name)
        sub(/\(.*/, "", name)
        flags = flags " -D" kind "=" tolower(name) "_ -D" kind "_NAME=" toupper(name)
    }
    shape = call[1] ~ /^=/ ? "FUNCTION" : call[1] ~ /,/ ? "ARRAY" : "ONE"
    flags = flags " -D" shape " -DNUMBER=" ($4 ~ /^REAL/ ? "float" : "double")
    flags = flags " -DFLAVOUR=GPURANMAR_" ($5 ~ /^24/ ? "SINGLE" : "DOUBLE")
    zero = $6 == "kept" ? "KEEP" : $6 == "redrawn" ? "REDRAW" : $6 ~ /U\(2\)/ ? "U2" : "SMALLEST"
    flags = flags " -DZERO=GPURANMAR_ZERO_" zero
    states = ""
    n = split($8, block, " ")
    for (i = 1; i <= n && $8 !~ /kept up/; ++i)
        if (gsub(/\//, "", block[i]))
            states = states "S(" tolower(block[i]) "_," block[i] ")"
    flags = flags " '-DSTATES=" states "'"
    n = split($9, part, " ")
    sources = ""
    for (i = 1; i <= n; ++i)
        if (part[i] ~ /^-D/)
            flags = flags " " part[i]
        else
            sources = sources "," part[i]
    gsub(/ /, "~", flags)
    print $2 "~" substr(sources, 2) "~" flags
}
