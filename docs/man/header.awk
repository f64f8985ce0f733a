# Writes the manual page of a header, which is its one source, as gpuranmar(3):
#
#   awk -v about=WORDS -v library=WORDS -f docs/man/mdoc.awk -f docs/man/header.awk csrc/include/gpuranmar.h
#
# A comment at the beginning of a line becomes text. The declarations after it are copied. Lines for
# the preprocessor or the formatter are left out.

NR == 1 {
    header = FILENAME
    sub(/.*[/]/, "", header)
    name = header
    sub(/[.]h$/, "", name)
    begin_page(name, 3, about)
    print ".Sh LIBRARY"
    print library
    print ".Sh SYNOPSIS"
    print ".In " header
    print ".Sh DESCRIPTION"
}
/^#(ifndef|ifdef|if|else|endif|include)|^#define (GPURANMAR_(OPENCL_)?H$|GPURANMAR_API|CL_)/ { next }
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
    # A second line of arguments keeps its place below the first.
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
