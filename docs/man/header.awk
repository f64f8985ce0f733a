# Writes the manual page gpuranmar(3) from csrc/include/gpuranmar.h, which is its one source:
#
#   awk -f docs/man/mdoc.awk -f docs/man/header.awk csrc/include/gpuranmar.h
#
# A comment that begins a line is text; the declarations that follow it are shown below it as they
# stand. What is only for the preprocessor or the formatter is left out.

BEGIN {
    begin_page("gpuranmar", 3, "the RANMAR random number sequence, from C")
    print ".Sh LIBRARY"
    print "libgpuranmar (-lgpuranmar), by pkg-config gpuranmar"
    print ".Sh SYNOPSIS"
    print ".In gpuranmar.h"
    print ".Sh DESCRIPTION"
}
/^#(ifndef|ifdef|if|else|endif|include)|^#define (GPURANMAR_H|GPURANMAR_API)/ { next }
/^extern "C"|^}$|clang-format/ { next }
/^\/\*/ {
    in_text = 1
    after_empty = texts++ > 0
    sub(/^\/\* ?/, "")
}
in_text {
    in_text = !sub(/ *\*\/ *$/, "")
    sub(/^ \* ?/, "")
    show_text($0)
    if (!in_text)
        end_literal()
    next
}
/^$/ { end_literal(); shifted = 0; next }
{
    # A second line of arguments stands as far to the right as the first.
    if (sub(/^GPURANMAR_API /, ""))
        shifted = length("GPURANMAR_API ")
    else if (substr($0, 1, shifted) ~ /^ *$/)
        $0 = substr($0, shifted + 1)
    show_literal("  " $0)
}
END {
    end_literal()
    print ".Sh SEE ALSO"
    print ".Xr gpuranmar 7"
}
