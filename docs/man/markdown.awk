# Writes a manual page from a page of docs, which is its one source:
#
#   awk -v name=NAME -v section=3 -v about=WORDS -f docs/man/mdoc.awk -f docs/man/markdown.awk PAGE.md
#
# Tables become lists: the first column names an item, and the others describe it.

# A line without Markdown's marks; a link keeps its words.
function plain(line) {
    gsub(/`/, "", line)
    while (match(line, /\[[^]]*\]\([^)]*\)/)) {
        link = substr(line, RSTART + 1, RLENGTH - 2)
        sub(/\]\(.*/, "", link)
        line = substr(line, 1, RSTART - 1) link substr(line, RSTART + RLENGTH)
    }
    return line
}
BEGIN { FS = " *[|] *" }
NR == 1 {
    begin_page(name, section, about)
    print ".Sh DESCRIPTION"
    after_empty = 1
    next
}
/^\|/ {
    if (!in_list++)
        print ".Bl -tag -width Ds"
    else if (!/^\|[-|]*$/) {
        row = $3
        for (i = 4; i < NF; ++i)
            row = row == "" ? $i : row ": " $i
        print ".It " plain($2) "\n" escaped(plain(row))
    }
    next
}
/^- / { print (in_list++ ? ".It" : ".Bl -bullet\n.It") }
in_list && sub(/^(- |  )/, "") { print escaped(plain($0)); next }
in_list { print ".El"; in_list = 0; after_empty = 1 }
sub(/^## /, "") { end_literal(); print ".Sh " toupper($0); after_empty = 0; next }
NR == 2 && $0 == "" { next }
{ show_text(/^ / ? $0 : plain($0)) }
END {
    end_literal()
    if (in_list)
        print ".El"
    print ".Sh SEE ALSO\n.Xr gpuranmar 3 ,\n.Xr gpuranmar-families 7 ,\n.Xr gpuranmar 7"
}
