/* SPDX-License-Identifier: MIT */
/*
 * The part of the tree that every dump has, whatever its format (gpudumpfs-tree(7), "Every dump"):
 * a table of rules, and the functions of these rules.
 */
#include "tree/internal.h"

#include "base/bytes.h"
#include "tree/find.h"
#include "tree/names.h"
#include "tree/overview.h"
#include "tree/pages.h"
#include "tree/scripts.h"
#include "tree/tables.h"
#include "tree/unfinished.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { PACKETS_PER_GROUP = 1000, GROUP_DIGITS = 5 };

int common_finish(struct text *text, int status, struct blob **out)
{
    if (status == 0)
        status = text_blob(text, out);
    text_clear(text);
    return status;
}

/* Metadata and problems. */

/* Problems that pictures add later do not count: metadata does not change once it was made. */
static int add_problems(struct dump *dump, const struct cancel *cancel, struct metadata *out)
{
    uint64_t moment = dump->follow != NULL ? dump->follow->moment : 0, count = 0;
    int status = dump->ops->settle(dump, cancel);

    if (status != -EINTR && status != -ENOMEM)
        status = problems_count_at(dump->problems, moment, &count);
    metadata_add_u64(out, "problems", count);
    return status;
}

static int make_metadata(struct dump *dump, const struct cancel *cancel,
                         int (*write)(const struct metadata *metadata, struct text *text),
                         struct blob **out)
{
    struct metadata *metadata = NULL;
    struct text text = TEXT_INIT;
    int status = metadata_create(&metadata);

    if (status == 0)
        status = dump->ops->metadata(dump, cancel, metadata);
    if (status == 0)
        status = add_problems(dump, cancel, metadata);
    if (status == 0)
        status = write(metadata, &text);
    metadata_destroy(&metadata);
    return common_finish(&text, status, out);
}

static int make_metadata_text(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              struct blob **out)
{
    (void)key;
    return make_metadata(dump, cancel, metadata_write_text, out);
}

static int make_metadata_json(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              struct blob **out)
{
    (void)key;
    return make_metadata(dump, cancel, metadata_write_json, out);
}

static int make_problems(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out)
{
    struct text text = TEXT_INIT;
    int status = dump_has_changed(dump) ? 0 : dump->ops->settle(dump, cancel);

    (void)key;
    if (status == -EINTR)
        return status;
    if (dump_check_files(dump) == 0 && status < 0)
        problems_add(dump->problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                     "the dump could not be read to its end: %s", strerror(-status));
    problems_write(dump->problems, &text);
    return common_finish(&text, 0, out);
}

/* Checks the dump's files first, so that a change is reported as soon as it was made. */
static uint64_t problems_version(struct dump *dump, uint64_t key)
{
    (void)key;
    (void)dump_check_files(dump);
    return problems_count(dump->problems);
}

static uint64_t problems_size_so_far(struct dump *dump, uint64_t key)
{
    (void)key;
    return problems_length(dump->problems);
}

/* `size_so_far` of a text that is made in one piece: nothing of it is known before. */
static uint64_t nothing_so_far(struct dump *dump, uint64_t key)
{
    (void)dump, (void)key;
    return 0;
}

static uint64_t packets_size_so_far(struct dump *dump, uint64_t key)
{
    (void)key;
    return unfinished_length(dump->tree);
}

/* Which of the common rules a dump offers. */

static bool has_overlay(const struct dump *dump)
{
    return dump->overlay != NULL;
}

static bool is_recorded(const struct dump *dump)
{
    return !dump->ops->made_of_others;
}

static bool has_pictures(const struct dump *dump)
{
    return dump_has_pictures(dump);
}

static bool has_frames(const struct dump *dump)
{
    return is_recorded(dump) && has_pictures(dump);
}

static bool has_timeline(const struct dump *dump)
{
    return is_recorded(dump) && dump->ops->tables.timeline[0] != NULL;
}

static bool has_textures(const struct dump *dump)
{
    return is_recorded(dump) && dump->ops->textures.rule != 0;
}

static bool has_pictures_to_find(const struct dump *dump)
{
    return has_frames(dump) || has_textures(dump);
}

static bool has_info(const struct dump *dump)
{
    return dump->ops->texts.frame_info != NULL;
}

static bool has_state(const struct dump *dump)
{
    return dump->ops->texts.frame_state != NULL;
}

static const struct dump_listing *choose(bool has_rows, const struct dump_listing *common,
                                         const struct dump_listing *own)
{
    return has_rows && !dump_listing_exists(own) ? common : own;
}

static const struct dump_listing *packet_table(const struct dump *dump)
{
    return choose(dump->ops->tables.packet_rows != NULL, &tables_packets,
                  &dump->ops->tables.packet_table);
}

static const struct dump_listing *frame_packet_table(const struct dump *dump)
{
    return choose(dump->ops->tables.packet_rows != NULL, &tables_frame_packets,
                  &dump->ops->tables.frame_packet_table);
}

static const struct dump_listing *frame_table(const struct dump *dump)
{
    return choose(dump->ops->tables.frame_cells != NULL,
                  dump->ops->tables.measure_frame_cells != NULL ? &tables_measured_frames
                                                                : &tables_frames,
                  &dump->ops->tables.frame_table);
}

static const struct dump_listing *packet_text(const struct dump *dump)
{
    return &dump->ops->texts.packet;
}

static const struct dump_listing *frame_commands(const struct dump *dump)
{
    return &dump->ops->texts.commands;
}

/*
 * Returns whether files that are made from the complete dump exist: not before the dump has ended.
 */
static int has_all(struct dump *dump, uint64_t key)
{
    (void)key;
    return tree_grows(dump->tree) ? -ENOENT : 0;
}

/* Packets, in groups and in frames. */

static int next_group(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *group)
{
    uint64_t packets = dump->ops->packets(dump);

    (void)parent_key;
    *group = from;
    return packets > 0 && from <= (packets - 1) / PACKETS_PER_GROUP ? 0 : -ENOENT;
}

static int name_group(struct dump *dump, uint64_t parent_key, uint64_t group, char *name)
{
    uint64_t packets = dump->follow != NULL ? 0 : dump->ops->packets(dump);
    unsigned digits =
        names_digits((packets + PACKETS_PER_GROUP - 1) / PACKETS_PER_GROUP, GROUP_DIGITS);

    (void)parent_key;
    snprintf(name, RULE_NAME_MAX + 1, "%0*llu", (int)digits, (unsigned long long)group);
    return 0;
}

static int next_in_range(uint64_t first, uint64_t last, uint64_t from, uint64_t *packet)
{
    *packet = from > first ? from : first;
    return *packet <= last ? 0 : -ENOENT;
}

static int next_group_packet(struct dump *dump, uint64_t group, uint64_t from, uint64_t *packet)
{
    uint64_t packets = dump->ops->packets(dump), first = group * PACKETS_PER_GROUP;
    uint64_t last = first + PACKETS_PER_GROUP - 1;
    struct dump_packet description;
    int status;

    if (packets == 0)
        return -ENOENT;
    last = last < packets - 1 ? last : packets - 1;
    do { /* in a followed dump some may not be there yet */
        status = next_in_range(first, last, from, packet);
        from = *packet + 1;
    } while (status == 0 && dump->follow != NULL &&
             dump->ops->packet(dump, *packet, &description) == -ENOENT);
    return status;
}

static int next_frame_packet(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *packet)
{
    struct dump_frame description = {0};
    int status = dump->ops->frame(dump, frame, &description);

    if (status == 0 && description.first_packet >= dump->ops->packets(dump))
        status = -ENOENT;
    if (status < 0)
        return status;
    if (dump->ops->container.next_frame_packet != NULL)
        return dump->ops->container.next_frame_packet(dump, frame, from, packet);
    return next_in_range(description.first_packet, description.last_packet, from, packet);
}

static int name_packet_bin(struct dump *dump, uint64_t parent_key, uint64_t packet, char *name)
{
    (void)parent_key;
    return names_packet(dump, packet, ".bin", name);
}

static int name_packet_txt(struct dump *dump, uint64_t parent_key, uint64_t packet, char *name)
{
    (void)parent_key;
    return names_packet(dump, packet, ".txt", name);
}

static int packet_size(struct dump *dump, uint64_t packet, uint64_t *size)
{
    struct dump_packet description = {0};
    int status = dump->ops->packet(dump, packet, &description);

    *size = description.bytes;
    return status;
}

/* A slice of the mapped dump, neither copied nor cached, unless the format makes the payload. */
static int make_packet(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                       struct blob **out)
{
    struct dump_packet description = {0};
    int status = dump->ops->packet(dump, packet, &description);

    if (status == 0 && dump->ops->container.packet_bytes != NULL)
        return dump->ops->container.packet_bytes(dump, packet, cancel, out);
    if (status < 0)
        return status;
    if (!bytes_inside(description.data, description.bytes, source_size(dump->source)))
        return -EIO;
    return blob_borrow(description.bytes > 0 ? dump->source->data + description.data : NULL,
                       description.bytes, out);
}

/* Frames. */

static int name_frame(struct dump *dump, uint64_t parent_key, uint64_t frame, char *name)
{
    (void)parent_key;
    return names_frame(dump, frame, "", name);
}

static int name_picture(struct dump *dump, uint64_t parent_key, uint64_t frame, char *name)
{
    (void)parent_key;
    return names_frame(dump, frame, ".png", name);
}

static int frame_picture_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    struct dump_picture picture;
    int status = dump_picture_header(dump, frame, &picture);

    return status < 0 ? status : dump_picture_size(dump, &picture, size);
}

static int make_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                              struct blob **out)
{
    int status = names_has_picture(dump, frame);

    return status == 0 ? dump->ops->pictures.make(dump, frame, cancel, out) : status;
}

static int finish_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                                const struct blob *stage, struct blob **out)
{
    return dump->ops->pictures.finish(dump, frame, cancel, stage, out);
}

static int make_frame_info(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                           struct blob **out)
{
    struct text text = TEXT_INIT;
    int status;

    text_add(&text, "frame: ");
    text_add_padded(&text, frame, tree_frame_digits(dump));
    text_add_char(&text, '\n');
    status = dump->ops->texts.frame_info(dump, frame, cancel, &text);
    return common_finish(&text, status, out);
}

static int make_frame_state(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                            struct blob **out)
{
    struct text text = TEXT_INIT;
    int status = dump->ops->texts.frame_state(dump, frame, cancel, &text);

    return common_finish(&text, status, out);
}

/* Links to pictures. */

static int make_picture_link(struct dump *dump, const char *folder, uint64_t frame,
                             struct blob **out)
{
    struct text text = TEXT_INIT;
    char name[RULE_NAME_MAX + 1];
    int status = names_frame(dump, frame, ".png", name);

    text_add(&text, folder);
    text_add(&text, status == 0 ? name : "");
    return common_finish(&text, status, out);
}

static int make_frame_image(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                            struct blob **out)
{
    (void)cancel;
    return make_picture_link(dump, "../../frames/", frame, out);
}

/* Searches from the end, one frame after another. */
static int seek_latest(struct dump *dump, uint64_t *frame)
{
    int status = -ENOENT;

    *frame = dump->ops->frames(dump);
    if (*frame == DUMP_NOT_KNOWN)
        return -EAGAIN;
    while (*frame > 0 && status == -ENOENT)
        status = names_has_picture(dump, --*frame);
    return status;
}

/* Searches by bisection: up to the last picture, there is a picture at or after each frame. */
static int halve_to_latest(struct dump *dump, uint64_t *frame)
{
    uint64_t end = dump->ops->frames(dump), next = 0;
    int status = dump->ops->pictures.next(dump, 0, frame);

    while (status == 0 && end - *frame > 1) {
        uint64_t middle = *frame + (end - *frame) / 2;

        status = dump->ops->pictures.next(dump, middle, &next);
        if (status == 0) {
            *frame = next;
        } else if (status == -ENOENT) {
            end = middle;
            status = 0;
        }
    }
    return status;
}

/*
 * Finds the last frame with a picture; returns -ENOENT if there is none. Searched for once, unless
 * the dump is followed.
 */
static int find_latest(struct dump *dump, uint64_t *frame)
{
    uint64_t known = dump->follow != NULL ? 0 : atomic_load(&dump->tree->latest);
    int status = 0;

    if (known == 0) {
        status = dump->ops->pictures.next != NULL ? halve_to_latest(dump, frame)
                                                  : seek_latest(dump, frame);
        if (status < 0 && status != -ENOENT)
            return status;
        known = status == 0 ? *frame + 1 : LATEST_NONE;
        atomic_store(&dump->tree->latest, known);
    }
    *frame = known - 1;
    return known == LATEST_NONE ? -ENOENT : 0;
}

static int latest_exists(struct dump *dump, uint64_t key)
{
    uint64_t frame = 0;

    (void)key;
    if (dump->ops->pictures.next != NULL) /* if there is any picture, there is a last one */
        return dump->ops->pictures.next(dump, 0, &frame);
    return find_latest(dump, &frame);
}

static int make_latest(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out)
{
    uint64_t frame = 0;
    int status = find_latest(dump, &frame);

    (void)key, (void)cancel;
    return status == 0 ? make_picture_link(dump, "frames/", frame, out) : status;
}

/* Bits of ordinals in keys; the ordinal of a packet is its key. */
enum { GROUP_BITS = 40, FRAME_BITS = 28 };

static const struct rule_family group_family = {
    .bits = GROUP_BITS, .next = next_group, .name = name_group};
static const struct rule_family group_bin_family = {.next = next_group_packet,
                                                    .name = name_packet_bin};
static const struct rule_family group_txt_family = {.next = next_group_packet,
                                                    .name = name_packet_txt};
static const struct rule_family frame_bin_family = {.next = next_frame_packet,
                                                    .name = name_packet_bin};
static const struct rule_family frame_txt_family = {.next = next_frame_packet,
                                                    .name = name_packet_txt};
static const struct rule_family frame_family = {
    .bits = FRAME_BITS, .next = names_next_frame, .name = name_frame};
static const struct rule_family picture_family = {
    .bits = FRAME_BITS, .next = names_next_picture, .name = name_picture};

#define COMMON(what, own_id, in, pattern)                                                          \
    .kind = RULE_##what, .id = RULE_##own_id, .parent = RULE_##in, .name = pattern

const struct rule common_rules[] = {
    {COMMON(DIRECTORY, ROOT, NONE, NULL), .apart = true},
    {COMMON(FILE, README, ROOT, "README.txt"), .make = readme_make, .size_so_far = nothing_so_far,
     .grows = true, .help = "this text"},
    {COMMON(FILE, INDEX_HTML, ROOT, "index.html"), .offered = is_recorded, .make = pages_make_root,
     .uncached = true, .apart = true, .help = "the dump as a page for a web browser"},
    {COMMON(FILE, METADATA_TXT, ROOT, "metadata.txt"), .make = make_metadata_text, .slow = true,
     .size_so_far = nothing_so_far, .offered = is_recorded, .grows = true,
     .help = "what the dump says about itself, and counts, 'key: value'"},
    {COMMON(FILE, METADATA_JSON, ROOT, "metadata.json"), .make = make_metadata_json, .slow = true,
     .size_so_far = nothing_so_far, .offered = is_recorded, .grows = true,
     .help = "the same for programs"},
    {COMMON(FILE, PROBLEMS, ROOT, "problems.txt"), .make = make_problems,
     .version = problems_version, .size_so_far = problems_size_so_far, .live = true, .slow = true,
     .apart = true, .help = "the defects of the dump, one per line; empty if there are none"},
    {COMMON(FILE, PACKETS_TSV, ROOT, "packets.tsv"), .common_listing = packet_table,
     .size_so_far = packets_size_so_far, .grows = true, .help = "one packet per line"},
    {COMMON(DIRECTORY, PACKETS, ROOT, "packets"), .offered = is_recorded},
    {COMMON(DIRECTORY, PACKET_GROUP, PACKETS, "BBBBB"), .family = &group_family,
     .help = "a thousand packets: BBBBB is the packet's number divided by 1000"},
    {COMMON(FILE, PACKET_BIN, PACKET_GROUP, "NNNNNNNN-NAME.bin"), .family = &group_bin_family,
     .counts = "packet", .size = packet_size, .make = make_packet, .uncached = true,
     .help = "the payload of packet NNNNNNNN, of type NAME, unchanged"},
    {COMMON(FILE, PACKET_TXT, PACKET_GROUP, "NNNNNNNN-NAME.txt"), .family = &group_txt_family,
     .counts = "packet", .common_listing = packet_text, .ahead = true,
     .help = "the decoded packet, one command per line"},
    {COMMON(FILE, FRAMES_TSV, ROOT, "frames.tsv"), .common_listing = frame_table, .grows = true,
     .help = "one frame per line"},
    {COMMON(DIRECTORY, FRAMES, ROOT, "frames"), .offered = has_pictures},
    {COMMON(FILE, FRAME_PNG, FRAMES, "NNNNNN.png"), .family = &picture_family, .counts = "frame",
     .size = frame_picture_size, .make = make_frame_picture, .finish = finish_frame_picture,
     .work = CACHE_RENDER, .ahead = true, .help = "the picture shown at the end of frame NNNNNN"},
    {COMMON(DIRECTORY, BY_FRAME, ROOT, "by-frame"), .offered = is_recorded},
    {COMMON(DIRECTORY, FRAME, BY_FRAME, "NNNNNN"), .family = &frame_family, .counts = "frame",
     .help = "everything about frame NNNNNN"},
    {COMMON(FILE, FRAME_INDEX_HTML, FRAME, "index.html"), .offered = is_recorded,
     .make = pages_make_frame, .uncached = true, .apart = true,
     .help = "the frame as a page for a web browser"},
    {COMMON(FILE, FRAME_INFO, FRAME, "info.txt"), .make = make_frame_info, .offered = has_info,
     .ahead = true, .help = "a summary of the frame, 'key: value'"},
    {COMMON(LINK, FRAME_IMAGE, FRAME, "image.png"), .make = make_frame_image,
     .offered = has_pictures, .exists = names_has_picture, .help = "its picture"},
    {COMMON(FILE, FRAME_PACKETS_TSV, FRAME, "packets.tsv"), .common_listing = frame_packet_table,
     .ahead = true, .help = "its rows of packets.tsv"},
    {COMMON(DIRECTORY, FRAME_PACKETS, FRAME, "packets"),
     .help = "its packets, with the same names as in packets/BBBBB/"},
    {COMMON(FILE, FRAME_PACKET_BIN, FRAME_PACKETS, "NNNNNNNN-NAME.bin"),
     .family = &frame_bin_family, .alias = RULE_PACKET_BIN},
    {COMMON(FILE, FRAME_PACKET_TXT, FRAME_PACKETS, "NNNNNNNN-NAME.txt"),
     .family = &frame_txt_family, .alias = RULE_PACKET_TXT},
    {COMMON(FILE, FRAME_COMMANDS, FRAME, "commands.txt"), .common_listing = frame_commands,
     .ahead = true, .help = "its decoded commands, in order, with their packets"},
    {COMMON(FILE, FRAME_STATE, FRAME, "state.txt"), .make = make_frame_state, .offered = has_state,
     .ahead = true, .help = "the state of the GPU or the replay at its end, 'key: value'"},
    {COMMON(FILE, FRAME_SCRIPT, FRAME, "NAME.N.js"), .family = &scripts_frame_family,
     .make = scripts_make_of_frame, .version = scripts_version_of_frame, .live = true, .slow = true,
     .unlisted = true,
     .help = "piece N of its file NAME, a table or text, as a script; not listed"},
    {COMMON(FILE, SCRIPT, ROOT, "NAME.N.js"), .offered = is_recorded,
     .family = &scripts_root_family, .make = scripts_make, .version = scripts_version, .live = true,
     .slow = true, .unlisted = true,
     .help = "piece N of the file NAME, a table or text, as a script for pages; not listed"},
    {COMMON(LINK, LATEST, ROOT, "latest.png"), .make = make_latest, .exists = latest_exists,
     .offered = has_pictures, .grows = true, .help = "the last frame's picture"},
    {COMMON(FILE, CONTACT_SHEET, ROOT, "contact-sheet.png"), .offered = has_frames,
     .exists = contact_sheet_exists, .size = contact_sheet_size, .make = contact_sheet_make,
     .work = CACHE_RENDER, .slow = true, .help = "up to 48 evenly spaced frames in one picture"},
    {COMMON(FILE, TIMELINE, ROOT, "timeline.png"), .offered = has_timeline,
     .exists = timeline_exists, .size = timeline_size, .make = timeline_make, .work = CACHE_RENDER,
     .slow = true, .help = "charts of all frames over time, with some pictures"},
    {COMMON(FILE, NEAR_FRAMES, ROOT, "near-frames.tsv"), .listing = &find_near_frames,
     .offered = has_frames, .exists = has_all, .work = CACHE_RENDER, .slow = true,
     .help = "frames that look alike: the hashes of each picture, and the frame that it resembles"},
    {COMMON(DIRECTORY, FIND, ROOT, "find"), .offered = has_pictures_to_find, .exists = has_all,
     .help = "pictures by content: HASH is that of `gpudump assert --hash`; not listed"},
    {COMMON(DIRECTORY, FIND_FRAMES, FIND, "frame"), .offered = has_frames},
    {COMMON(DIRECTORY, FIND_FRAME, FIND_FRAMES, "HASH"), .family = &find_frame_family,
     .unlisted = true, .prepare = find_prepare_frame, .help = "frames that show this picture"},
    {COMMON(LINK, FIND_FRAME_FIRST, FIND_FRAME, "first.png"), .make = find_make_first_frame,
     .help = "the first one"},
    {COMMON(FILE, FIND_FRAME_WHERE, FIND_FRAME, "where.tsv"), .make = find_make_frames,
     .slow = true, .help = "all of them, one per line"},
    {COMMON(DIRECTORY, FIND_TEXTURES, FIND, "texture"), .offered = has_textures},
    {COMMON(DIRECTORY, FIND_TEXTURE, FIND_TEXTURES, "HASH"), .family = &find_texture_family,
     .unlisted = true, .prepare = find_prepare_texture, .help = "textures with this picture"},
    {COMMON(LINK, FIND_TEXTURE_FIRST, FIND_TEXTURE, "first.png"), .make = find_make_first_texture,
     .help = "the first one"},
    {COMMON(FILE, FIND_TEXTURE_WHERE, FIND_TEXTURE, "where.tsv"), .make = find_make_textures,
     .slow = true, .help = "all of them, one per line, with the frame that creates each"},
    {COMMON(DIRECTORY, ABOUT, ROOT, ".gpudumpfs"), .apart = true},
    {COMMON(FILE, ABOUT_VERSION, ABOUT, "version"), .make = about_make_version, .uncached = true,
     .apart = true, .help = "the version of gpudumpfs"},
    {COMMON(FILE, ABOUT_OPTIONS, ABOUT, "options.txt"), .make = about_make_options,
     .uncached = true, .apart = true, .help = "the options in force"},
    {COMMON(FILE, ABOUT_CONFINEMENT, ABOUT, "confinement.txt"), .make = about_make_confinement,
     .uncached = true, .apart = true, .help = "how the program that reads the dump is confined"},
    {COMMON(FILE, ABOUT_OVERLAY, ABOUT, "overlay.txt"), .make = about_make_overlay,
     .offered = has_overlay, .uncached = true, .apart = true,
     .help = "the edits (-o overlay) that are in force"},
    {COMMON(FILE, ABOUT_PAGE_JS, ABOUT, "page.js"), .offered = is_recorded,
     .make = pages_make_script, .uncached = true, .apart = true, .help = "the script of the pages"},
    {COMMON(FILE, ABOUT_PAGE_CSS, ABOUT, "page.css"), .offered = is_recorded,
     .make = pages_make_style, .uncached = true, .apart = true,
     .help = "the style sheet of the pages"},
    {COMMON(FILE, ABOUT_DUMP_JS, ABOUT, "dump.js"), .offered = is_recorded, .make = pages_make_dump,
     .version = pages_dump_version, .live = true, .slow = true,
     .help = "a description of the dump for the pages: counts and names"},
    {COMMON(FILE, ABOUT_CACHE, ABOUT, "cache.txt"), .make = about_make_cache, .live = true,
     .uncached = true, .apart = true, .help = "statistics of the cache"},
};

const size_t common_rule_count = sizeof(common_rules) / sizeof(common_rules[0]);
