# SPDX-License-Identifier: MIT
# gl_calls.awk GL_CALLS.TSV: writes the table of gl_calls.h. Rows are sorted by name already.
BEGIN {
    FS = "\t"
    print "/* Made by gl_calls.awk from gl_calls.tsv. */"
    print "#include \"formats/apitrace/decode/gl_calls.h\"\n"
    print "const struct apitrace_gl_call apitrace_gl_calls[] = {"
    letters = "VNETRM+-G"
}

function complain(what) {
    print "gl_calls.awk: " $1 " " what > "/dev/stderr"
    exit failed = 1
}

function bits_of(word,   bits, i, place) {
    if (word == "-") # a class of "-" means none
        return 0
    for (i = 1; i <= length(word); i++) {
        place = index(letters, substr(word, i, 1))
        if (place == 0)
            complain("has an unknown letter")
        bits += 2 ^ (place - 1)
    }
    return bits
}

function numbers_of(list) {
    gsub(/R/, "APITRACE_RESULT", list)
    return list == "-" ? "0" : list
}

/^#/ { next }
$1 <= last { complain("is out of order") }
NF != 5 { complain("has not five columns") }
{
    last = $1
    colon = index($5, ":")
    key = colon ? substr($5, 1, colon - 1) : $5
    printf "    {\"%s\", %d, APITRACE_%s, APITRACE_STATE_%s, %s, {%s}},\n", $1, bits_of($2),
        $3 == "-" ? "SEMANTIC_NONE" : $3, colon ? toupper(substr($5, colon + 1)) : "PLAIN",
        key == "-" ? "NULL" : "\"" key "\"", numbers_of($4)
}
END {
    if (failed)
        exit 1
    print "};"
    print "const size_t apitrace_gl_call_count ="
    print "    sizeof(apitrace_gl_calls) / sizeof(apitrace_gl_calls[0]);"
}
