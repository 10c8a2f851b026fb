# SPDX-License-Identifier: MIT
# vk_layouts.awk HEADER vk_names_data.c: writes a C file that asserts that sizes and offsets in the
# tables are those in Vulkan's own header, which is given after preprocessing.
BEGIN {
    FS = "[{}, \";]+"
    members = 0
    print "#include <stddef.h>\n#include <vulkan/vulkan_core.h>"
}
/^} Vk[A-Za-z0-9]+;/ { declared[$2] = 1 }
/gapir_vk_members\[\]/ { in_members = 1; next }
/gapir_vk_structures\[\]/ { in_structures = 1; next }
/^};/ { in_members = in_structures = 0 }
in_members {
    name[members] = $2
    offset[members++] = $3
}
in_structures && $5 > 0 && ($2 in declared) {
    printf "_Static_assert(sizeof(%s) == %d, \"%s\");\n", $2, $5, $2
    for (n = 0; n < $4; n++)
        printf "_Static_assert(offsetof(%s, %s) == %d, \"%s.%s\");\n", $2, name[$3 + n], offset[$3 + n], $2, name[$3 + n]
}
