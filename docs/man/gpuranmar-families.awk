# Writes gpuranmar-families(7) from the table that csrc/families/families.awk prints:
#
#   ... | awk -f docs/man/mdoc.awk -f docs/man/gpuranmar-families.awk

BEGIN {
    FS = " *[|] *"
    begin_page("gpuranmar-families", 7, "libraries for RANMAR programs with other names than RMMARD")
    print ".Sh DESCRIPTION"
    print "RANMAR programs differ in names and argument lists."
    print "Each of these libraries has those of one family."
    print "Remove the source of the original, and link with the library:"
    print ".Pp"
    print ".Dl $(pkg-config --libs gpuranmar-NAME)"
    print ".Pp"
    print ".Nm gpuranmar which Ar SOURCES"
    print "says which library a program needs, and whether an executable has it."
    print "Each entry lists the routines, types and bits of the numbers, what becomes of a zero,"
    print "which programs have the routines, and where the original keeps its state."
    print ".Bl -tag -width pythia6"
}
/^\| `/ && !/`NAME`/ {
    gsub(/`/, "")
    print ".It Sy " $2
    print escaped($3) "."
    print escaped($4 ", " $5 " bits; a zero " ($6 ~ /^kept|^redrawn/ ? "is " : "becomes ") $6 ".")
    print escaped($7 ($8 == "" ? "." : "; " $8 "."))
}
END {
    print ".El"
    print ".Sh SEE ALSO"
    print ".Xr gpuranmar-which 1 ,"
    print ".Xr gpuranmar 7"
}
