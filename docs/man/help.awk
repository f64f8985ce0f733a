# Writes the manual page of a tool from what it says to --help, which is its one source:
#
#   TOOL --help | awk -v name=NAME -v about='A FEW WORDS' -f docs/man/mdoc.awk -f docs/man/help.awk
#
# The usage is the synopsis, what follows it the description; "options:" and the like are headings.
# What subcommands say may follow: each has a heading of its own, its name.

# The words of a subcommand's usage that name it, as SEEDS PLAN.
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
    # A tool that is installed by a longer name, as gpuranmar-TOOL, is shown by that.
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
    below = longer # the lines after the first keep their places below it
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
