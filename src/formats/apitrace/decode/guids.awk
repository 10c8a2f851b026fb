# SPDX-License-Identifier: MIT
# guids.awk GUIDS.TSV: writes the table of guid.h. Rows are sorted by their identifier.
BEGIN {
    FS = "\t"
    print "/* Made by guids.awk from guids.tsv. */"
    print "#include \"formats/apitrace/decode/literals.h\"\n"
    print "const struct apitrace_guid_row apitrace_guid_rows[] = {"
}
/^#/ { next }
{
    if ($1 <= last || length($1) != 36) {
        print "guids.awk: " $1 " is out of order" > "/dev/stderr"
        exit 1
    }
    last = $1
    printf "    {{0x%s, 0x%s, 0x%s, {", substr($1, 1, 8), substr($1, 10, 4), substr($1, 15, 4)
    tail = substr($1, 20, 4) substr($1, 25)
    for (i = 0; i < 8; i++)
        printf "%s0x%s", i ? ", " : "", substr(tail, 2 * i + 1, 2)
    printf "}}, \"%s\"},\n", $2
}
END {
    print "};"
    print "const size_t apitrace_guid_count ="
    print "    sizeof(apitrace_guid_rows) / sizeof(apitrace_guid_rows[0]);"
}
