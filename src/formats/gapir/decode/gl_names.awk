# SPDX-License-Identifier: MIT
# gl_registry.awk gl_names.awk TABLE.TSV... [GL.XML]: writes the tables of gl_names.h from Khronos'
# registry, for the functions in the TSV tables: the group of constants to which an argument
# belongs, and the number of elements to which it points. Without the registry the tables are empty.
BEGIN {
    FS = "\t"
    RESULT = 255
    groups = 1 # group 0: constants that are identified by their value alone
    print "/* Made by gl_names.awk from Khronos' gl.xml (Apache-2.0). */"
    print "#include \"formats/gapir/decode/gl_names.h\"\n"
}

FILENAME ~ /\.tsv$/ {
    if ($4 ~ /^gl/)
        known[$4] = 1
    next
}

function group_number(name) {
    if (!(name in group))
        group[name] = groups++
    return group[name]
}

function add_constant(number, value, name) {
    key = sprintf("%5d, 0x%s", number, value)
    if (!(key in constants) || (is_vendors(constants[key]) && !is_vendors(name)))
        constants[key] = name
}

function padded(value) {
    value = toupper(value)
    while (length(value) < 8)
        value = "0" value
    return value
}

/<enums / { is_plain = $0 !~ /type="bitmask"/ && $0 !~ /group="SpecialNumbers"/ }
/<enum / && /value=/ {
    value = attribute($0, "value")
    name = attribute($0, "name")
    if (value ~ /^[0-9]+$/ && length(value) < 9)
        value = sprintf("0x%X", value)
    if (value !~ /^0x[0-9A-Fa-f]+$/ || length(value) > 10)
        next
    value = padded(substr(value, 3))
    if (is_plain && value > "000000FF")
        add_constant(0, value, name)
    count = split(attribute($0, "group"), list, ",")
    for (n = 1; n <= count; n++)
        add_constant(group_number(list[n]), value, name)
}

# Sets what is known of an argument. A pointer's elements are known if a number, an argument, or
# both count them.
function tell(argument, line, type, of, length_told, parts, bare) {
    of = attribute(line, "group")
    type = content(line, "ptype")
    length_told = attribute(line, "len")
    bare = line
    gsub(/"[^"]*"/, "", bare)
    pointed[argument] = bare ~ /\*/
    kind[argument] = "GAPIR_GL_PLAIN"
    if (pointed[argument])
        kind[argument] = type == "GLfloat" ? "GAPIR_GL_FLOATS" : type == "GLint" ? "GAPIR_GL_INTS" : \
            type == "GLuint" ? "GAPIR_GL_UINTS" : type == "GLenum" ? "GAPIR_GL_ENUMS" : "GAPIR_GL_PLAIN"
    if (bare ~ /\*.*\*/)
        kind[argument] = type == "GLchar" && bare ~ /const/ ? "GAPIR_GL_STRINGS" : "GAPIR_GL_PLAIN"
    else if (bare !~ /const/ && function_name !~ /^glGen/)
        kind[argument] = "GAPIR_GL_PLAIN"
    counted[argument] = ""
    factor[argument] = 1
    split(length_told, parts, "*")
    if (length_told ~ /^[0-9]+$/)
        factor[argument] = length_told
    else if (length_told ~ /^[a-z_A-Z]+(\*[0-9]+)?$/)
        counted[argument] = parts[1]
    else
        kind[argument] = pointed[argument] ? "GAPIR_GL_PLAIN" : kind[argument]
    if (parts[2] != "")
        factor[argument] = parts[2]
    member[argument] = type == "GLenum" || type == "GLbitfield" || of == "InternalFormat" ? \
        (of == "" ? 0 : group_number(of)) : -1
}

/<commands / { in_commands = 1 }
/<\/commands>/ { in_commands = 0 }
in_commands && /<command>/ { arguments = 0; function_name = "" }
in_commands && /<proto/ {
    function_name = content($0, "name")
    tell(RESULT, $0)
}
in_commands && /<param/ {
    names[arguments] = content($0, "name")
    tell(arguments++, $0)
}
in_commands && /<\/command>/ && (function_name in known) {
    for (n = 0; n < arguments; n++)
        add_parameter(n)
    add_parameter(RESULT)
}

function add_parameter(n, by, i) {
    if (pointed[n] && kind[n] == "GAPIR_GL_PLAIN")
        return
    if (member[n] < 0 && !pointed[n])
        return
    by = 0
    for (i = 0; i < arguments && counted[n] != ""; i++)
        if (names[i] == counted[n])
            by = i + 1
    if (counted[n] != "" && by == 0)
        return
    rows[++row_count] = sprintf("    {\"%s\", %3d, %s, %d, %d, %d},", function_name, n, kind[n], by, \
                                factor[n], member[n] < 0 ? 0 : member[n])
}

END {
    print "const struct gapir_gl_constant gapir_gl_constants[] = {"
    fflush()
    for (key in constants) {
        print "    {" key ", \"" constants[key] "\"}," | "LC_ALL=C sort"
        constant_count++
    }
    if (constant_count > 0)
        close("LC_ALL=C sort")
    else
        print "    {0, 0, \"\"},"
    print "};"
    print "const size_t gapir_gl_constant_count = " constant_count + 0 ";"
    print "const struct gapir_gl_parameter gapir_gl_parameters[] = {"
    fflush()
    for (n = 1; n <= row_count; n++)
        print rows[n] | "LC_ALL=C sort "
    if (row_count > 0)
        close("LC_ALL=C sort ")
    else
        print "    {\"\", 0, GAPIR_GL_PLAIN, 0, 0, 0},"
    print "};"
    print "const size_t gapir_gl_parameter_count = " row_count + 0 ";"
}
