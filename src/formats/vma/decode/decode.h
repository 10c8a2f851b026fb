/* SPDX-License-Identifier: MIT */
/*
 * From the bytes of a line to a call and its values (vma.md 2): functions and their parameters,
 * names of values, the configuration, the requirements of an allocation, and strings in texts. Pure
 * functions over constant tables, any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_DECODE_DECODE_H
#define GPUDUMPFS_FORMATS_VMA_DECODE_DECODE_H

#include "base/text.h"
#include "formats/vma/container.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Vulkan's image formats, as far as sizes need them (vma.md 2.5, 3.3): bytes of a texel block, and
 * its extent. A constant table, any thread.
 */

struct vma_image_format {
    uint32_t id;      /* VkFormat */
    const char *name; /* without VK_FORMAT_ */
    uint8_t bytes, width, height;
};

extern const struct vma_image_format vma_image_formats[]; /* by ascending id */
extern const size_t vma_image_format_count;

/* Returns the row of a format, or NULL. */
const struct vma_image_format *vma_image_format_find(uint32_t id);

/*
 * What the numbers of a recording mean: flags and enumerations of VMA and Vulkan, with their names
 * (vma.md 2.5). Constant tables, any thread.
 */

struct vma_name {
    uint32_t value; /* a single bit if the values form a set */
    const char *name;
};

enum vma_enum_kind { VMA_ENUM_SET, VMA_ENUM_ONE_OF, VMA_ENUM_FORMAT };

struct vma_enum {
    enum vma_enum_kind kind;
    const struct vma_name *names;
    size_t count;
};

extern const struct vma_enum vma_allocation_flags, vma_memory_usage, vma_pool_flags,
    vma_property_flags, vma_heap_flags, vma_buffer_usage, vma_image_usage, vma_buffer_flags,
    vma_image_flags, vma_image_type, vma_tiling, vma_sharing, vma_layout, vma_samples,
    vma_image_format_names, vma_device_types, vma_vendors;

/* Returns the name of a value or bit, or NULL if it has none. */
const char *vma_enum_name(const struct vma_enum *values, uint32_t value);

/*
 * Appends the name of a value. For a set, appends the names joined by `|`, and the bits without a
 * name in hexadecimal; an empty set is `0`.
 */
void vma_enum_write(const struct vma_enum *values, uint32_t value, struct text *text);

/*
 * The functions of a recording and their columns (vma.md 2.3). Parser, texts and replay all use
 * this table. Constant, any thread.
 */

enum vma_function_id {
    VMA_CREATE_ALLOCATOR,
    VMA_DESTROY_ALLOCATOR,
    VMA_CREATE_POOL,
    VMA_DESTROY_POOL,
    VMA_SET_ALLOCATION_USER_DATA,
    VMA_CREATE_BUFFER,
    VMA_CREATE_IMAGE,
    VMA_DESTROY_BUFFER,
    VMA_DESTROY_IMAGE,
    VMA_FREE_MEMORY,
    VMA_CREATE_LOST_ALLOCATION,
    VMA_ALLOCATE_MEMORY,
    VMA_ALLOCATE_MEMORY_FOR_BUFFER,
    VMA_ALLOCATE_MEMORY_FOR_IMAGE,
    VMA_MAP_MEMORY,
    VMA_UNMAP_MEMORY,
    VMA_TOUCH_ALLOCATION,
    VMA_GET_ALLOCATION_INFO,
    VMA_FLUSH_ALLOCATION,
    VMA_INVALIDATE_ALLOCATION,
    VMA_MAKE_POOL_ALLOCATIONS_LOST,
    VMA_RESIZE_ALLOCATION,
    VMA_ALLOCATE_MEMORY_PAGES,
    VMA_FREE_MEMORY_PAGES,
    VMA_DEFRAGMENTATION_BEGIN,
    VMA_DEFRAGMENTATION_END,
    VMA_SET_POOL_NAME,
    VMA_FUNCTIONS,
};

/* The slot of struct vma_call that gets the value of a column. */
enum vma_slot {
    VMA_FLAGS, /* of the allocation */
    VMA_USAGE,
    VMA_REQUIRED,
    VMA_PREFERRED,
    VMA_TYPE_BITS,
    VMA_POOL,
    VMA_ALLOCATION,
    VMA_SIZE,
    VMA_RESOURCE_FLAGS, /* of the buffer or image */
    VMA_RESOURCE_USAGE,
    VMA_SHARING,
    VMA_ALIGNMENT,
    VMA_REQUIREMENT_BITS,
    VMA_REQUIRES_DEDICATED,
    VMA_PREFERS_DEDICATED,
    VMA_OFFSET,
    VMA_IMAGE_TYPE,
    VMA_FORMAT,
    VMA_WIDTH,
    VMA_HEIGHT,
    VMA_DEPTH,
    VMA_MIP_LEVELS,
    VMA_ARRAY_LAYERS,
    VMA_SAMPLES,
    VMA_TILING,
    VMA_LAYOUT,
    VMA_TYPE_INDEX,
    VMA_POOL_FLAGS,
    VMA_BLOCK_SIZE,
    VMA_MIN_BLOCKS,
    VMA_MAX_BLOCKS,
    VMA_FRAMES_IN_USE,
    VMA_DEFRAGMENTATION_FLAGS,
    VMA_CPU_BYTES,
    VMA_CPU_ALLOCATIONS,
    VMA_GPU_BYTES,
    VMA_GPU_ALLOCATIONS,
    VMA_COMMAND_BUFFER,
    VMA_CONTEXT,
    VMA_SLOTS,
    /* The following slots are slices of the line. */
    VMA_ALLOCATION_LIST = VMA_SLOTS,
    VMA_POOL_LIST,
    VMA_TEXT,
};

enum vma_column_kind { VMA_U32, VMA_U64, VMA_BOOL, VMA_POINTER, VMA_LIST, VMA_REST };

struct vma_parameter {
    const char *name;
    enum vma_column_kind kind;
    enum vma_slot slot;
    const struct vma_enum *values; /* NULL for a plain number */
};

enum vma_role {
    VMA_ALLOCATES = 1, /* counts as an allocating call */
    VMA_FREES = 2,
    VMA_ESTIMATED = 4, /* its requirements are not in the file */
    VMA_CREATES = 8,   /* its last pointer column is an output */
};

struct vma_function {
    const char *name;
    uint8_t length; /* of the name */
    uint8_t since;  /* the minor version that added it (vma.md 2.3) */
    uint8_t roles;  /* set of enum vma_role */
    uint8_t parameter_count;
    const struct vma_parameter *parameters;
};

/*
 * One row for each function. The row VMA_FUNCTIONS, without parameters and roles, is for an unknown
 * function.
 */
extern const struct vma_function vma_functions[VMA_FUNCTIONS + 1];

/* Returns the function with exactly this name, or VMA_FUNCTIONS if there is none. */
enum vma_function_id vma_function_find(struct vma_slice name);

/*
 * A parsed call line (vma.md 2.3, 2.4). Every line of a recording gives a call; the verdict of a
 * refused line is the reason. Values are slices of the dump or numbers; nothing is allocated. Any
 * thread.
 */

enum vma_verdict {
    VMA_CALL_GOOD,
    VMA_CALL_BLANK,    /* the line is empty */
    VMA_CALL_SHORT,    /* fewer than four columns */
    VMA_CALL_UNKNOWN,  /* an unknown function */
    VMA_CALL_MISCOUNT, /* the wrong number of parameters */
    VMA_CALL_INVALID,  /* a parameter that is not a valid number, boolean or pointer */
    VMA_CALL_CUT,      /* the file ends within the line */
};

/* The first columns of a call line. */
struct vma_call_head {
    uint32_t thread, frame_index;
    uint64_t milliseconds;
    bool thread_good, time_good, frame_good;
    bool thread_negative, frame_negative; /* valid, but negative: taken modulo 2^32 */
    enum vma_function_id function;        /* VMA_FUNCTIONS if unknown */
    struct vma_columns rest;              /* the parameters */
    enum vma_verdict verdict;             /* GOOD, BLANK, SHORT or UNKNOWN */
};

/*
 * Maximum length of user data or a name, bytes. Every byte is measured, and a hole in the file
 * would otherwise make a text of any length.
 */
enum { VMA_TEXT_MAX = 1 << 20 };

/* Takes the rest of a line as such a text. Returns false if it is too long; it is then cut. */
bool vma_read_text(struct vma_columns *columns, struct vma_slice *text);

struct vma_call {
    struct vma_call_head head;
    enum vma_verdict verdict;
    const struct vma_parameter *bad;      /* the first invalid parameter, or NULL */
    const struct vma_parameter *negative; /* the first negative parameter, which wraps, or NULL */
    bool late_pool;                       /* vmaCreatePool without frameInUseCount */
    bool has_text;                        /* the text column is present, even if empty */
    bool text_cut;                        /* the text was longer than VMA_TEXT_MAX */
    struct vma_slice text, allocations, pools;
    uint64_t value[VMA_SLOTS]; /* only the slots of the function's parameters are valid */
};

/* Reads what the index needs: thread, time, frame index, function. */
void vma_call_read_head(struct vma_slice line, struct vma_call_head *out);

/*
 * Reads a complete line. `ended` is that of struct vma_line: an invalid line that is not ended gets
 * the verdict VMA_CALL_CUT.
 */
void vma_call_read(struct vma_slice line, bool ended, struct vma_call *out);

/*
 * Reads user data that is not a string: one pointer column. Returns false if it is not a valid
 * pointer. Sets *surplus to whether more columns follow.
 */
bool vma_call_text_pointer(struct vma_slice text, uint64_t *pointer, bool *surplus);

/* Returns whether the line by itself has no defect at all. */
static inline bool vma_call_is_flawless(const struct vma_call *call)
{
    return call->verdict == VMA_CALL_GOOD && call->head.thread_good && call->head.time_good &&
           call->head.frame_good && !call->head.thread_negative && !call->head.frame_negative &&
           call->negative == NULL && !call->text_cut;
}

/* Reports the defects of the line that do not depend on the state that the call meets. */
void vma_call_judge(const struct vma_call *call, const struct vma_line *line, uint64_t packet,
                    struct vma_diagnostics *diagnostics);

/*
 * Returns a sentence for a verdict, in the words of the library's replayer, or NULL for a valid
 * line.
 */
const char *vma_verdict_message(enum vma_verdict verdict);

/*
 * The configuration section of a recording (vma.md 2.2): the physical device, the extensions, and
 * the library's macros that the simulated allocator obeys. The index fills it in once; afterwards
 * it is read-only.
 */

enum { VMA_HEAPS = 16, VMA_TYPES = 32, VMA_NO_HEAP = UINT32_MAX };

/* Memory property flags that the rules use. */
enum {
    VMA_DEVICE_LOCAL = 0x1,
    VMA_HOST_VISIBLE = 0x2,
    VMA_HOST_COHERENT = 0x4,
    VMA_HOST_CACHED = 0x8,
    VMA_LAZILY_ALLOCATED = 0x10,
    VMA_PROTECTED = 0x20,
    VMA_DEVICE_COHERENT_AMD = 0x40,
    VMA_DEVICE_UNCACHED_AMD = 0x80,
};

enum { VMA_DEVICE_INTEGRATED = 1 };

struct vma_heap {
    uint64_t size;
    uint32_t flags;
};

struct vma_type {
    uint32_t heap; /* VMA_NO_HEAP if the type was dropped because its heap does not exist */
    uint32_t flags;
};

struct vma_device {
    uint32_t api_version, driver_version, vendor, id, kind;
    struct vma_slice name; /* borrowed from the dump */
    bool name_is_json;     /* the name may have JSON's escapes */
    uint32_t max_allocations;
    uint64_t granularity; /* bufferImageGranularity as recorded */
    uint64_t atom;        /* nonCoherentAtomSize as recorded */
    uint32_t heap_count, type_count;
    struct vma_heap heaps[VMA_HEAPS];
    struct vma_type types[VMA_TYPES];
};

struct vma_macros {
    bool always_dedicated, initialize_allocations, detect_corruption, global_mutex;
    uint64_t alignment, margin, min_granularity, small_heap, large_block;
};

enum vma_extension {
    VMA_DEDICATED_ALLOCATION,
    VMA_BIND_MEMORY2,
    VMA_MEMORY_BUDGET,
    VMA_DEVICE_COHERENT_MEMORY,
    VMA_EXTENSIONS,
};

struct vma_configuration {
    bool present;   /* false if the file has no section; everything is default then */
    bool given_api; /* VulkanApiVersion is given */
    uint32_t api_major, api_minor;
    bool extension_given[VMA_EXTENSIONS];
    bool extensions[VMA_EXTENSIONS];
    struct vma_device device;
    struct vma_macros macros;
};

extern const char *const vma_extension_names[VMA_EXTENSIONS];

/* Sets the documented default device and macros (vma.md 2.2). */
void vma_configuration_default(struct vma_configuration *configuration);

/* Devices on which a recording can be simulated instead of its own (vma.md 3.13). */
enum vma_device_choice {
    VMA_DEVICE_RECORDED,
    VMA_DEVICE_VEGA,     /* AMD Radeon RX Vega */
    VMA_DEVICE_GTX660M,  /* NVIDIA GeForce GTX 660M */
    VMA_DEVICE_HD_GEN9,  /* Intel HD Graphics, Gen9 */
    VMA_DEVICE_LAVAPIPE, /* Mesa's lavapipe, with 2 GiB */
    VMA_DEVICE_CHOICES,
};

/* Settings that replace recorded ones. All zero: none. */
struct vma_override {
    enum vma_device_choice device;
    bool default_macros;  /* use the library's usual macros */
    uint64_t block_size;  /* preferredLargeHeapBlockSize, bytes; 0: as the macro says */
    uint64_t granularity; /* bufferImageGranularity, bytes; 0: as the device says */
};

/* Replaces what was recorded by the settings of an override. */
void vma_configuration_override(struct vma_configuration *configuration,
                                const struct vma_override *override);

/* The state of reading a section line by line. Must be zero-initialised before the first line. */
struct vma_configuration_reader {
    uint64_t seen; /* set of the rows of the key table that were met */
    uint64_t heaps_seen, types_seen;
};

/* Begins a section: forgets the default device, so that nothing is known of the device. */
void vma_configuration_begin(struct vma_configuration *configuration);

/* Reads a line between Begin and End. Reports defects to the diagnostics. */
void vma_configuration_line(struct vma_configuration *configuration,
                            struct vma_configuration_reader *reader, const struct vma_line *line,
                            uint64_t packet, struct vma_diagnostics *diagnostics);

/*
 * Ends a section: drops types without a heap, and corrects values that the allocator cannot work
 * with, such as a granularity that is not a power of two. Defects are reported for the section's
 * last line, which is at `offset` and `packet`.
 */
void vma_configuration_end(struct vma_configuration *configuration, uint64_t offset,
                           uint64_t packet, struct vma_diagnostics *diagnostics);

/* Returns the granularity in force, from the device and the macro: a power of two, at least 1. */
uint64_t vma_configuration_granularity(const struct vma_device *device,
                                       const struct vma_macros *macros);

/* Returns the preferred size of the default blocks of a heap (vma.md 3.1). */
uint64_t vma_preferred_block_size(const struct vma_macros *macros, uint64_t heap_size);

/*
 * Sizes and alignments of created buffers and images. A recording does not have them; they are
 * estimated by rule R1 (vma.md 3.3). Pure functions, any thread.
 */

struct vma_requirements {
    uint64_t size, alignment;
    uint32_t type_bits;
    bool requires_dedicated, prefers_dedicated;
    bool estimated; /* by rule R1; otherwise as in the file */
};

/*
 * Determines the requirements of an allocating call, which must have the role VMA_ALLOCATES and the
 * verdict GOOD. Returns false if the size does not fit 64 bits.
 */
bool vma_requirements(const struct vma_device *device, const struct vma_call *call,
                      struct vma_requirements *out);

/* Returns the memory types that any buffer may use, one bit each. */
uint32_t vma_buffer_type_bits(const struct vma_device *device);

/*
 * User data and names in texts (vma.md 3.11, 4.3): bytes of a recording, mostly UTF-8, escaped for
 * a field of a table or for a JSON string. Pure functions, any thread.
 */

/* Appends bytes escaped for JSON, without quotes. Bytes that are no valid UTF-8 become \u00XX. */
void vma_json_escaped_write(const uint8_t *bytes, size_t length, struct text *text);

/* Returns how many bytes vma_json_escaped_write() appends. */
uint64_t vma_json_escaped_length(const uint8_t *bytes, size_t length);

/*
 * Returns two lengths at once: that of a table's cell (text_cell_escaped() of base/text.h, without
 * the tab) and that in JSON.
 */
void vma_escaped_lengths(const uint8_t *bytes, size_t length, uint64_t *cell, uint64_t *json);

/* Appends `0x` and lower-case digits, as glibc prints pointers. */
void vma_pointer_write(uint64_t pointer, struct text *text);

#endif
