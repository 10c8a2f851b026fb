/* SPDX-License-Identifier: MIT */
#include "formats/vma/dump.h"

#include "formats/vma/views/views.h"
#include "tree/names.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

enum { GROUP_BITS = 40, GROUP_DIGITS = 5, POOL_BITS = 32, POOL_DIGITS = 5 };

int vma_prepare(struct dump *dump, unsigned rule, uint64_t key, const struct cancel *cancel)
{
    struct vma_dump *vma = vma_dump_of(dump);

    return rule == VMA_RULE_AFTER_JSON ? vma_prepare_after(vma, key, cancel)
                                       : vma_prepare_frame(vma, key, cancel);
}

/* Names. */

static int next_below(uint64_t from, uint64_t count, uint64_t *ordinal)
{
    *ordinal = from;
    return from < count ? 0 : -ENOENT;
}

static uint64_t group_count(const struct dump *dump)
{
    return (vma_dump_of_const(dump)->recording.packets + (uint64_t)VMA_GROUP_PACKETS - 1) /
           VMA_GROUP_PACKETS;
}

static int next_group(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *group)
{
    (void)parent_key;
    return next_below(from, group_count(dump), group);
}

/* Group names have as many digits as in packets/. */
static int group_name(const struct dump *dump, uint64_t group, char *name)
{
    unsigned digits = names_digits(dump->follow != NULL ? 0 : group_count(dump), GROUP_DIGITS);

    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64, (int)digits, group);
    return 0;
}

static int name_group(struct dump *dump, uint64_t parent_key, uint64_t group, char *name)
{
    (void)parent_key;
    return group_name(dump, group, name);
}

static int next_in_group(struct dump *dump, uint64_t group, uint64_t from, uint64_t *packet)
{
    uint64_t first = group * VMA_GROUP_PACKETS, end = first + VMA_GROUP_PACKETS;
    uint64_t packets = vma_dump_of(dump)->recording.packets;

    return next_below(from > first ? from : first, end < packets ? end : packets, packet);
}

static int next_in_frame(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *packet)
{
    const struct vma_recording *recording = &vma_dump_of(dump)->recording;
    uint64_t first;

    if (frame >= recording->frame_count)
        return -ENOENT;
    first = recording->frames[frame].first;
    return next_below(from > first ? from : first,
                      vma_recording_frame_last(recording, (uint32_t)frame) + (uint64_t)1, packet);
}

static void packet_name(const struct dump *dump, uint64_t packet, const char *suffix, char *name)
{
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 "%s", (int)tree_packet_digits(dump), packet,
             suffix);
}

static int name_after_json(struct dump *dump, uint64_t parent_key, uint64_t packet, char *name)
{
    (void)parent_key;
    packet_name(dump, packet, ".json", name);
    return 0;
}

static int name_after_png(struct dump *dump, uint64_t parent_key, uint64_t packet, char *name)
{
    (void)parent_key;
    packet_name(dump, packet, ".png", name);
    return 0;
}

static int next_pool(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *pool)
{
    (void)parent_key;
    return next_below(from, vma_dump_of(dump)->recording.counts.pools, pool);
}

static int name_pool(struct dump *dump, uint64_t parent_key, uint64_t pool, char *name)
{
    unsigned digits = names_digits(vma_dump_of(dump)->recording.counts.pools, POOL_DIGITS);

    (void)parent_key;
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64, (int)digits, pool);
    return 0;
}

/* Returns -ENOENT for snapshots, which have states but no calls. */
static int has_calls(struct dump *dump, uint64_t key)
{
    (void)key;
    return vma_dump_of_const(dump)->series != NULL ? -ENOENT : 0;
}

/* Returns -ENOENT until no more can come: what follows from all calls exists only then. */
static int has_all(struct dump *dump, uint64_t key)
{
    return vma_dump_grows(vma_dump_of_const(dump)) ? -ENOENT : has_calls(dump, key);
}

static int has_pools(struct dump *dump, uint64_t key)
{
    int status = has_all(dump, key);

    return status == 0 && vma_dump_of(dump)->recording.counts.pools == 0 ? -ENOENT : status;
}

static int has_timeline(struct dump *dump, uint64_t key)
{
    int status = vma_dump_grows(vma_dump_of_const(dump)) ? -ENOENT : 0;

    (void)key;
    return status == 0 && vma_dump_of(dump)->recording.frame_count == 0 ? -ENOENT : status;
}

/* Contents that one function writes as text. */

static int make_with(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     int (*write)(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                  struct text *text),
                     struct blob **out)
{
    struct text text = TEXT_INIT;
    int status = write(dump, key, cancel, &text);

    if (status == 0)
        status = text_blob(&text, out);
    text_clear(&text);
    return status;
}

#define MAKE_TEXT(make, write)                                                                     \
    static int make(struct dump *dump, uint64_t key, const struct cancel *cancel,                  \
                    struct blob **out)                                                             \
    {                                                                                              \
        return make_with(dump, key, cancel, write, out);                                           \
    }

MAKE_TEXT(make_report, vma_report)
MAKE_TEXT(make_leaks, vma_leaks)
MAKE_TEXT(make_leaks_table, vma_leaks_table)
MAKE_TEXT(make_peak, vma_peak)
MAKE_TEXT(make_blocks, vma_blocks)
MAKE_TEXT(make_pool_info, vma_pool_info)
MAKE_TEXT(make_after_json, vma_after_json)
MAKE_TEXT(make_stats, vma_frame_stats)
MAKE_TEXT(make_simulated, vma_frame_detailed)
MAKE_TEXT(make_live, vma_frame_live)
MAKE_TEXT(make_budget, vma_frame_budget)

/* For a snapshot, this is the text itself. */
static int make_detailed(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct blob **out)
{
    return vma_dump_of(dump)->series != NULL ? vma_snapshot_bytes(dump, frame, cancel, out)
                                             : make_simulated(dump, frame, cancel, out);
}

static int make_after_link(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                           struct blob **out)
{
    char group[RULE_NAME_MAX + 1], name[RULE_NAME_MAX + 1];
    struct text text = TEXT_INIT;

    (void)cancel;
    if (packet >= vma_dump_of(dump)->recording.packets)
        return -ENOENT;
    group_name(dump, packet / VMA_GROUP_PACKETS, group);
    packet_name(dump, packet, ".png", name);
    text_add(&text, "../../../after/");
    text_add(&text, group);
    text_add_char(&text, '/');
    text_add(&text, name);
    return text_blob(&text, out);
}

static const struct rule_family group_family = {GROUP_BITS, next_group, name_group, NULL};
static const struct rule_family after_json_family = {0, next_in_group, name_after_json, NULL};
static const struct rule_family after_png_family = {0, next_in_group, name_after_png, NULL};
static const struct rule_family frame_after_family = {0, next_in_frame, name_after_png, NULL};
static const struct rule_family pool_family = {POOL_BITS, next_pool, name_pool, NULL};

#define VMA(what, own_id, in, pattern)                                                             \
    .kind = RULE_##what, .id = VMA_RULE_##own_id, .parent = in, .name = pattern

const struct rule vma_rules[VMA_RULES] = {
    {VMA(FILE, MEMORY, RULE_ROOT, "memory.tsv"), .listing = &vma_memory_table, .grows = true,
     .help = "blocks, allocations and bytes at the end of each frame, one frame per line"},
    {VMA(FILE, TIMELINE, RULE_ROOT, "timeline.png"), .exists = has_timeline,
     .size = vma_timeline_size, .make = vma_timeline_make, .work = CACHE_RENDER, .slow = true,
     .help = "the same as a chart: bytes of each heap over the recording"},
    {VMA(FILE, ALLOCATIONS, RULE_ROOT, "allocations.tsv"), .listing = &vma_allocations_table,
     .exists = has_all, .help = "all allocations with their lifetimes and places, one per line"},
    {VMA(FILE, STATISTICS, RULE_ROOT, "stats.txt"), .make = make_report, .slow = true,
     .exists = has_all,
     .help = "statistics of the recording: calls, classes, all parameters, threads, peaks"},
    {VMA(FILE, LEAKS, RULE_ROOT, "leaks.txt"), .make = make_leaks, .slow = true, .exists = has_all,
     .help = "objects that were never destroyed, one per line; empty if there are none"},
    {VMA(FILE, LEAKS_TABLE, RULE_ROOT, "leaks.tsv"), .make = make_leaks_table, .slow = true,
     .exists = has_all, .help = "the same as a table"},
    {VMA(FILE, FAILURES, RULE_ROOT, "failures.tsv"), .listing = &vma_failures_table,
     .exists = has_all, .help = "the calls that fail in the simulation, and why"},
    {VMA(FILE, PEAK, RULE_ROOT, "peak.tsv"), .make = make_peak, .slow = true, .exists = has_all,
     .help = "the contents of memory when most bytes are used, the largest first"},
    {VMA(FILE, LABELS, RULE_ROOT, "labels.tsv"), .listing = &vma_labels_table, .grows = true,
     .help = "the number and bytes of buffers and images at the end of each frame"},
    {VMA(FILE, LABELS_PNG, RULE_ROOT, "labels.png"), .exists = has_timeline,
     .size = vma_labels_png_size, .make = vma_labels_png_make, .work = CACHE_RENDER, .slow = true,
     .help = "the same as a chart, in the colours of the maps"},
    {VMA(FILE, POOLS_TABLE, RULE_ROOT, "pools.tsv"), .listing = &vma_pools_table, .grows = true,
     .help = "the contents of each pool at the end of each frame"},
    {VMA(DIRECTORY, POOLS, RULE_ROOT, "pools"), .exists = has_pools},
    {VMA(DIRECTORY, POOL, VMA_RULE_POOLS, "NNNNN"), .family = &pool_family,
     .help = "the pool created by vmaCreatePool line number NNNNN"},
    {VMA(FILE, POOL_INFO, VMA_RULE_POOL, "info.txt"), .make = make_pool_info, .slow = true,
     .help = "its parameters, names, beginning and end, 'key: value'"},
    {VMA(FILE, POOL_ALLOCATIONS, VMA_RULE_POOL, "allocations.tsv"),
     .listing = &vma_pool_allocations_table, .help = "its rows of allocations.tsv"},
    {VMA(DIRECTORY, AFTER, RULE_ROOT, "after"), .exists = has_calls},
    {VMA(DIRECTORY, AFTER_GROUP, VMA_RULE_AFTER, "BBBBB"), .family = &group_family,
     .help = "the state after each of a thousand packets, grouped as in packets/"},
    {VMA(FILE, AFTER_JSON, VMA_RULE_AFTER_GROUP, "NNNNNNNN.json"), .family = &after_json_family,
     .counts = "packet", .size = vma_after_json_size, .make = make_after_json, .work = CACHE_RENDER,
     .help = "detailed statistics after packet NNNNNNNN, in the format of VMA"},
    {VMA(FILE, AFTER_PNG, VMA_RULE_AFTER_GROUP, "NNNNNNNN.png"), .family = &after_png_family,
     .counts = "packet", .size = vma_after_png_size, .make = vma_after_png_make,
     .work = CACHE_RENDER, .help = "the memory map after packet NNNNNNNN"},
    {VMA(FILE, STATS, RULE_FRAME, "stats.json"), .exists = has_calls, .alike = true,
     .size = vma_stats_size, .make = make_stats, .work = CACHE_RENDER,
     .help = "statistics at its end, as vmaBuildStatsString writes them"},
    {VMA(FILE, DETAILED, RULE_FRAME, "detailed.json"), .size = vma_detailed_size,
     .make = make_detailed, .work = CACHE_RENDER,
     .help = "the same with all blocks and ranges, for VmaDumpVis.py"},
    {VMA(FILE, LIVE, RULE_FRAME, "live.tsv"), .size = vma_live_size, .make = make_live,
     .work = CACHE_RENDER, .help = "the allocations that exist at its end, one per line"},
    {VMA(FILE, BUDGET, RULE_FRAME, "budget.txt"), .make = make_budget, .work = CACHE_RENDER,
     .ahead = true, .help = "the usage and budget of each heap, 'key: value'"},
    {VMA(FILE, BLOCKS, RULE_FRAME, "blocks.tsv"), .make = make_blocks, .work = CACHE_RENDER,
     .ahead = true,
     .help = "its blocks and dedicated allocations: sizes, free ranges, fragmentation"},
    {VMA(DIRECTORY, FRAME_AFTER, RULE_FRAME, "after"), .exists = has_calls, .alike = true,
     .help = "step through the frame: links to the memory map after each of its packets"},
    {VMA(LINK, FRAME_AFTER_PNG, VMA_RULE_FRAME_AFTER, "NNNNNNNN.png"),
     .family = &frame_after_family, .make = make_after_link},
};
