# Makes the module of gpuranmar.f90: of each function whose argument has an assumed rank, `(..)`, and
# of its name in a generic interface, one for each rank from 0 to 7.
BEGIN {
    shape[0] = ""
    shape[1] = "(:)"
    for (rank = 2; rank <= 7; ++rank)
        shape[rank] = "(:," substr(shape[rank - 1], 2)
}
/^      procedure .* ! \(\.\.\)$/ {
    n = split($0, name, /[ ,]+/)
    for (i = 3; i < n - 1; ++i)
        for (rank = 0; rank <= 7; ++rank)
            print "      procedure " name[i] "_" rank
    next
}
/^   integer function/ {
    text = $0
    while (getline > 0 && !/^   end function/)
        text = text "\n" $0
    for (rank = 0; rank <= (text ~ /\(\.\.\)/ ? 7 : -1); ++rank) {
        copy = text
        sub(/\(/, "_" rank "(", copy)
        sub(/\(\.\.\)/, shape[rank], copy)
        if (rank == 0) {
            sub(/, contiguous/, "", copy)
            sub(/size\(out, kind=c_size_t\)/, "1_c_size_t", copy)
        }
        print copy "\n" $0
    }
    if (rank > 0)
        next
    print text
}
{ print }
