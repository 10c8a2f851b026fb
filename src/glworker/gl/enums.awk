# SPDX-License-Identifier: MIT
# gl_registry.awk enums.awk GL.XML: writes the table of enum_names.h, from OpenGL's registry: one name for each
# value of an enumeration. Bits of masks and small numbers, which have many names, are left out.
BEGIN {
    print "/* Made by enums.awk from Khronos' gl.xml (Apache-2.0). */"
    print "#include \"glworker/gl/enum_names.h\"\n"
    print "const struct retrace_enum retrace_enums[] = {"
    fflush()
}

# Prefers OpenGL's own names to those of extensions, and extensions of several vendors to those of one.
function rank(name) {
    return !is_vendors(name) ? 0 : name ~ /_(ARB|KHR|EXT)$/ ? 1 : 2
}

/<enums / { wanted = $0 !~ /type="bitmask"/ && $0 !~ /group="SpecialNumbers"/ }
/<\/enums>/ { wanted = 0 }
wanted && /<enum / {
    value = attribute($0, "value")
    name = attribute($0, "name")
    if (value !~ /^0x[0-9A-Fa-f]+$/ || length(value) < 5 || length(value) > 10)
        next
    key = sprintf("%8s", toupper(substr(value, 3)))
    gsub(/ /, "0", key)
    if (!(key in names)) {
        names[key] = name
        rows++
    } else if (rank(name) < rank(names[key])) {
        names[key] = name
    }
}
END {
    for (key in names)
        print "    {0x" key ", \"" names[key] "\"}," | "LC_ALL=C sort"
    close("LC_ALL=C sort")
    if (rows < 1000) {
        print "enums.awk: this is not gl.xml" > "/dev/stderr"
        exit 1
    }
    print "};"
    print "const size_t retrace_enum_count = sizeof(retrace_enums) / sizeof(retrace_enums[0]);"
}
