/*
 * The configuration section of a recording (vma.md 2.2): the physical device, the
 * extensions and the library's macros that the simulated allocator obeys. Filled
 * once by the index, read-only afterwards.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_DECODE_CONFIGURATION_H
#define GPUDUMPFS_FORMATS_VMA_DECODE_CONFIGURATION_H

#include "formats/vma/container.h"
#include "formats/vma/diagnostics.h"

enum { VMA_HEAPS = 16, VMA_TYPES = 32, VMA_NO_HEAP = UINT32_MAX };

/* Memory property flags that rules ask for. */
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
    uint32_t heap; /* VMA_NO_HEAP: dropped, its heap does not exist */
    uint32_t flags;
};

struct vma_device {
    uint32_t api_version, driver_version, vendor, id, kind;
    struct vma_slice name; /* borrowed from the dump */
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
    bool present;   /* false: the file has no section, all is default */
    bool given_api; /* VulkanApiVersion */
    uint32_t api_major, api_minor;
    bool extension_given[VMA_EXTENSIONS];
    bool extensions[VMA_EXTENSIONS];
    struct vma_device device;
    struct vma_macros macros;
};

extern const char *const vma_extension_names[VMA_EXTENSIONS];

/* The documented default device and macros (vma.md 2.2). */
void vma_configuration_default(struct vma_configuration *configuration);

/* State of reading a section line by line; zero-initialised before the first. */
struct vma_configuration_reader {
    uint64_t seen; /* rows of the key table met */
    uint64_t heaps_seen, types_seen;
};

/* A section begins: nothing is known of the device yet. */
void vma_configuration_begin(struct vma_configuration *configuration);

/* One line between Begin and End; what is wrong goes to the diagnostics. */
void vma_configuration_line(struct vma_configuration *configuration,
                            struct vma_configuration_reader *reader, const struct vma_line *line,
                            uint64_t packet, struct vma_diagnostics *diagnostics);

/*
 * The section is complete: drops types without a heap, and corrects what the
 * allocator cannot work with (a granularity that is no power of two). Told at
 * the section's last line.
 */
void vma_configuration_end(struct vma_configuration *configuration, uint64_t offset,
                           uint64_t packet, struct vma_diagnostics *diagnostics);

/* Granularity in force: recorded and macro's, a power of two, at least 1. */
uint64_t vma_configuration_granularity(const struct vma_device *device,
                                       const struct vma_macros *macros);

/* Preferred size of default blocks of a heap (vma.md 3.1). */
uint64_t vma_preferred_block_size(const struct vma_macros *macros, uint64_t heap_size);

#endif
