# SPDX-License-Identifier: MIT
# tables.awk VULKAN.TSV: writes the C tables that decode.h declares. docs/gfxreconstruct.md 4
# describes the lines of VULKAN.TSV. Each string is written only once.

function fail(message) {
    print "tables.awk: line " NR ": " message > "/dev/stderr"
    failed = 1
    exit 1
}

function pool(string) {
    if (!(string in pooled)) {
        pooled[string] = pool_size
        pool_size += length(string) + 1
        strings[string_count++] = string
    }
    return pooled[string]
}

BEGIN {
    FS = "\t"
    split("unknown u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 bool hex handle string wide enum " \
        "flags flags64 struct union next", names, " ")
    for (i in names)
        kinds[names[i]] = "GFXR_" toupper(names[i])
    classes["enum"] = "GFXR_CLASS_ENUM"
    classes["bits"] = "GFXR_CLASS_BITS"
    classes["struct"] = "GFXR_CLASS_STRUCT"
    classes["union"] = "GFXR_CLASS_UNION"
    pool("")
}

{
    lines[NR] = $0
    if ($1 in classes)
        types[$2] = type_count++
    else if ($1 != "call")
        fail("unknown row " $1)
}

# Reads a cell `*kind/Type@selector:name` of a row whose first member has the number `first`.
function member(cell, value, first,    name, kind, type, selector, star, i) {
    name = substr(cell, index(cell, ":") + 1)
    kind = substr(cell, 1, index(cell, ":") - 1)
    star = sub(/^\*/, "", kind)
    selector = -1
    if (i = index(kind, "@")) {
        selector = place[substr(kind, i + 1)] - first
        kind = substr(kind, 1, i - 1)
    }
    type = 65535
    if (i = index(kind, "/")) {
        if (!(substr(kind, i + 1) in types))
            fail("unknown type " kind)
        type = types[substr(kind, i + 1)]
        kind = substr(kind, 1, i - 1)
    }
    if (!(kind in kinds))
        fail("unknown kind " kind " of " name)
    place[name] = member_count
    member_rows[member_count++] = sprintf("    {%d, %d, %s, %d, %d, %s},", pool(name), value, kinds[kind], type, \
        selector, star ? "true" : "false")
}

function type_row(n, cells, count,    first, i, equal, value) {
    if (cells[1] == "enum" || cells[1] == "bits") {
        first = value_count
        for (i = 4; i <= count; i++) {
            equal = index(cells[i], "=")
            value = substr(cells[i], 1, equal - 1)
            value_rows[value_count++] = "    {INT64_C(" value "), " \
                pool(substr(cells[i], equal + 1)) "},"
        }
        return sprintf("    {%d, %d, %s, %d, %d, -1},", pool(cells[2]), pool(cells[3]), \
            classes[cells[1]], first, count - 3)
    }
    first = member_count
    for (i = cells[1] == "struct" ? 4 : 3; i <= count; i++) {
        equal = cells[1] == "union" ? index(cells[i], "=") : 0
        member(substr(cells[i], equal + 1), equal ? substr(cells[i], 1, equal - 1) : 0, first)
    }
    if (cells[1] == "struct" && first_struct == "")
        first_struct = n
    return sprintf("    {%d, 0, %s, %d, %d, %s},", pool(cells[2]), classes[cells[1]], first, \
        member_count - first, cells[1] == "struct" && cells[3] != "-" ? cells[3] : -1)
}

function call_row(cells, count,    first, i, result) {
    first = member_count
    for (i = 5; i <= count; i++)
        member(cells[i], 0, first)
    result = cells[4] != "-"
    if (result)
        member(cells[4] ":result", 0, first)
    return sprintf("    {0x%s, %d, %d, %d, %s},", cells[2], pool(cells[3]), first, \
        member_count - first, result ? "true" : "false")
}

function print_rows(declaration, rows, count,    i) {
    print "\n" declaration " = {"
    for (i = 0; i < count; i++)
        print rows[i]
    print "};"
}

END {
    if (failed)
        exit 1
    for (n = 1; n <= NR; n++) {
        count = split(lines[n], cells, "\t")
        if (cells[1] == "call")
            call_rows[call_count++] = call_row(cells, count)
        else
            type_rows[row_count++] = type_row(row_count, cells, count)
    }
    print "/* Made by tables.awk from vulkan.tsv. */"
    print "#include \"formats/gfxreconstruct/decode/decode.h\""
    print_rows("const struct gfxreconstruct_value gfxreconstruct_values[]", value_rows, value_count)
    print_rows("const struct gfxreconstruct_member gfxreconstruct_members[]", member_rows, member_count)
    print_rows("const struct gfxreconstruct_type gfxreconstruct_types[]", type_rows, row_count)
    print_rows("const struct gfxreconstruct_call gfxreconstruct_calls[]", call_rows, call_count)
    print "\nconst unsigned gfxreconstruct_type_count = " row_count ", gfxreconstruct_call_count = " call_count ";"
    print "const unsigned gfxreconstruct_first_struct = " first_struct ";"
    print "\nconst char gfxreconstruct_names[] ="
    for (i = 0; i < string_count; i++)
        print "    \"" strings[i] "\\0\"" (i == string_count - 1 ? ";" : "")
}
