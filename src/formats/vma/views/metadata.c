/* SPDX-License-Identifier: MIT */
#include "formats/vma/views/views.h"

#include "tree/tables.h"

#include <inttypes.h>
#include <stdio.h>

enum { VENDOR_NVIDIA = 4318 };

static void add_number(struct metadata *out, const char *group, uint32_t number, const char *name,
                       uint64_t value)
{
    char key[64];

    snprintf(key, sizeof(key), "%s.%" PRIu32 ".%s", group, number, name);
    metadata_add_u64(out, key, value);
}

/* Adds a number under the key with `_number` appended. */
static void add_number_of(struct metadata *out, const char *key, uint32_t value)
{
    char number[80];

    snprintf(number, sizeof(number), "%s_number", key);
    metadata_add_u64(out, number, value);
}

/* Adds the name of a value, and its number. */
static void add_enum(struct metadata *out, const char *key, const struct vma_enum *values,
                     uint32_t value)
{
    struct text text = TEXT_INIT;

    vma_enum_write(values, value, &text);
    metadata_add_text(out, key, &text);
    text_clear(&text);
    add_number_of(out, key, value);
}

/* Adds the names of a set's bits as a list, and the number. */
static void add_set(struct metadata *out, const char *key, const struct vma_enum *values,
                    uint32_t value)
{
    struct text text = TEXT_INIT;

    metadata_add_list(out, key);
    if (value != 0)
        vma_enum_write(values, value, &text);
    for (size_t begin = 0, end; begin < text.length; begin = end + 1) {
        for (end = begin; end < text.length && text.bytes[end] != '|';)
            end++;
        metadata_add_bytes(out, key, text.bytes + begin, end - begin);
    }
    if (text_status(&text) < 0)
        metadata_fail(out, text_status(&text));
    text_clear(&text);
    add_number_of(out, key, value);
}

static void add_time(struct metadata *out, const char *key, uint64_t milliseconds)
{
    if (milliseconds == VMA_NO_TIME)
        metadata_add_none(out, key);
    else
        metadata_add_real(out, key, (double)milliseconds / 1000, 3);
}

static void add_file(const struct vma_dump *dump, struct metadata *out)
{
    metadata_add(out, "format", "VMA");
    if (dump->series != NULL)
        metadata_add(out, "version", "3");
    else
        metadata_add(out, "version", "1,%" PRIu32, dump->recording.minor);
    tables_source(&dump->base, out);
}

static int add_totals(struct vma_dump *dump, const struct vma_counts *counts,
                      const struct cancel *cancel, struct metadata *out)
{
    struct tables_totals totals = {
        .packets = dump->recording.packets,
        .frames = dump->recording.frame_count,
        .unfinished = !counts->finished,
        .duration = -1,
    };

    if (counts->first_time != VMA_NO_TIME && counts->last_time >= counts->first_time)
        totals.duration = (double)(counts->last_time - counts->first_time) / 1000;
    return tables_totals(&dump->base, &totals, cancel, out);
}

static void add_grouping(const struct vma_dump *dump, struct metadata *out)
{
    const struct vma_recording *recording = &dump->recording;

    if (recording->by_index) {
        metadata_add(out, "frames.grouping", "%s", dump->series != NULL ? "snapshot" : "index");
        metadata_add_none(out, "frames.allocating_calls");
        return;
    }
    metadata_add(out, "frames.grouping", "every %" PRIu32 " allocating calls",
                 recording->calls_per_frame);
    metadata_add_u64(out, "frames.allocating_calls", recording->calls_per_frame);
}

static void add_counts(const struct vma_counts *counts, struct metadata *out)
{
    char key[64];

    metadata_add_u64(out, "frames.late_lines", counts->late_lines);
    metadata_add_u64(out, "frames.set_back", counts->set_back);
    metadata_add_u64(out, "calls", counts->call_lines);
    metadata_add_u64(out, "allocating_calls", counts->allocating);
    metadata_add_u64(out, "threads", counts->threads);
    metadata_add_u64(out, "pools", counts->pools);
    metadata_add_u64(out, "pools.at_one_time", counts->max_pools);
    add_time(out, "first_time", counts->first_time);
    add_time(out, "last_time", counts->last_time);
    for (unsigned i = 0; i < VMA_FUNCTIONS; i++) {
        if (counts->functions[i] == 0)
            continue;
        snprintf(key, sizeof(key), "functions.%s", vma_functions[i].name);
        metadata_add_u64(out, key, counts->functions[i]);
    }
}

/* Vulkan packs 10.10.12 bits; NVIDIA's driver versions 10.8.8.6. */
static void add_versions(const struct vma_device *device, struct metadata *out)
{
    uint32_t api = device->api_version, driver = device->driver_version;

    metadata_add(out, "device.api_version", "%u.%u.%u", api >> 22, api >> 12 & 0x3FF, api & 0xFFF);
    add_number_of(out, "device.api_version", api);
    if (device->vendor == VENDOR_NVIDIA)
        metadata_add(out, "device.driver_version", "%u.%u.%u.%u", driver >> 22, driver >> 14 & 0xFF,
                     driver >> 6 & 0xFF, driver & 0x3F);
    else
        metadata_add(out, "device.driver_version", "%u.%u.%u", driver >> 22, driver >> 12 & 0x3FF,
                     driver & 0xFFF);
    add_number_of(out, "device.driver_version", driver);
}

static void add_heaps_and_types(const struct vma_dump *dump, struct metadata *out)
{
    const struct vma_device *device = &dump->recorded.device;
    char key[64];

    for (uint32_t heap = 0; heap < device->heap_count; heap++) {
        add_number(out, "heap", heap, "size", device->heaps[heap].size);
        snprintf(key, sizeof(key), "heap.%" PRIu32 ".flags", heap);
        add_set(out, key, &vma_heap_flags, device->heaps[heap].flags);
    }
    for (uint32_t type = 0; type < device->type_count; type++) {
        uint32_t heap = device->types[type].heap;

        snprintf(key, sizeof(key), "type.%" PRIu32 ".heap", type);
        if (heap == VMA_NO_HEAP)
            metadata_add_none(out, key);
        else
            metadata_add_u64(out, key, heap);
        snprintf(key, sizeof(key), "type.%" PRIu32 ".flags", type);
        add_set(out, key, &vma_property_flags, device->types[type].flags);
        snprintf(key, sizeof(key), "type.%" PRIu32 ".preferred_block_size", type);
        if (heap == VMA_NO_HEAP)
            metadata_add_none(out, key);
        else
            metadata_add_u64(out, key,
                             vma_preferred_block_size(&dump->recording.configuration.macros,
                                                      device->heaps[heap].size));
    }
}

static void add_device_name(const char *key, const struct vma_device *device, struct metadata *out)
{
    const size_t length = vma_slice_length(device->name);
    const struct json_text string = {device->name.begin, length};

    if (device->name_is_json)
        metadata_add_json_string(out, key, &string);
    else
        metadata_add_bytes(out, key, device->name.begin, length);
}

static void add_device(const struct vma_dump *dump, struct metadata *out)
{
    const struct vma_configuration *configuration = &dump->recorded;
    const struct vma_device *device = &configuration->device;

    metadata_add(out, "configuration", "%s",
                 configuration->present ? "recorded" : "default: the file has none");
    if (configuration->given_api)
        metadata_add(out, "vulkan_api_version", "%" PRIu32 ".%" PRIu32, configuration->api_major,
                     configuration->api_minor);
    else
        metadata_add_none(out, "vulkan_api_version");
    add_device_name("device.name", device, out);
    add_versions(device, out);
    add_enum(out, "device.vendor", &vma_vendors, device->vendor);
    metadata_add(out, "device.id", "0x%04" PRIX32, device->id);
    add_enum(out, "device.type", &vma_device_types, device->kind);
    metadata_add_u64(out, "limits.maxMemoryAllocationCount", device->max_allocations);
    metadata_add_u64(out, "limits.bufferImageGranularity", device->granularity);
    metadata_add_u64(out, "limits.nonCoherentAtomSize", device->atom);
    add_heaps_and_types(dump, out);
}

static void add_macros(const struct vma_dump *dump, struct metadata *out)
{
    const struct vma_configuration *configuration = &dump->recorded;
    const struct vma_macros *macros = &configuration->macros;
    const struct {
        const char *key;
        uint64_t value;
    } values[] = {
        {"macro.VMA_DEBUG_ALWAYS_DEDICATED_MEMORY", macros->always_dedicated},
        {"macro.VMA_DEBUG_INITIALIZE_ALLOCATIONS", macros->initialize_allocations},
        {"macro.VMA_DEBUG_DETECT_CORRUPTION", macros->detect_corruption},
        {"macro.VMA_DEBUG_GLOBAL_MUTEX", macros->global_mutex},
        {"macro.VMA_DEBUG_ALIGNMENT", macros->alignment},
        {"macro.VMA_DEBUG_MARGIN", macros->margin},
        {"macro.VMA_DEBUG_MIN_BUFFER_IMAGE_GRANULARITY", macros->min_granularity},
        {"macro.VMA_SMALL_HEAP_MAX_SIZE", macros->small_heap},
        {"macro.VMA_DEFAULT_LARGE_HEAP_BLOCK_SIZE", macros->large_block},
    };
    char key[64];

    for (unsigned i = 0; i < VMA_EXTENSIONS; i++) {
        snprintf(key, sizeof(key), "extension.%s", vma_extension_names[i]);
        if (configuration->extension_given[i])
            metadata_add_bool(out, key, configuration->extensions[i]);
        else
            metadata_add_none(out, key);
    }
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        metadata_add_u64(out, values[i].key, values[i].value);
}

static void add_simulation(const struct vma_dump *dump, struct metadata *out)
{
    static const char *const algorithms[] = {"default", "linear", "buddy", "recorded"};
    const struct vma_options *options = vma_options_of(dump->base.options);
    const struct vma_configuration *configuration = &dump->recording.configuration;
    const struct vma_device *device = &configuration->device;

    metadata_add(out, "requirements", "%s",
                 dump->series != NULL ? "as told" : "estimated by rule R1");
    metadata_add(out, "simulation", "%s",
                 dump->series != NULL ? "none: the state is as told" : "VMA 2.3.0");
    metadata_add(out, "simulation.macros", "%s",
                 options->macros == VMA_MACROS_RECORDED ? "recorded" : "default");
    metadata_add_bool(out, "simulation.budgets", options->budget == VMA_ON);
    add_device_name("simulation.device", device, out);
    metadata_add_u64(out, "simulation.granularity",
                     vma_configuration_granularity(device, &configuration->macros));
    metadata_add_u64(out, "simulation.block_size", configuration->macros.large_block);
    metadata_add(out, "simulation.pool_algorithm", "%s", algorithms[options->pool_algorithm]);
}

int vma_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out)
{
    struct vma_dump *vma = vma_dump_of(dump);
    struct vma_counts counts;
    int status;

    vma_recording_counts(&vma->recording, &counts);
    add_file(vma, out);
    status = add_totals(vma, &counts, cancel, out);
    add_grouping(vma, out);
    add_counts(&counts, out);
    add_device(vma, out);
    add_macros(vma, out);
    add_simulation(vma, out);
    return status;
}
