# classes.awk CLASSES.TSV: writes the table of classes.h. Rows are sorted by name already.
BEGIN {
    FS = "\t"
    print "/* Made by classes.awk from classes.tsv. */"
    print "#include \"formats/apitrace/decode/classes.h\"\n"
    print "const struct apitrace_class_row apitrace_class_rows[] = {"
    letters = "VNETRM+-"
}
/^#/ { next }
{
    if ($1 <= last) {
        print "classes.awk: " $1 " is out of order" > "/dev/stderr"
        exit 1
    }
    last = $1
    bits = 0
    for (i = 1; i <= length($2); i++) {
        place = index(letters, substr($2, i, 1))
        if (place == 0) {
            print "classes.awk: " $1 " has a letter that is none" > "/dev/stderr"
            exit 1
        }
        bits += 2 ^ (place - 1)
    }
    printf "    {\"%s\", %d},\n", $1, bits
}
END {
    print "};"
    print "const size_t apitrace_class_count ="
    print "    sizeof(apitrace_class_rows) / sizeof(apitrace_class_rows[0]);"
}
