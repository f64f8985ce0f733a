# Writes the manual page of a tool from what it says to --help, which is its one source:
#
#   TOOL --help | awk -v name=NAME -v about='A FEW WORDS' -f docs/man/mdoc.awk -f docs/man/help.awk
#
# The usage is the synopsis, what follows it the description; "options:" and the like are headings.

BEGIN { begin_page(name, 1, about) }
/^usage: / {
    end_literal()
    print usages++ ? ".Sh SUBCOMMAND" : ".Sh SYNOPSIS"
    in_usage = 1
}
in_usage && /^$/ {
    end_literal()
    if (usages == 1)
        print ".Sh DESCRIPTION"
    in_usage = after_empty = 0
    next
}
in_usage {
    sub(/^usage: /, "       ")
    show_literal(substr($0, 6))
    next
}
/^[a-z ]+:$/ {
    end_literal()
    print ".Sh " toupper(substr($0, 1, length($0) - 1))
    after_empty = 0
    next
}
{ show_text($0) }
END {
    end_literal()
    print ".Sh SEE ALSO"
    print ".Xr gpuranmar 3 ,"
    print ".Xr gpuranmar 7"
}
