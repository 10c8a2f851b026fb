# SPDX-License-Identifier: MIT
# names.awk RELEASES.TSV: writes the C tables of names.h from the files that
# RELEASES.TSV names, in its folder. Strings, arguments and lists of arguments
# that repeat are written once.

function fail(message) {
    print "names.awk: " message > "/dev/stderr"
    failed = 1
    exit 1
}

function pool(string) {
    if (!(string in pooled)) {
        pooled[string] = pool_size
        pool_size += length(string) + 1
        strings = strings "\n    \"" string "\\0\""
    }
    return pooled[string]
}

function argument(name, ctype, type,    key) {
    key = name SUBSEP ctype SUBSEP type
    if (!(key in arguments)) {
        arguments[key] = argument_count++
        argument_rows = argument_rows sprintf("    {%d, %d, %d},\n", pool(name), pool(ctype), type)
    }
    return arguments[key]
}

# Returns the index of a list of n arguments, given as columns of the table; adds the list if it is
# new.
function argument_list(n, types, names, ctypes,    type, name, ctype, i, row) {
    if (n != split(types, type, ",") || n != split(names, name, ",") || \
        n != split(ctypes, ctype, ";"))
        fail(file ": " types " against " names " against " ctypes)
    if (n > 16)
        fail(file ": more arguments than GAPIR_ARGUMENTS_MAX: " types)
    row = ""
    for (i = 1; i <= n; i++) {
        if (!(type[i] in code))
            fail(file ": unknown type " type[i])
        row = row argument(name[i], ctype[i], code[type[i]]) ", "
    }
    if (!(row in lists)) {
        lists[row] = list_size
        list_size += n
        if (n > 0)
            list_rows = list_rows "    " row "\n"
    }
    return lists[row]
}

function function_row(column,    kind) {
    kind = column[5]
    return sprintf("    {%d, %d, %d, %d, %d, %s},\n", pool(column[4]), pool(column[11]), \
        argument_list(column[7], column[8], column[9], column[10]), column[7], \
        code[column[6]], kind == "call" || kind == "builtin" ? "true" : "false")
}

# Reads one file: its rows by position, then its builtins by id.
function read_table(name,    line, column, i, rows, builtin, min_id, positions, builtins) {
    file = folder name
    positions = builtins = 0
    min_id = 65536
    while ((getline line < file) > 0) {
        if (line ~ /^#/)
            continue
        if (split(line, column, "\t") != 12)
            fail(file ": not 12 columns: " line)
        api_of[name] = column[1]
        if (column[5] == "builtin") {
            builtin[column[3]] = function_row(column)
            builtins++
            if (column[3] + 0 < min_id)
                min_id = column[3] + 0
        } else {
            rows[column[3]] = function_row(column)
            positions++
        }
    }
    close(file)
    if (positions == 0 || min_id != 65536 - builtins)
        fail(file ": nothing in it, or the ids of its builtins have gaps")
    first_of[name] = function_count
    positions_of[name] = positions
    builtins_of[name] = builtins
    for (i = 0; i < positions; i++) {
        if (!(i in rows))
            fail(file ": no row with id " i)
        function_rows = function_rows rows[i]
    }
    for (i = min_id; i < 65536; i++)
        function_rows = function_rows builtin[i]
    function_count += positions + builtins
}

BEGIN {
    FS = "\t"
    n = split("Bool Int8 Int16 Int32 Int64 Uint8 Uint16 Uint32 Uint64 Float Double Ptr - - Size Void", \
        names, " ")
    for (i = 1; i <= n; i++)
        code[names[i]] = i - 1
}

FNR == 1 {
    folder = FILENAME
    sub(/[^\/]*$/, "", folder)
}

/^#/ { next }

{
    if (!($2 in first_of))
        read_table($2)
    tables = tables sprintf("    {\"%s\", %d, %d, %d, %d},\n", $1, api_of[$2], first_of[$2], \
        positions_of[$2], builtins_of[$2])
}

END {
    if (failed)
        exit 1
    print "/* Made by names.awk from ids/: not to be edited. */"
    print "#include \"formats/gapir/decode/names.h\"\n"
    print "const char gapir_strings[] =" strings ";\n"
    print "const struct gapir_argument gapir_arguments[] = {\n" argument_rows "};\n"
    print "const uint16_t gapir_argument_lists[] = {\n" list_rows "    0};\n"
    print "const struct gapir_function gapir_functions[] = {\n" function_rows "};\n"
    print "const struct gapir_table gapir_tables[] = {\n" tables "};\n"
    print "const size_t gapir_table_count = sizeof(gapir_tables) / sizeof(gapir_tables[0]);"
}
