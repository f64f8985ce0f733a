# What the other scripts share: text as mdoc, the language of manual pages.

function escaped(line) {
    gsub(/\\/, "\\e", line)
    return line ~ /^[.']/ ? "\\&" line : line
}

# Begins a page; `about` is a few words.
function begin_page(name, section, about) {
    print ".Dd November 22, 2026"
    print ".Dt " toupper(name) " " section
    print ".Os"
    print ".Sh NAME"
    print ".Nm " name
    print ".Nd " about
}

# A line that is copied, and the end of such lines.
function show_literal(line) {
    if (!literal)
        print ".Bd -literal -offset 2n"
    literal = 1
    print escaped(line)
}
function end_literal() {
    if (literal)
        print ".Ed"
    literal = 0
}

# A line of text. Indented lines are copied, the others are filled. An empty line ends a paragraph.
function show_text(line) {
    if (line ~ /^ /)
        show_literal(line)
    else {
        end_literal()
        if (line != "" && after_empty)
            print ".Pp"
        if (line != "")
            print escaped(line)
    }
    after_empty = line == ""
}
