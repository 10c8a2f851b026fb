/* SPDX-License-Identifier: MIT */
/*
 * The arguments of Vulkan, from Khronos' registry: parameters of commands and members of structures
 * with their types, the offsets of members with eight-byte pointers, the number of elements that a
 * pointer refers to, and the names of constants. vk_names.awk generates the tables; they are empty
 * if the program was built without the registry. Constant; any thread.
 */
#ifndef GPUDUMPFS_GAPIR_DECODE_VK_NAMES_H
#define GPUDUMPFS_GAPIR_DECODE_VK_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gapir_vk_kind {
    GAPIR_VK_OPAQUE, /* a type of another system, whose size is unknown */
    GAPIR_VK_BYTES,  /* void, which occurs only behind pointers */
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
    GAPIR_VK_ENUM,    /* a constant of a group */
    GAPIR_VK_FLAGS,   /* 32 bits of a group */
    GAPIR_VK_FLAGS64, /* 64 bits of a group */
    GAPIR_VK_HANDLE,
    GAPIR_VK_STRUCT,
    GAPIR_VK_UNION,
    GAPIR_VK_FUNCTION,
    GAPIR_VK_KINDS
};

/* The number of elements that a pointer refers to. */
enum gapir_vk_length {
    GAPIR_VK_ONE,     /* `elements` */
    GAPIR_VK_COUNTED, /* the value of the counting sibling */
    GAPIR_VK_WORDS,   /* a quarter of that value: a sibling counts bytes of 32-bit words */
    GAPIR_VK_MASKS,   /* one 32-bit word for every 32 of that value: a bit for each */
    GAPIR_VK_TEXT,    /* up to a NUL */
    GAPIR_VK_UNKNOWN,
};

/* A parameter of a command, or a member of a structure. */
struct gapir_vk_member {
    const char *name;
    uint16_t offset; /* within its structure, bytes */
    /* number of the structure, of the group of constants, or of the type of handle */
    uint16_t type;
    uint16_t elements; /* length of an array in place, or of what the pointer refers to */
    uint8_t kind;      /* enum gapir_vk_kind */
    uint8_t pointers;  /* levels of pointers; 0: the value itself */
    uint8_t length;    /* enum gapir_vk_length */
    uint8_t counted;   /* index of the sibling that holds the count, or leads to it */
    /*
     * If 0, the sibling holds the count or points to it. Otherwise the count is in member `within`
     * - 1 of the structure that the sibling points to.
     */
    uint8_t within;
    bool constant; /* the command does not write what the pointer refers to */
};

struct gapir_vk_structure {
    const char *name;
    uint16_t first; /* in gapir_vk_members */
    uint16_t count;
    uint16_t size; /* bytes; 0 if it has members of unknown size */
    bool chained;  /* begins with sType and pNext */
};

/* Sorted by name. */
struct gapir_vk_command {
    const char *name;
    uint16_t first; /* in gapir_vk_members */
    uint8_t count;
    uint8_t result; /* enum gapir_vk_kind; GAPIR_VK_BYTES: no result */
    uint16_t group; /* the group of the result */
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

/* Returns the command of that name, or NULL if the registry has none. */
const struct gapir_vk_command *gapir_vk_command_find(const char *name);

/*
 * Returns the structure of a pNext chain that has this sType, or NULL if it or its size is unknown.
 */
const struct gapir_vk_structure *gapir_vk_chained_find(uint32_t type);

/*
 * Returns the structure that a member is or points to, or NULL if it is none or its size is
 * unknown.
 */
const struct gapir_vk_structure *gapir_vk_structure_of(const struct gapir_vk_member *member);

/* Returns the bytes of one value of a kind, or 0 for kinds without a fixed size. */
size_t gapir_vk_kind_size(unsigned kind);

/* Returns the bytes of one element, which may be a structure, or 0 if the size is unknown. */
size_t gapir_vk_element_size(const struct gapir_vk_member *member);

/* Returns the number of elements, given the value of the member's counter. */
uint64_t gapir_vk_elements(const struct gapir_vk_member *member, uint64_t counted);

/* Returns the name of a value in a group, or NULL if it has none. */
const char *gapir_vk_constant_name(unsigned group, uint64_t value);

/*
 * Finds a named constant of the group, of one bit or several, whose bits are all set in *bits.
 * Clears these bits and returns the constant's name. Returns NULL, leaving *bits unchanged, if no
 * constant is left.
 */
const char *gapir_vk_take_bits(unsigned group, uint64_t *bits);

#endif
