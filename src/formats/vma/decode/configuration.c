/* SPDX-License-Identifier: MIT */
#include "formats/vma/decode/decode.h"

#include "base/bytes.h"

#include <stddef.h>

enum { PREFERRED_MULTIPLE = 32, SMALL_HEAP_DIVISOR = 8 };

const char *const vma_extension_names[VMA_EXTENSIONS] = {
    [VMA_DEDICATED_ALLOCATION] = "VK_KHR_dedicated_allocation",
    [VMA_BIND_MEMORY2] = "VK_KHR_bind_memory2",
    [VMA_MEMORY_BUDGET] = "VK_EXT_memory_budget",
    [VMA_DEVICE_COHERENT_MEMORY] = "VK_AMD_device_coherent_memory",
};

static const struct vma_macros default_macros = {
    .alignment = 1,
    .min_granularity = 1,
    .small_heap = UINT64_C(1) << 30,
    .large_block = UINT64_C(256) << 20,
};

/* The device of the published example. */
static const struct vma_device default_device = {
    .api_version = 4198477,
    .driver_version = 8388653,
    .vendor = 4098,
    .id = 26751,
    .kind = 2,
    .max_allocations = 4096,
    .granularity = 1,
    .atom = 128,
    .heap_count = 3,
    .type_count = 4,
    .heaps = {{8304721920, 3}, {8286175232, 0}, {268435456, 3}},
    .types = {{0, VMA_DEVICE_LOCAL},
              {1, VMA_HOST_VISIBLE | VMA_HOST_COHERENT},
              {2, VMA_DEVICE_LOCAL | VMA_HOST_VISIBLE | VMA_HOST_COHERENT},
              {1, VMA_HOST_VISIBLE | VMA_HOST_COHERENT | VMA_HOST_CACHED}},
};

enum value_kind { VALUE_U32, VALUE_U64, VALUE_BOOL, VALUE_REST, VALUE_EXTENSION, VALUE_API };

struct key {
    const char *section, *name;
    enum value_kind kind;
    size_t offset; /* in struct vma_configuration; for an extension, its number */
};

#define DEVICE(field) offsetof(struct vma_configuration, device.field)
#define MACRO(field)  offsetof(struct vma_configuration, macros.field)

static const struct key keys[] = {
    {"VulkanApiVersion", NULL, VALUE_API, 0},
    {"PhysicalDevice", "apiVersion", VALUE_U32, DEVICE(api_version)},
    {"PhysicalDevice", "driverVersion", VALUE_U32, DEVICE(driver_version)},
    {"PhysicalDevice", "vendorID", VALUE_U32, DEVICE(vendor)},
    {"PhysicalDevice", "deviceID", VALUE_U32, DEVICE(id)},
    {"PhysicalDevice", "deviceType", VALUE_U32, DEVICE(kind)},
    {"PhysicalDevice", "deviceName", VALUE_REST, DEVICE(name)},
    {"PhysicalDeviceLimits", "maxMemoryAllocationCount", VALUE_U32, DEVICE(max_allocations)},
    {"PhysicalDeviceLimits", "bufferImageGranularity", VALUE_U64, DEVICE(granularity)},
    {"PhysicalDeviceLimits", "nonCoherentAtomSize", VALUE_U64, DEVICE(atom)},
    {"PhysicalDeviceMemory", "HeapCount", VALUE_U32, DEVICE(heap_count)},
    {"PhysicalDeviceMemory", "TypeCount", VALUE_U32, DEVICE(type_count)},
    {"Extension", "VK_KHR_dedicated_allocation", VALUE_EXTENSION, VMA_DEDICATED_ALLOCATION},
    {"Extension", "VK_KHR_bind_memory2", VALUE_EXTENSION, VMA_BIND_MEMORY2},
    {"Extension", "VK_EXT_memory_budget", VALUE_EXTENSION, VMA_MEMORY_BUDGET},
    {"Extension", "VK_AMD_device_coherent_memory", VALUE_EXTENSION, VMA_DEVICE_COHERENT_MEMORY},
    {"Macro", "VMA_DEBUG_ALWAYS_DEDICATED_MEMORY", VALUE_BOOL, MACRO(always_dedicated)},
    {"Macro", "VMA_DEBUG_INITIALIZE_ALLOCATIONS", VALUE_BOOL, MACRO(initialize_allocations)},
    {"Macro", "VMA_DEBUG_DETECT_CORRUPTION", VALUE_BOOL, MACRO(detect_corruption)},
    {"Macro", "VMA_DEBUG_GLOBAL_MUTEX", VALUE_BOOL, MACRO(global_mutex)},
    {"Macro", "VMA_DEBUG_ALIGNMENT", VALUE_U64, MACRO(alignment)},
    {"Macro", "VMA_MIN_ALIGNMENT", VALUE_U64, MACRO(alignment)},
    {"Macro", "VMA_DEBUG_MARGIN", VALUE_U64, MACRO(margin)},
    {"Macro", "VMA_DEBUG_MIN_BUFFER_IMAGE_GRANULARITY", VALUE_U64, MACRO(min_granularity)},
    {"Macro", "VMA_SMALL_HEAP_MAX_SIZE", VALUE_U64, MACRO(small_heap)},
    {"Macro", "VMA_DEFAULT_LARGE_HEAP_BLOCK_SIZE", VALUE_U64, MACRO(large_block)},
};

enum { KEYS = sizeof(keys) / sizeof(keys[0]) };

void vma_configuration_default(struct vma_configuration *configuration)
{
    static const uint8_t name[] = "Radeon RX Vega";

    *configuration = (struct vma_configuration){.device = default_device, .macros = default_macros};
    configuration->device.name = (struct vma_slice){name, name + sizeof(name) - 1};
}

void vma_configuration_begin(struct vma_configuration *configuration)
{
    static const uint8_t nothing[1];

    *configuration = (struct vma_configuration){.present = true, .macros = default_macros};
    configuration->device.name = (struct vma_slice){nothing, nothing};
    configuration->device.max_allocations = UINT32_MAX;
    configuration->device.granularity = configuration->device.atom = 1;
}

static const char *const bad_value = "Configuration value is not a number.";
static const char *const negative_value = "Configuration value is negative: it wraps.";

static const char *judge_number(bool good, struct vma_slice value)
{
    if (!good)
        return bad_value;
    return memchr(value.begin, '-', vma_slice_length(value)) != NULL ? negative_value : NULL;
}

/* Marks a key as seen. Returns a message if it was seen before; the last value counts. */
static const char *mark_seen(uint64_t *seen, uint64_t bit)
{
    bool again = (*seen & bit) != 0;

    *seen |= bit;
    return again ? "Repeated configuration key; the last one counts." : NULL;
}

/* Stores a value of the key table. Returns what is wrong, or NULL. */
static const char *set_key(struct vma_configuration *configuration, const struct key *key,
                           struct vma_columns *columns)
{
    void *field = (char *)configuration + key->offset;
    struct vma_slice value, minor = {0};
    bool flag;

    if (key->kind == VALUE_REST)
        return vma_read_text(columns, field) ? NULL : "The device's name is truncated.";
    vma_columns_next(columns, &value);
    if (key->kind == VALUE_API)
        vma_columns_next(columns, &minor);
    if (columns->next != NULL)
        return "Surplus columns in the configuration.";
    value = vma_slice_trim(value);
    switch (key->kind) {
    case VALUE_U32:
        return judge_number(vma_read_u32(value, field), value);
    case VALUE_U64:
        return judge_number(vma_read_u64(value, field), value);
    case VALUE_BOOL:
        return vma_read_bool(value, field) ? NULL : bad_value;
    case VALUE_EXTENSION:
        if (!vma_read_bool(value, &flag))
            return bad_value;
        configuration->extensions[key->offset] = flag;
        configuration->extension_given[key->offset] = true;
        return NULL;
    default:
        if (!vma_read_u32(value, &configuration->api_major) ||
            !vma_read_u32(vma_slice_trim(minor), &configuration->api_minor))
            return bad_value;
        configuration->given_api = true;
        return NULL;
    }
}

/* `Heap,i,size,…`, `Heap,i,flags,…`, `Type,i,heapIndex,…`, `Type,i,propertyFlags,…`. */
static const char *set_indexed(struct vma_configuration *configuration,
                               struct vma_configuration_reader *reader, bool heap,
                               struct vma_columns *columns)
{
    struct vma_device *device = &configuration->device;
    struct vma_slice index_column, name, value;
    uint32_t index = 0;
    bool first, good;

    vma_columns_next(columns, &index_column);
    vma_columns_next(columns, &name);
    if (!vma_columns_next(columns, &value) || columns->next != NULL)
        return "Wrong number of columns in the configuration.";
    value = vma_slice_trim(value);
    if (!vma_read_u32(index_column, &index))
        return bad_value;
    if (index >= (heap ? device->heap_count : device->type_count))
        return "Index beyond the number of heaps or types; the line is ignored.";
    first = vma_slice_is(name, heap ? "size" : "heapIndex");
    if (!first && !vma_slice_is(name, heap ? "flags" : "propertyFlags"))
        return "Unknown configuration key.";
    if (heap)
        good = first ? vma_read_u64(value, &device->heaps[index].size)
                     : vma_read_u32(value, &device->heaps[index].flags);
    else
        good =
            vma_read_u32(value, first ? &device->types[index].heap : &device->types[index].flags);
    if (judge_number(good, value) != NULL)
        return judge_number(good, value);
    return mark_seen(heap ? &reader->heaps_seen : &reader->types_seen, UINT64_C(1)
                                                                           << (index * 2 + first));
}

static const char *clamp_count(uint32_t *count, uint32_t max, const char *what)
{
    if (*count <= max)
        return NULL;
    *count = max;
    return what;
}

static const char *set_line(struct vma_configuration *configuration,
                            struct vma_configuration_reader *reader, struct vma_slice text)
{
    struct vma_columns columns;
    struct vma_slice section, name = {0};
    const char *wrong, *repeated;

    vma_columns_init(&columns, text);
    vma_columns_next(&columns, &section);
    if (!vma_slice_is(section, "VulkanApiVersion"))
        vma_columns_next(&columns, &name);
    if (vma_slice_is(section, "PhysicalDeviceMemory") &&
        (vma_slice_is(name, "Heap") || vma_slice_is(name, "Type")))
        return set_indexed(configuration, reader, vma_slice_is(name, "Heap"), &columns);
    for (size_t i = 0; i < KEYS; i++) {
        if (!vma_slice_is(section, keys[i].section) ||
            (keys[i].name != NULL && !vma_slice_is(name, keys[i].name)))
            continue;
        if (columns.next == NULL)
            return "Configuration key without a value.";
        wrong = set_key(configuration, &keys[i], &columns);
        if (wrong != NULL && keys[i].kind != VALUE_REST)
            return wrong;
        repeated = mark_seen(&reader->seen, UINT64_C(1) << i);
        return wrong != NULL ? wrong : repeated; /* a name that is cut is stored nevertheless */
    }
    return "Unknown configuration key.";
}

void vma_configuration_line(struct vma_configuration *configuration,
                            struct vma_configuration_reader *reader, const struct vma_line *line,
                            uint64_t packet, struct vma_diagnostics *diagnostics)
{
    struct vma_device *device = &configuration->device;
    const char *wrong = set_line(configuration, reader, line->text);
    const char *clamped[] = {
        clamp_count(&device->heap_count, VMA_HEAPS, "More than 16 heaps; the rest is dropped."),
        clamp_count(&device->type_count, VMA_TYPES,
                    "More than 32 memory types; the rest is dropped."),
    };

    if (wrong != NULL)
        vma_diagnostics_add(diagnostics, PROBLEM_WARNING, line->offset, packet, "%s", wrong);
    for (size_t i = 0; i < sizeof(clamped) / sizeof(clamped[0]); i++)
        if (clamped[i] != NULL)
            vma_diagnostics_add(diagnostics, PROBLEM_WARNING, line->offset, packet, "%s",
                                clamped[i]);
}

static bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

static uint64_t next_power_of_two(uint64_t value)
{
    uint64_t power = 1;

    while (power < value && power < UINT64_C(1) << 63)
        power <<= 1;
    return power;
}

void vma_configuration_end(struct vma_configuration *configuration, uint64_t offset,
                           uint64_t packet, struct vma_diagnostics *diagnostics)
{
    struct vma_device *device = &configuration->device;
    uint64_t granularities[] = {device->granularity, configuration->macros.min_granularity};

    for (uint32_t i = 0; i < device->type_count; i++) {
        if (device->types[i].heap < device->heap_count)
            continue;
        vma_diagnostics_add(diagnostics, PROBLEM_WARNING, offset, packet,
                            "Memory type %u is dropped: its heap does not exist.", i);
        device->types[i].heap = VMA_NO_HEAP;
    }
    for (size_t i = 0; i < sizeof(granularities) / sizeof(granularities[0]); i++)
        if (!is_power_of_two(granularities[i]))
            vma_diagnostics_add(
                diagnostics, PROBLEM_WARNING, offset, packet,
                "A granularity is not a power of two; the next power of two is used.");
}

uint64_t vma_configuration_granularity(const struct vma_device *device,
                                       const struct vma_macros *macros)
{
    uint64_t recorded = next_power_of_two(device->granularity);
    uint64_t min = next_power_of_two(macros->min_granularity);

    return recorded > min ? recorded : min;
}

uint64_t vma_preferred_block_size(const struct vma_macros *macros, uint64_t heap_size)
{
    uint64_t size =
        heap_size <= macros->small_heap ? heap_size / SMALL_HEAP_DIVISOR : macros->large_block;
    uint64_t rounded;

    if (size == 0)
        return PREFERRED_MULTIPLE;
    if (!bytes_add(size, PREFERRED_MULTIPLE - 1, &rounded))
        return UINT64_MAX - (PREFERRED_MULTIPLE - 1);
    return rounded / PREFERRED_MULTIPLE * PREFERRED_MULTIPLE;
}
