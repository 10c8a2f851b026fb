/* SPDX-License-Identifier: MIT */
#include "formats/gapir/dump.h"

#include "formats/gapir/views/views.h"
#include "tree/names.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    RESOURCE_DIGITS = 5,
    POST_DIGITS = 6,
    PC_DIGITS = 8,
    GROUP_DIGITS = 5,
    WINDOW_DIGITS = 2,
    GROUP_PACKETS = 1000,
    ID_MAX = 128, /* maximum number of characters of a resource's id in a name */
};

static int name_number(char *name, unsigned digits, uint64_t number, const char *suffix)
{
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 "%s", (int)digits, number, suffix);
    return 0;
}

static const struct gapir_replay *replay_of(struct dump *dump)
{
    return gapir_dump_of(dump)->replay;
}

/* Returns NULL until the index exists; callers then return -EAGAIN. */
static const struct gapir_index *index_of(struct dump *dump)
{
    return gapir_dump_peek(gapir_dump_of(dump));
}

/* Sets *ordinal to `from` if that is below `count`, otherwise returns -ENOENT. */
static int next_of(uint64_t count, uint64_t from, uint64_t *ordinal)
{
    *ordinal = from;
    return from < count ? 0 : -ENOENT;
}

/* Resources. */

static int next_resource(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal)
{
    (void)parent_key;
    return next_of(replay_of(dump)->payload.resource_count, from, ordinal);
}

/*
 * Names a resource NNNNN-ID.bin, replacing characters of the id that are not allowed in a name by
 * `_`.
 */
static int name_resource(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    const struct gapir_replay *replay = replay_of(dump);
    const struct gapir_slice *id = &replay->resources[ordinal].id;
    char reduced[ID_MAX + 6];
    size_t length = 0;

    (void)parent_key;
    for (uint64_t n = 0; n < id->size && length < ID_MAX; n++) {
        bool good = id->data[n] != 0 && strchr(allowed, id->data[n]) != NULL;
        reduced[length++] = good ? (char)id->data[n] : '_';
    }
    memcpy(reduced + length, ".bin", 5);
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 "-%s",
             (int)names_digits(replay->payload.resource_count, RESOURCE_DIGITS), ordinal, reduced);
    return 0;
}

static int next_inline(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal)
{
    const struct gapir_scan *scan = &replay_of(dump)->scan;
    uint32_t low = 0, high = scan->inline_count;

    (void)parent_key;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (scan->inlines[middle].pc < from)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == scan->inline_count)
        return -ENOENT;
    *ordinal = scan->inlines[low].pc;
    return 0;
}

static int name_pc(struct dump *dump, uint64_t pc, const char *suffix, char *name)
{
    return name_number(name, names_digits(replay_of(dump)->scan.code.count, PC_DIGITS), pc, suffix);
}

static int name_inline_bin(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    (void)parent_key;
    return name_pc(dump, ordinal, ".bin", name);
}

static int name_inline_txt(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    (void)parent_key;
    return name_pc(dump, ordinal, ".txt", name);
}

/* Posts, notifications, windows. */

static int next_post(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal)
{
    const struct gapir_index *index = index_of(dump);

    (void)parent_key;
    return index != NULL ? next_of(index->post_count, from, ordinal) : -EAGAIN;
}

static int name_post(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    const struct gapir_index *index = index_of(dump);

    (void)parent_key;
    return index == NULL
               ? -EAGAIN
               : name_number(name, names_digits(index->post_count, POST_DIGITS), ordinal, ".bin");
}

static int next_notification(struct dump *dump, uint64_t parent_key, uint64_t from,
                             uint64_t *ordinal)
{
    const struct gapir_index *index = index_of(dump);

    (void)parent_key;
    return index != NULL ? next_of(index->notification_count, from, ordinal) : -EAGAIN;
}

static int name_notification(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    const struct gapir_index *index = index_of(dump);

    (void)parent_key;
    return index == NULL ? -EAGAIN
                         : name_number(name, names_digits(index->notification_count, POST_DIGITS),
                                       ordinal, ".bin");
}

static int next_window(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal)
{
    const struct gapir_index *index = index_of(dump);

    (void)parent_key;
    return index != NULL ? next_of(index->window_count, from, ordinal) : -EAGAIN;
}

static int name_window(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    const struct gapir_index *index = index_of(dump);

    (void)parent_key;
    return index == NULL ? -EAGAIN
                         : name_number(name, names_digits(index->window_count, WINDOW_DIGITS),
                                       ordinal, ".bin");
}

/* Memory after packets: of those that ran, in groups of a thousand. */

static int next_memory_in(struct dump *dump, uint64_t from, uint64_t end, uint64_t *packet)
{
    const struct gapir_index *index = index_of(dump);
    uint64_t packets = replay_of(dump)->scan.packet_count;

    if (index == NULL)
        return -EAGAIN;
    for (*packet = from; *packet < end && *packet < packets; ++*packet)
        if (index->visits[*packet].left != 0)
            return 0;
    return -ENOENT;
}

static int next_memory(struct dump *dump, uint64_t group, uint64_t from, uint64_t *packet)
{
    uint64_t first = group * GROUP_PACKETS;

    return next_memory_in(dump, from > first ? from : first, first + GROUP_PACKETS, packet);
}

static int name_memory(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    (void)parent_key;
    return name_number(name, tree_packet_digits(dump), ordinal, ".bin");
}

static int next_memory_group(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *group)
{
    uint64_t packet;
    int status = from <= UINT32_MAX
                     ? next_memory_in(dump, from * GROUP_PACKETS, UINT64_MAX, &packet)
                     : -ENOENT;

    (void)parent_key;
    if (status == 0)
        *group = packet / GROUP_PACKETS;
    return status;
}

static int name_memory_group(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    uint64_t packets = replay_of(dump)->scan.packet_count;

    (void)parent_key;
    return name_number(name,
                       names_digits((packets + GROUP_PACKETS - 1) / GROUP_PACKETS, GROUP_DIGITS),
                       ordinal, "");
}

static int has_memory(struct dump *dump, uint64_t key)
{
    const struct gapir_index *index = index_of(dump);

    (void)key;
    return index == NULL ? -EAGAIN : index->refused ? -ENOENT : 0;
}

/* Frames. */

static int frame_has_post(struct dump *dump, uint64_t frame)
{
    const struct gapir_index *index = index_of(dump);

    if (index == NULL)
        return -EAGAIN;
    return frame < index->frame_count && index->frames[frame].post != GAPIR_NO_POST ? 0 : -ENOENT;
}

static int make_post_link(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct blob **out)
{
    const struct gapir_index *index = index_of(dump);
    struct text text = TEXT_INIT;
    char name[RULE_NAME_MAX + 1];
    int status = frame_has_post(dump, frame);

    (void)cancel;
    if (status != 0)
        return status;
    name_post(dump, 0, index->frames[frame].post, name);
    text_add(&text, "../../posts/");
    text_add(&text, name);
    return text_blob(&text, out);
}

enum { RESOURCE_BITS = 28, PC_BITS = 32, POST_BITS = 28, WINDOW_BITS = 28, GROUP_BITS = 40 };

static const struct rule_family resource_family = {RESOURCE_BITS, next_resource, name_resource,
                                                   NULL};
static const struct rule_family inline_bin_family = {PC_BITS, next_inline, name_inline_bin, NULL};
static const struct rule_family inline_txt_family = {PC_BITS, next_inline, name_inline_txt, NULL};
static const struct rule_family post_family = {POST_BITS, next_post, name_post, NULL};
static const struct rule_family notification_family = {POST_BITS, next_notification,
                                                       name_notification, NULL};
static const struct rule_family window_family = {WINDOW_BITS, next_window, name_window, NULL};
static const struct rule_family group_family = {GROUP_BITS, next_memory_group, name_memory_group,
                                                NULL};
static const struct rule_family memory_family = {0, next_memory, name_memory, NULL};

#define GAPIR(what, own_id, in, pattern)                                                           \
    .kind = RULE_##what, .id = GAPIR_RULE_##own_id, .parent = in, .name = pattern
#define SLICE(name) .size = gapir_##name##_size, .make = gapir_##name##_make, .uncached = true
#define LEFT(name)  .size = gapir_##name##_size, .piece = gapir_##name##_piece, .work = CACHE_RENDER

const struct rule gapir_rules[GAPIR_RULES] = {
    {GAPIR(FILE, DISASSEMBLY, RULE_ROOT, "disassembly.txt"), .listing = &gapir_disassembly_listing,
     .help = "the program, one instruction per line: word, label, code, instruction ; note"},
    {GAPIR(FILE, CALLS, RULE_ROOT, "calls.txt"), .listing = &gapir_calls_listing,
     .help = "executed calls: packet, word, label, thread, name(argument=value, ...) = result"},
    {GAPIR(FILE, FUNCTIONS, RULE_ROOT, "functions.tsv"), .listing = &gapir_functions_listing,
     .help = "the functions that the program calls, and the number of calls"},
    {GAPIR(FILE, OPCODES, RULE_ROOT, "opcodes.tsv"), .listing = &gapir_opcodes_listing,
     .help = "the number of occurrences and executions of each instruction"},
    {GAPIR(FILE, CONSTANTS_BIN, RULE_ROOT, "constants.bin"), SLICE(constants),
     .help = "the constant memory"},
    {GAPIR(FILE, CONSTANTS_TXT, RULE_ROOT, "constants.txt"), .listing = &gapir_constants_listing,
     .help = "the same as a hexdump"},
    {GAPIR(FILE, RESOURCES_TSV, RULE_ROOT, "resources.tsv"), .listing = &gapir_resources_listing,
     .help = "the resources that the program may load, and whether they exist"},
    {GAPIR(DIRECTORY, RESOURCES, RULE_ROOT, "resources")},
    {GAPIR(FILE, RESOURCE, GAPIR_RULE_RESOURCES, "NNNNN-ID.bin"), .family = &resource_family,
     SLICE(resource), .help = "resource NNNNN, from resources.data"},
    {GAPIR(DIRECTORY, INLINE, GAPIR_RULE_RESOURCES, "inline")},
    {GAPIR(FILE, INLINE_BIN, GAPIR_RULE_INLINE, "NNNNNNNN.bin"), .family = &inline_bin_family,
     SLICE(inline), .help = "the data of the INLINE_RESOURCE at word NNNNNNNN"},
    {GAPIR(FILE, INLINE_TXT, GAPIR_RULE_INLINE, "NNNNNNNN.txt"), .family = &inline_txt_family,
     .make = gapir_inline_text_make, .ahead = true,
     .help = "its size and the pointers that it patches"},
    {GAPIR(FILE, POSTS_TSV, RULE_ROOT, "posts.tsv"), .listing = &gapir_posts_listing,
     .help = "the posts of the program, one per line"},
    {GAPIR(DIRECTORY, POSTS, RULE_ROOT, "posts")},
    {GAPIR(FILE, POST, GAPIR_RULE_POSTS, "NNNNNN.bin"), .family = &post_family, .counts = "post",
     LEFT(post), .slow = true, .help = "the bytes of post NNNNNN"},
    {GAPIR(DIRECTORY, MEMORY, RULE_ROOT, "memory"), .exists = has_memory},
    {GAPIR(DIRECTORY, MEMORY_GROUP, GAPIR_RULE_MEMORY, "BBBBB"), .family = &group_family,
     .help = "a thousand packets: BBBBB is the packet's number divided by 1000"},
    {GAPIR(FILE, MEMORY_PACKET, GAPIR_RULE_MEMORY_GROUP, "NNNNNNNN.bin"), .family = &memory_family,
     .counts = "packet", LEFT(memory),
     .help = "volatile memory after packet NNNNNNNN ran for the last time"},
    {GAPIR(FILE, MEMORY_END, GAPIR_RULE_MEMORY, "end.bin"), LEFT(memory_end),
     .help = "volatile memory at the end of the run"},
    {GAPIR(FILE, WINDOWS_TSV, GAPIR_RULE_MEMORY, "windows.tsv"), .listing = &gapir_windows_listing,
     .help = "memory that the driver mapped for the program"},
    {GAPIR(DIRECTORY, WINDOWS, GAPIR_RULE_MEMORY, "windows")},
    {GAPIR(FILE, WINDOW, GAPIR_RULE_WINDOWS, "NN.bin"), .family = &window_family, LEFT(window),
     .help = "window NN at the end of the run"},
    {GAPIR(FILE, NOTIFICATIONS_TSV, RULE_ROOT, "notifications.tsv"),
     .listing = &gapir_notifications_listing, .help = "notifications, one per line"},
    {GAPIR(DIRECTORY, NOTIFICATIONS, RULE_ROOT, "notifications")},
    {GAPIR(FILE, NOTIFICATION, GAPIR_RULE_NOTIFICATIONS, "NNNNNN.bin"),
     .family = &notification_family, LEFT(notification),
     .help = "the bytes of notification NNNNNN"},
    {GAPIR(FILE, FENCES, RULE_ROOT, "fences.tsv"), .listing = &gapir_fences_listing,
     .help = "fences that the program waited for"},
    {GAPIR(FILE, FAULT, RULE_ROOT, "fault.txt"), .make = gapir_fault_make,
     .help = "where and why the run failed; empty if it did not"},
    {GAPIR(FILE, FRAME_DRAWING, RULE_FRAME, "drawing.txt"), .exists = gapir_drawing_exists,
     .alike = true, .unlisted = true, .make = gapir_drawing_make, .work = CACHE_RENDER,
     .slow = true, .help = "calls that Mesa could not make, and why; not listed"},
    {GAPIR(FILE, FRAME_MEMORY, RULE_FRAME, "memory.bin"), LEFT(frame_memory),
     .help = "volatile memory at its end"},
    {GAPIR(LINK, FRAME_POST, RULE_FRAME, "post.bin"), .make = make_post_link,
     .exists = frame_has_post, .help = "the bytes of its picture"},
};
