# Writes the manual page of a tool from what it says to --help, which is its one source:
#
#   TOOL --help | awk -v name=NAME -v about='A FEW WORDS' -f docs/man/mdoc.awk -f docs/man/help.awk
#
# The usage becomes the synopsis, and the text after it the description. A line such as "options:"
# becomes a heading. The texts of subcommands may follow, each under its name.

# The name of a subcommand by its usage, as SEEDS PLAN.
function subcommand(usage) {
    sub(/^usage: [^ ]+ /, "", usage)
    sub(/ +[^a-z].*/, "", usage)
    return toupper(usage)
}

BEGIN { begin_page(name, 1, about) }
/^usage: / {
    end_literal()
    print ".Sh " (usages++ ? subcommand($0) : "SYNOPSIS")
    in_usage = 1
    # A tool that is installed as gpuranmar-TOOL is shown by that name.
    longer = length(name) - length($2)
    if (longer > 0 && substr(name, longer) == "-" $2)
        sub($2, name)
    else
        longer = 0
    below = 0
    sub(/^usage: /, "       ")
}
in_usage && !/^ / {
    end_literal()
    if (usages == 1)
        print ".Sh DESCRIPTION"
    in_usage = after_empty = 0
}
in_usage {
    sub(/^     /, "")
    show_literal((/^ / ? sprintf("%*s", below, "") : "  ") $0)
    below = longer # later lines move as far to the right
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
