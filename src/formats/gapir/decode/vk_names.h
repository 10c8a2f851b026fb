/* SPDX-License-Identifier: MIT */
/*
 * What arguments of Vulkan are, as Khronos' registry has it: parameters of commands and members of
 * structures with their types, where those lie where pointers have eight bytes, how many elements
 * there are behind a pointer, and the names of constants. The tables are made by vk_names.awk, and
 * are empty where the registry was not there when the program was built. Constant; any thread.
 */
#ifndef GPUDUMPFS_GAPIR_DECODE_VK_NAMES_H
#define GPUDUMPFS_GAPIR_DECODE_VK_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gapir_vk_kind {
    GAPIR_VK_OPAQUE, /* of another system; nobody knows its size */
    GAPIR_VK_BYTES,  /* void: behind pointers alone */
    GAPIR_VK_CHAR,
    GAPIR_VK_I8,
    GAPIR_VK_U8,
    GAPIR_VK_I16,
    GAPIR_VK_U16,
    GAPIR_VK_I32,
    GAPIR_VK_U32,
    GAPIR_VK_I64,
    GAPIR_VK_U64,
    GAPIR_VK_F32,
    GAPIR_VK_F64,
    GAPIR_VK_BOOL,
    GAPIR_VK_ENUM,    /* of a group of constants … */
    GAPIR_VK_FLAGS,   /* … or bits of them, 32 … */
    GAPIR_VK_FLAGS64, /* … or 64 */
    GAPIR_VK_HANDLE,
    GAPIR_VK_STRUCT,
    GAPIR_VK_UNION,
    GAPIR_VK_FUNCTION,
    GAPIR_VK_KINDS
};

/* How many elements there are behind a pointer. */
enum gapir_vk_length {
    GAPIR_VK_ONE,     /* `elements` */
    GAPIR_VK_COUNTED, /* as many as a sibling says */
    GAPIR_VK_WORDS,   /* a quarter of that */
    GAPIR_VK_MASKS,   /* a bit for each */
    GAPIR_VK_TEXT,    /* up to a NUL */
    GAPIR_VK_UNKNOWN,
};

/* A parameter of a command, or a member of a structure. */
struct gapir_vk_member {
    const char *name;
    uint16_t offset;   /* in its structure, bytes */
    uint16_t type;     /* the structure's number, the group's, or that of a type of handles */
    uint16_t elements; /* in place, one behind the other; or behind a pointer */
    uint8_t kind;      /* enum gapir_vk_kind */
    uint8_t pointers;  /* how many stand before it; 0: it is the value itself */
    uint8_t length;    /* enum gapir_vk_length */
    uint8_t counted;   /* which of its siblings counts … */
    uint8_t within;    /* … or, but for 0, member `within` - 1 of what that points to */
    bool constant;     /* the command does not write what is behind the pointer */
};

struct gapir_vk_structure {
    const char *name;
    uint16_t first; /* in gapir_vk_members */
    uint16_t count;
    uint16_t size; /* bytes; 0: it holds what nothing is known of */
    bool chained;  /* it begins with sType and pNext */
};

/* Sorted by name. */
struct gapir_vk_command {
    const char *name;
    uint16_t first; /* in gapir_vk_members */
    uint8_t count;
    uint8_t result; /* enum gapir_vk_kind; GAPIR_VK_BYTES: none */
    uint16_t group; /* of the result */
};

/* Sorted by value. */
struct gapir_vk_chained {
    uint32_t type; /* VkStructureType */
    uint16_t structure;
};

/* Sorted by group and value. */
struct gapir_vk_constant {
    uint32_t group;
    uint64_t value;
    const char *name;
};

extern const struct gapir_vk_member gapir_vk_members[];
extern const struct gapir_vk_structure gapir_vk_structures[];
extern const size_t gapir_vk_structure_count;
extern const struct gapir_vk_command gapir_vk_commands[];
extern const size_t gapir_vk_command_count;
extern const struct gapir_vk_chained gapir_vk_chain[];
extern const size_t gapir_vk_chain_count;
extern const struct gapir_vk_constant gapir_vk_constants[];
extern const size_t gapir_vk_constant_count;

/* NULL: the registry has no such command. */
const struct gapir_vk_command *gapir_vk_command_find(const char *name);

/* What a structure of a chain is by its sType; NULL: nothing is known of it, or of its size. */
const struct gapir_vk_structure *gapir_vk_chained_find(uint32_t type);

/* The structure that a member is, or points to; NULL: it is none whose size is known. */
const struct gapir_vk_structure *gapir_vk_structure_of(const struct gapir_vk_member *member);

/* Bytes of one value of a kind, 0 for those that have none of their own. */
size_t gapir_vk_kind_size(unsigned kind);

/* Bytes of one element, of a structure as well; 0: not known. */
size_t gapir_vk_element_size(const struct gapir_vk_member *member);

/* Elements for what a counter says. */
uint64_t gapir_vk_elements(const struct gapir_vk_member *member, uint64_t counted);

/* The name of a value; NULL: it has none. */
const char *gapir_vk_constant_name(unsigned group, uint64_t value);

/* One bit or more of *bits that have a name, which are taken off; NULL: none is left. */
const char *gapir_vk_take_bits(unsigned group, uint64_t *bits);

#endif
