/* SPDX-License-Identifier: MIT */
#include "formats/gapir/views/views.h"

#include "tree/tables.h"

#include <inttypes.h>
#include <stdio.h>

static void add_source(const struct gapir_dump *dump, struct metadata *out)
{
    metadata_add(out, "format", "GAPIR");
    metadata_add_none(out, "version");
    tables_source(&dump->base, out);
}

static uint32_t count_missing(const struct gapir_replay *replay)
{
    uint32_t missing = 0;

    for (uint32_t n = 0; n < replay->payload.resource_count; n++)
        missing += replay->resources[n].status != GAPIR_RESOURCE_OK;
    return missing;
}

static void add_payload(const struct gapir_replay *replay, struct metadata *out)
{
    const struct gapir_payload *payload = &replay->payload;

    metadata_add_u64(out, "stack_size", payload->stack_size);
    metadata_add_u64(out, "volatile_memory_size", payload->volatile_size);
    metadata_add_u64(out, "constants_bytes", payload->constants.size);
    metadata_add_u64(out, "resources", payload->resource_count);
    metadata_add_u64(out, "resources_missing", count_missing(replay));
    metadata_add_u64(out, "words", replay->scan.code.count);
    metadata_add_u64(out, "instructions", replay->scan.instructions);
    metadata_add_u64(out, "trailing_bytes", payload->trailing_bytes);
}

static void add_dialect(const struct gapir_replay *replay, struct metadata *out)
{
    const struct gapir_scan *scan = &replay->scan;
    const char *name = gapir_dialect_name(scan->code.dialect);

    if (replay->params.scan.dialect_given)
        metadata_add(out, "dialect", "%s (option)", name);
    else if (scan->dialect_found)
        metadata_add(out, "dialect", "%s (auto: opcode %" PRIu32 " at %08" PRIu32 ")", name,
                     gapir_word(&scan->code, scan->dialect_pc) >> 26, scan->dialect_pc);
    else
        metadata_add(out, "dialect", "%s (auto: no instruction tells)", name);
}

static unsigned count_used(const struct gapir_scan *scan, unsigned api)
{
    unsigned used = 0;

    for (uint32_t n = 0; n < scan->usage_count; n++)
        used += scan->usages[n].key >> 16 == api;
    return used;
}

static void add_table(const struct gapir_scan *scan, unsigned api, unsigned used, const char *how,
                      struct metadata *out)
{
    const struct gapir_table *table = scan->tables[api];

    if (table != NULL)
        metadata_add(out, "api_table", "%s (%s: %s the arguments of %u functions)", table->release,
                     how, scan->table_fits[api] ? "fits" : "does not fit all", used);
    else
        metadata_add(out, "api_table", "- (%s: no release fits the %u functions of api %u)", how,
                     used, api);
}

/* Starts at api 1: api 0 belongs to the VM itself. */
static void add_tables(const struct gapir_replay *replay, struct metadata *out)
{
    const char *how = replay->params.scan.table != NULL ? "option" : "auto";

    metadata_add_list(out, "api_table");
    for (unsigned api = 1; api < GAPIR_APIS; api++) {
        unsigned used = count_used(&replay->scan, api);
        if (used > 0)
            add_table(&replay->scan, api, used, how, out);
    }
}

static void add_run(const struct gapir_scan *scan, const struct gapir_index *index,
                    struct metadata *out)
{
    char result[32];

    gapir_index_result(index, result);
    metadata_add_u64(out, "calls", index->calls);
    metadata_add_u64(out, "posts", index->post_count);
    metadata_add_u64(out, "notifications", index->notification_count);
    metadata_add_u64(out, "fences", index->fence_count);
    metadata_add_u64(out, "threads", scan->threads);
    metadata_add(out, "result", "%s", result);
    metadata_add_u64(out, "executed", index->end.steps);
}

static void add_opcodes(const struct gapir_scan *scan, struct metadata *out)
{
    char key[40];

    for (unsigned opcode = 0; opcode < GAPIR_OPCODES; opcode++) {
        if (scan->histogram[opcode] == 0)
            continue;
        snprintf(key, sizeof(key), "opcodes.%s", gapir_opcode_table[opcode].name);
        metadata_add_u64(out, key, scan->histogram[opcode]);
    }
}

int gapir_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    const struct gapir_replay *replay = gapir->replay;
    struct tables_totals totals = {.duration = -1};
    const struct gapir_index *index;
    int status = gapir_dump_index(gapir, cancel, &index);

    if (status != 0)
        return status;
    add_source(gapir, out);
    totals.packets = replay->scan.packet_count;
    totals.frames = index->frame_count;
    totals.unfinished = totals.frames > 0 && index->frames[totals.frames - 1].end[0] == '-';
    status = tables_totals(dump, &totals, cancel, out);
    add_payload(replay, out);
    add_dialect(replay, out);
    add_tables(replay, out);
    metadata_add_u64(out, "pointer_size", replay->params.pointer_size);
    metadata_add_u64(out, "labels", replay->scan.histogram[GAPIR_LABEL]);
    add_run(&replay->scan, index, out);
    add_opcodes(&replay->scan, out);
    return status;
}
