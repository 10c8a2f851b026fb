/* SPDX-License-Identifier: MIT */
#include "formats/gfxreconstruct/dump.h"

#include "formats/gfxreconstruct/views/views.h"

#define GFXR(what, own_id, in, pattern)                                                            \
    .kind = RULE_##what, .id = GFXR_RULE_##own_id, .parent = in, .name = pattern

const struct rule gfxreconstruct_rules[GFXR_RULES] = {
    {GFXR(FILE, FUNCTIONS, RULE_ROOT, "functions.tsv"),
     .listing = &gfxreconstruct_functions_listing,
     .help = "the functions that are called, and the number of calls"},
    {GFXR(FILE, SHADERS_TSV, RULE_ROOT, "shaders.tsv"), .listing = &gfxreconstruct_shaders_listing,
     .help = "the shader modules that are created"},
    {GFXR(DIRECTORY, SHADERS, RULE_ROOT, "shaders")},
    {GFXR(FILE, SHADER, GFXR_RULE_SHADERS, "NNNNNNNN.spv"), .family = &gfxreconstruct_shader_family,
     .counts = "packet", .make = gfxreconstruct_shader_make,
     .help = "the SPIR-V of the module that packet NNNNNNNN creates"},
    {GFXR(FILE, MEMORY_TSV, RULE_ROOT, "memory.tsv"), .listing = &gfxreconstruct_memory_listing,
     .help = "the bytes that are written to memory, buffers and images"},
    {GFXR(DIRECTORY, MEMORY, RULE_ROOT, "memory")},
    {GFXR(FILE, MEMORY_BIN, GFXR_RULE_MEMORY, "NNNNNNNN.bin"),
     .family = &gfxreconstruct_memory_family, .counts = "packet",
     .size = gfxreconstruct_memory_size, .make = gfxreconstruct_memory_make,
     .help = "the bytes that packet NNNNNNNN writes"},
    {GFXR(DIRECTORY, ANNOTATIONS, RULE_ROOT, "annotations")},
    {GFXR(FILE, ANNOTATION, GFXR_RULE_ANNOTATIONS, "NNNNNNNN.json"),
     .family = &gfxreconstruct_annotation_family, .counts = "packet",
     .size = gfxreconstruct_annotation_size, .make = gfxreconstruct_annotation_make,
     .uncached = true, .help = "annotation NNNNNNNN; .txt or .xml according to its type"},
};
