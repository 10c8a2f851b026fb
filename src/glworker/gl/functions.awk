# SPDX-License-Identifier: MIT
# functions.awk LENGTHS.TSV GL.XML: writes the table of functions.h, from OpenGL's registry and
# from what lengths.tsv adds about lengths. In the registry, each element of a command is on a
# line of its own. With -v strict=1, a pointer of unknown length and a row of lengths.tsv that
# matches nothing are errors; without it, a newer registry can still be used.
BEGIN {
    table_rows = unknowns = 0
    split("void:VOID GLubyte:U8 GLboolean:U8 GLbyte:I8 GLchar:I8 GLcharARB:I8 GLshort:I16 " \
        "GLushort:U16 GLhalfNV:U16 GLint:I32 GLsizei:I32 GLfixed:I32 GLclampx:I32 " \
        "GLuint:U32 GLenum:U32 GLbitfield:U32 GLhandleARB:U32 GLfloat:F32 GLclampf:F32 " \
        "GLdouble:F64 GLclampd:F64 GLintptr:I64 GLintptrARB:I64 GLsizeiptr:I64 " \
        "GLsizeiptrARB:I64 GLint64:I64 GLint64EXT:I64 GLuint64:I64 GLuint64EXT:I64 " \
        "GLvdpauSurfaceNV:I64 GLsync:I64", pairs, " ")
    for (i in pairs) {
        split(pairs[i], pair, ":")
        types[pair[1]] = pair[2]
    }
    print "/* Made by functions.awk from Khronos' gl.xml (Apache-2.0). */"
    print "#include \"glworker/gl/functions.h\"\n"
    print "#define P (const struct retrace_parameter[])"
    print "#define IN RETRACE_IN"
    print "#define OUT RETRACE_OUT"
    print "#define COUNTED RETRACE_LENGTH_COUNTED"
    print "const struct retrace_function retrace_functions[] = {"
    fflush()
}

# Returns the value of an attribute in the line's first tag, or "" if it has none.
function attribute(line, name,   tag) {
    tag = substr(line, 1, index(line, ">"))
    if (!match(tag, " " name "=\"[^\"]*\""))
        return ""
    return substr(tag, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
}

function between(line, from, to,   rest) {
    if (!index(line, from))
        return ""
    rest = substr(line, index(line, from) + length(from))
    return substr(rest, 1, index(rest, to) - 1)
}

# Returns enum retrace_type of a declaration, without its stars; handles and callbacks are addresses.
function type_of(line,   type) {
    type = between(line, "<ptype>", "</ptype>")
    if (type == "" && line ~ /void/)
        type = "void"
    return "RETRACE_" ((type in types) ? types[type] : "I64")
}

# Returns enum retrace_names. Assembly programs and GLSL programs have separate name spaces.
function names_of(line, of,   class) {
    class = attribute(line, "class")
    if (class == "" && between(line, "<ptype>", "</ptype>") == "GLhandleARB")
        class = "program"
    if (class == "program" && function_name ~ /^gl(Bind|Delete|Gen|Is)Programs?(ARB|NV)$/)
        class = "assembly"
    if (class == "shader")
        class = "program"
    gsub(/ /, "_", class)
    return class == "" ? 0 : "RETRACE_" toupper(class)
}

/<command>/ { count = 0; row = ""; function_name = "" }
/<proto/ {
    function_name = between($0, "<name>", "</name>")
    result_stars = gsub(/\*/, "*")
    result = result_stars > 0 ? "RETRACE_I64" : type_of($0)
    result_names = names_of($0)
}
/<param/ {
    line = $0
    tag = substr(line, 1, index(line, ">"))
    body = substr(line, index(line, ">") + 1)
    declared = body
    sub(/<name>.*/, "", declared)
    copy = declared
    stars = gsub(/\*/, "", copy)
    way = stars == 0 ? "0" : (declared ~ /const/ ? "IN" : "OUT")
    if (stars > 1)
        way = declared ~ /const/ ? "RETRACE_IN_POINTERS" : "RETRACE_OUT_POINTERS"
    line_type[count] = type_of(declared)
    line_way[count] = way
    line_names[count] = names_of(line)
    line_length[count] = attribute(line, "len")
    place[between(body, "<name>", "</name>")] = count
    named[count] = between(body, "<name>", "</name>")
    count++
}

# Reads the rows of lengths.tsv, which is the first file.
FILENAME ~ /\.tsv$/ {
    if ($0 ~ /^#/)
        next
    split($0, columns, "\t")
    for (i = 1; i <= 4; i++)
        table[table_rows, i] = columns[i]
    table_rows++
    next
}

# Returns the fourth column of the first row that matches, or "" if none does.
function table_length(argument, registry,   i) {
    for (i = 0; i < table_rows; i++)
        if (function_name ~ ("^(" table[i, 1] ")$") && argument ~ ("^(" table[i, 2] ")$") &&
            registry ~ ("^(" table[i, 3] ")$")) {
            fits[i] = 1
            return table[i, 4]
        }
    return ""
}

# Returns a number of elements as: argument + 1, or 0 for a constant; factor; divisor. Returns "" if
# the text is no number of elements.
function product_of(text,   parts, n) {
    if (text ~ /^[0-9]+$/)
        return "0, " text ", 1"
    if (text ~ /^[A-Za-z]+$/ && (text in place) && named[place[text]] == text)
        return (place[text] + 1) ", 1, 1"
    n = split(text, parts, /[ ]*[*\/][ ]*/)
    if (n == 2 && parts[2] ~ /^[0-9]+$/ && (parts[1] in place))
        return (place[parts[1]] + 1) ", " (text ~ /\*/ ? parts[2] ", 1" : "1, " parts[2])
    return ""
}

# Returns the members of struct retrace_parameter that follow `names`, for a pointer.
function length_of(argument, registry,   text, null, product) {
    text = table_length(argument, registry)
    null = sub(/\?$/, "", text)
    if (text ~ /^(text|few|rule|left|none)$/)
        return "RETRACE_LENGTH_" toupper(text) ", 0, 0, 0, 0"
    product = product_of(text == "" ? registry : text)
    if (product != "")
        return "COUNTED, " product ", " null
    unknown[function_name "(" argument ")"] = registry
    unknowns++
    return "RETRACE_LENGTH_UNKNOWN, 0, 0, 0, 0"
}

/<\/command>/ && function_name != "" {
    row = ""
    for (i = 0; i < count; i++)
        row = row (i ? ", " : "") "{" line_type[i] ", " line_way[i] ", " line_names[i] ", " \
            (line_way[i] == "0" ? "0, 0, 0, 0, 0" : length_of(named[i], line_length[i])) "}"
    row = "    {\"" function_name "\", " result ", " result_names ", " count ", " \
        (count ? "P{" row "}" : "NULL") "},"
    for (i in place)
        delete place[i]
    if (function_name in seen)
        next
    seen[function_name] = 1
    print row | "LC_ALL=C sort"
    rows++
}
END {
    close("LC_ALL=C sort")
    if (rows < 1000) {
        print "functions.awk: this is not gl.xml" > "/dev/stderr"
        exit 1
    }
    for (i in unknown)
        print "functions.awk: nothing is known of the length of " i ": " unknown[i] > "/dev/stderr"
    for (i = 0; i < table_rows; i++)
        if (!(i in fits)) {
            print "functions.awk: a row of lengths.tsv fits nothing: " table[i, 1] > "/dev/stderr"
            unknowns++
        }
    if (strict && unknowns)
        exit 1
    print "};"
    print "const size_t retrace_function_count ="
    print "    sizeof(retrace_functions) / sizeof(retrace_functions[0]);"
}
