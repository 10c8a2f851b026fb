# SPDX-License-Identifier: MIT
# gl_registry.awk vk_names.awk TABLE.TSV... [VK.XML]: writes the tables of vk_names.h from Khronos'
# registry of Vulkan, for the functions in the TSV tables: the types of arguments and of members of
# structures, the members' offsets with pointers of eight bytes, the number of elements to which
# pointers point, and the names of constants. Without the registry the tables are empty.
BEGIN {
    FS = "\t"
    NONE = "4294967295"
    groups = 1 # group 0 has no names
    split("void 0 BYTES,char 1 CHAR,float 4 F32,double 8 F64,int8_t 1 I8,uint8_t 1 U8,int16_t 2 I16," \
          "uint16_t 2 U16,uint32_t 4 U32,int32_t 4 I32,uint64_t 8 U64,int64_t 8 I64,size_t 8 U64," \
          "int 4 I32,VkSampleMask 4 U32,VkBool32 4 BOOL,VkFlags 4 U32,VkFlags64 8 U64," \
          "VkDeviceSize 8 U64,VkDeviceAddress 8 U64", plain, ",")
    for (n in plain) {
        split(plain[n], parts, " ")
        base_size[parts[1]] = parts[2]
        base_kind[parts[1]] = parts[3]
    }
    # The replay's own functions whose arguments are those of a Vulkan function.
    command_alias["replayCreateVkInstance"] = "vkCreateInstance"
    command_alias["replayDestroyVkInstance"] = "vkDestroyInstance"
    command_alias["ReplayCreateVkDevice"] = "vkCreateDevice"
    command_alias["ReplayCreateSwapchain"] = "vkCreateSwapchainKHR"
    print "/* Made by vk_names.awk from Khronos' vk.xml (Apache-2.0 OR MIT). */"
    print "#include \"formats/gapir/decode/vk_names.h\"\n"
}

FILENAME ~ /\.tsv$/ {
    if ($4 ~ /^(vk|[rR]eplay)/)
        known[$4] = 1
    next
}

# Joins an element that continues on the next line.
held != "" {
    $0 = held $0
    held = ""
}
/<enum [^>]*$/ {
    held = $0
    next
}
{
    gsub(/<comment>[^<]*<\/comment>/, "")
    gsub(/-&gt;/, "->")
}
/ api="vulkansc"/ { next }

function group_number(name) {
    if (!(name in group))
        group[name] = groups++
    return group[name]
}

# Types.
/category="handle"/ {
    if (attribute($0, "alias") != "")
        alias_of[attribute($0, "name")] = attribute($0, "alias")
    else
        handle_number[content($0, "name")] = ++handles
    next
}
/category="bitmask"/ {
    name = content($0, "name")
    if (name == "") {
        alias_of[attribute($0, "name")] = attribute($0, "alias")
        next
    }
    bits_of[name] = attribute($0, "requires") attribute($0, "bitvalues")
    flags_size[name] = $0 ~ /VkFlags64/ ? 8 : 4
    next
}
/category="enum"/ {
    if (attribute($0, "alias") != "")
        alias_of[attribute($0, "name")] = attribute($0, "alias")
    else
        is_enum[attribute($0, "name")] = 1
    next
}
/category="funcpointer"/ { is_function[content($0, "name")] = 1 }
/<type .*category="(struct|union)"/ {
    name = attribute($0, "name")
    if (attribute($0, "alias") != "") {
        alias_of[name] = attribute($0, "alias")
        next
    }
    current = name
    structures[++structure_count] = name
    structure_number[name] = structure_count - 1
    is_union[name] = $0 ~ /category="union"/
    member_count[name] = 0
    stype[name] = ""
    next
}
/<\/type>/ && /^ *<\/type>/ { current = "" }
current != "" && /<member/ {
    value = attribute($0, "values")
    if (value != "" && stype[current] == "")
        stype[current] = value
    add_member(current, $0)
}

# Adds a member of a structure, or a parameter of a command, in order.
function add_member(of, line, n, bare, dimensions, part) {
    n = member_count[of]++
    m_name[of, n] = content(line, "name")
    m_type[of, n] = content(line, "type")
    m_length[of, n] = attribute(line, "altlen")
    if (m_length[of, n] == "")
        m_length[of, n] = attribute(line, "len")
    bare = line
    gsub(/"[^"]*"/, "", bare)
    m_pointers[of, n] = gsub(/\*/, "*", bare)
    m_const[of, n] = bare ~ /const /
    m_odd[of, n] = bare ~ /<\/name>:/
    m_elements[of, n] = 1
    sub(/.*<\/name>/, "", bare)
    gsub(/<\/?enum>/, "", bare)
    dimensions = bare
    while (match(dimensions, /\[[A-Za-z_0-9]+\]/)) {
        part = substr(dimensions, RSTART + 1, RLENGTH - 2)
        m_elements[of, n] *= part in constant_value ? constant_value[part] : part ~ /^[0-9]+$/ ? part : later(part)
        m_array[of, n] = 1
        dimensions = substr(dimensions, RSTART + RLENGTH)
    }
}

# Returns the value of an API constant, which the file defines only after the structures. Few are
# array lengths.
function later(name) {
    if (name ~ /^VK_MAX_(PHYSICAL_DEVICE_NAME|EXTENSION_NAME|DESCRIPTION|DRIVER_NAME|DRIVER_INFO)_SIZE(_KHR)?$/)
        return 256
    if (name ~ /^VK_UUID_SIZE$|^VK_MAX_MEMORY_HEAPS$|^VK_MAX_GLOBAL_PRIORITY_SIZE_(KHR|EXT)$/)
        return 16
    if (name ~ /^VK_LUID_SIZE(_KHR)?$/)
        return 8
    if (name ~ /^VK_MAX_(MEMORY_TYPES|DEVICE_GROUP_SIZE(_KHR)?|SHADER_MODULE_IDENTIFIER_SIZE_EXT)$/)
        return 32
    return 0
}

# Constants.
/<enums / { enums = attribute($0, "name"); next }
/<\/enums>/ { enums = ""; next }
/<extension / { extension = attribute($0, "number") }
/<feature / { extension = "" }
/<enum / {
    of = enums
    if (of == "")
        of = attribute($0, "extends")
    if (of == "" || of == "API Constants" || attribute($0, "alias") != "")
        next
    value = attribute($0, "value")
    if (attribute($0, "bitpos") != "")
        value = bit(attribute($0, "bitpos"))
    else if (attribute($0, "offset") != "")
        value = extended($0)
    else if (value ~ /^0x/)
        value = padded(substr(value, 3))
    else if (value ~ /^-?[0-9]+$/)
        value = hexadecimal(value)
    else
        next
    add_constant(of, value, attribute($0, "name"))
}

function extended(line, number) {
    number = attribute(line, "extnumber")
    if (number == "")
        number = extension
    number = 1000000000 + (number - 1) * 1000 + attribute(line, "offset")
    return hexadecimal(attribute(line, "dir") == "-" ? -number : number)
}

# Returns a number as 32 bits in hexadecimal, as a member of a structure stores it.
function hexadecimal(number, text, n) {
    if (number < 0)
        number += 4294967296
    text = ""
    for (n = 0; n < 8; n++) {
        text = substr("0123456789ABCDEF", number % 16 + 1, 1) text
        number = int(number / 16)
    }
    return padded(text)
}

function bit(position, text) {
    text = substr("1248", position % 4 + 1, 1)
    for (position = int(position / 4); position > 0; position--)
        text = text "0"
    return padded(text)
}

function padded(value) {
    value = toupper(value)
    gsub(/ULL|U/, "", value)
    while (length(value) < 16)
        value = "0" value
    return value
}

function add_constant(of, value, name) {
    constant_of[++constants] = of
    constant_bits[constants] = value
    constant_name[constants] = name
    number_of[name] = value
}

# Commands.
/<command.* name="[^"]*".*alias="/ && !/<require/ { command_alias[attribute($0, "name")] = attribute($0, "alias") }
/<commands/ { in_commands = 1 }
/<\/commands>/ { in_commands = 0 }
in_commands && /<proto>/ {
    command = content($0, "name")
    command_result[command] = content($0, "type")
    is_command[command] = 1
    command_list[++command_list_count] = command
    member_count[command] = 0
}
in_commands && /<param/ { add_member(command, $0) }
in_commands && /<\/command>/ { command = "" }
/<implicitexternsyncparams>/ { command = "" }

# Resolves a type: sets r_kind, r_number, r_size and r_align. Returns false if its size is unknown.
function resolve(type, n) {
    for (n = 0; n < 4 && (type in alias_of); n++)
        type = alias_of[type]
    r_number = 0
    r_kind = "OPAQUE"
    r_size = r_align = 0
    if (type in base_size) {
        r_kind = base_kind[type]
        r_size = r_align = base_size[type]
    } else if (type in handle_number) {
        r_kind = "HANDLE"
        r_number = handle_number[type]
        r_size = r_align = 8
    } else if (type in bits_of) {
        r_kind = flags_size[type] == 8 ? "FLAGS64" : "FLAGS"
        r_size = r_align = flags_size[type]
        r_number = bits_of[type] != "" ? group_number(bits_of[type]) : 0
    } else if (type in is_enum) {
        r_kind = type ~ /FlagBits/ ? (type ~ /FlagBits2/ ? "FLAGS64" : "FLAGS") : "ENUM"
        r_size = r_align = r_kind == "FLAGS64" ? 8 : 4
        r_number = group_number(type)
    } else if (type in is_function) {
        r_kind = "FUNCTION"
        r_size = r_align = 8
    } else if (type in structure_number) {
        lay_out(type)
        r_kind = is_union[type] ? "UNION" : "STRUCT"
        r_number = structure_number[type]
        r_size = structure_size[type]
        r_align = structure_align[type]
    }
    return r_size > 0
}

# Computes the offsets of a structure's members and its size, which is 0 if the size of a member is
# unknown.
function lay_out(of, n, at, align, size, known_size) {
    if (of in structure_size)
        return
    structure_size[of] = 0
    structure_align[of] = align = 1
    at = size = 0
    known_size = 1
    for (n = 0; n < member_count[of]; n++) {
        if (m_pointers[of, n] > 0)
            r_size = r_align = 8
        else if (!resolve(m_type[of, n]) || m_odd[of, n] || m_elements[of, n] == 0) {
            known_size = 0
            r_size = r_align = 1
        }
        if (is_union[of])
            at = 0
        at = int((at + r_align - 1) / r_align) * r_align
        m_offset[of, n] = at
        at += r_size * m_elements[of, n]
        size = at > size ? at : size
        align = r_align > align ? r_align : align
    }
    structure_align[of] = align
    structure_size[of] = known_size ? int((size + align - 1) / align) * align : 0
}

# Sets l_kind, l_by and l_within: how many elements a pointer points to.
function length_of(of, n, told, parts, by) {
    l_kind = "ONE"
    l_by = l_within = 0
    told = m_length[of, n]
    if (m_array[of, n] || m_pointers[of, n] == 0 || told == "")
        return
    split(told, parts, ",")
    told = parts[1]
    l_kind = "COUNTED"
    if (told == "null-terminated") {
        l_kind = "TEXT"
        return
    }
    if (told ~ / \/ 4$/) {
        l_kind = "WORDS"
        sub(/ \/ 4$/, "", told)
    } else if (told ~ /^\(.* \+ 31\) \/ 32$/) {
        l_kind = "MASKS"
        gsub(/^\(| \+ 31\) \/ 32$/, "", told)
    } else if (told == "2*VK_UUID_SIZE") {
        l_kind = "ONE"
        m_elements[of, n] = 32
        return
    }
    l_within = 0
    by = split(told, parts, "->")
    l_by = place(of, parts[1])
    if (by == 2 && l_by >= 0)
        l_within = place(m_type[of, l_by], parts[2]) + 1
    if (l_by < 0 || (by == 2 && l_within == 0)) {
        l_kind = "UNKNOWN"
        l_by = l_within = 0
    }
}

function place(of, name, n) {
    for (n = 0; n < 4 && (of in alias_of); n++)
        of = alias_of[of]
    for (n = 0; n < member_count[of]; n++)
        if (m_name[of, n] == name)
            return n
    return -1
}

# Adds a name by which the TSV tables call a command. Several names may stand for the same command.
function add_wanted(of, name) {
    if (name in known)
        wanted[of] = wanted[of] " " name
}

function print_members(of, n) {
    for (n = 0; n < member_count[of]; n++) {
        resolve(m_type[of, n])
        length_of(of, n)
        printf "    {\"%s\", %d, %d, %d, GAPIR_VK_%s, %d, GAPIR_VK_%s, %d, %d, %d},\n", m_name[of, n],
            m_offset[of, n], r_number, m_elements[of, n], r_kind,
            m_pointers[of, n] + (m_pointers[of, n] == 0 && of in is_command && m_array[of, n]),
            l_kind, l_by, l_within, m_const[of, n]
        members++
    }
}

function is_chained(name) {
    return stype[name] != "" && (stype[name] in number_of)
}

# Prints the sorted rows of a table, and then their number.
function print_rows(declaration, rows, count, name, empty, n) {
    print "const struct " declaration "[] = {"
    fflush()
    for (n = 1; n <= count; n++)
        print rows[n] | "LC_ALL=C sort"
    if (count > 0)
        close("LC_ALL=C sort")
    else
        print "    " empty
    print "};"
    print "const size_t " name " = " count + 0 ";"
}

END {
    for (name in command_alias)
        if (!(name in is_command) && (command_alias[name] in is_command))
            add_wanted(command_alias[name], name)
    for (n = 1; n <= command_list_count; n++)
        add_wanted(command_list[n], command_list[n])
    print "const struct gapir_vk_member gapir_vk_members[] = {"
    for (n = 1; n <= structure_count; n++) {
        lay_out(structures[n])
        first[structures[n]] = members + 0
        print_members(structures[n])
    }
    for (n = 1; n <= command_list_count; n++)
        if (command_list[n] in wanted) {
            of = command_list[n]
            first[of] = members + 0
            print_members(of)
        }
    if (members == 0)
        print "    {\"\", 0, 0, 0, 0, 0, 0, 0, 0, 0},"
    print "};"
    print "const struct gapir_vk_structure gapir_vk_structures[] = {"
    for (n = 1; n <= structure_count; n++)
        printf "    {\"%s\", %d, %d, %d, %d},\n", structures[n], first[structures[n]],
            member_count[structures[n]], structure_size[structures[n]], is_chained(structures[n])
    if (structure_count == 0)
        print "    {\"\", 0, 0, 0, 0},"
    print "};"
    print "const size_t gapir_vk_structure_count = " structure_count + 0 ";"
    for (of in wanted) {
        count = split(wanted[of], list, " ")
        resolve(command_result[of])
        for (n = 1; n <= count; n++)
            commands[++command_count] = sprintf("    {\"%s\", %d, %d, GAPIR_VK_%s, %d},", list[n], first[of],
                                                member_count[of], r_kind, r_number)
    }
    print_rows("gapir_vk_command gapir_vk_commands", commands, command_count,
               "gapir_vk_command_count", "{\"\", 0, 0, 0, 0},")
    for (n = 1; n <= structure_count; n++)
        if (is_chained(structures[n]))
            chained[++chained_count] = sprintf("    {0x%s, %d},", substr(number_of[stype[structures[n]]], 9), n - 1)
    print_rows("gapir_vk_chained gapir_vk_chain", chained, chained_count, "gapir_vk_chain_count", "{0, 0},")
    for (n = 1; n <= constants; n++)
        if (constant_of[n] in group)
            rows[++row_count] = sprintf("    {%5d, 0x%s, \"%s\"},", group[constant_of[n]], constant_bits[n],
                                        constant_name[n])
    print_rows("gapir_vk_constant gapir_vk_constants", rows, row_count, "gapir_vk_constant_count", "{0, 0, \"\"},")
}
