# SPDX-License-Identifier: MIT
# Functions for the programs that read Khronos' registries, gl.xml and vk.xml. awk must read this first.

# Returns the value of an attribute, or "" if the line has none.
function attribute(line, name) {
    if (!match(line, " " name "=\"[^\"]*\""))
        return ""
    return substr(line, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
}

# Returns the text of an element, up to the next element, or "" if the line has none.
function content(line, name) {
    if (!match(line, "<" name ">[^<]*<"))
        return ""
    return substr(line, RSTART + length(name) + 2, RLENGTH - length(name) - 3)
}

# Names of the standard come before those of vendors and extensions.
function is_vendors(name) {
    return name ~ /_(ARB|EXT|OES|KHR|NV|NVX|ATI|AMD|SGI|SGIS|SGIX|SUN|SUNX|APPLE|MESA|MESAX|INTEL|IBM|HP|INGR|PGI|REND|S3|3DFX|QCOM|ARM|IMG|ANGLE|DMP|VIV|FJ|OML|GREMEDY|WIN|I3D|OVR)$/
}
