# Writes gpuranmar(7): docs/man/gpuranmar.mdoc with the settings, as `gpuranmar info --settings` has
# them, in place of its line "settings":
#
#   gpuranmar info --settings | awk -f docs/man/mdoc.awk -f docs/man/settings.awk - docs/man/gpuranmar.mdoc

BEGIN { FS = " *[|] *" }
/^\| `/ {
    gsub(/`/, "")
    settings = settings ".It Ev " $2 "\n" escaped($3) ".\n" escaped(toupper(substr($6, 1, 1)) \
        substr($6, 2)) ".\nDefault: " $4 ".\nApplies to " $5 ".\n"
}
/^settings$/ { printf "%s", settings; next }
FILENAME != "-" && FILENAME != ""
