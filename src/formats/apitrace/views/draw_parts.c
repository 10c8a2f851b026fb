/* SPDX-License-Identifier: MIT */
/*
 * What a draw left in its attachments, and the textures, buffers and shaders that it used. The
 * worker lists them with their sizes. The lists of the last draws requested are kept, so that names
 * and sizes need no second visit.
 */
#include "formats/apitrace/views/draws.h"

#include "base/bytes.h"
#include "base/locks.h"
#include "formats/apitrace/decode/texture_targets.h"
#include "tree/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_BITS = 12, COLOUR_BITS = 3, GREY16 = 2, FLOAT = 4 };

/* Which parts a draw has. */

struct parts {
    struct blob *blob;
    const struct apitrace_draw_part *list;
    size_t count;
};

static void take_lock(struct apitrace_dump *dump) ACQUIRE(lock_of_apitrace_parts)
{
    pthread_mutex_lock(&dump->parts_lock);
}

static void give_lock(struct apitrace_dump *dump) RELEASE(lock_of_apitrace_parts)
{
    pthread_mutex_unlock(&dump->parts_lock);
}

static void set_parts(struct parts *parts, struct blob *blob)
{
    parts->blob = blob;
    parts->list = (const struct apitrace_draw_part *)(const void *)blob->data;
    parts->count = blob->size / sizeof(*parts->list);
}

/* Gets a reference to the list of parts. Returns 0, or -EAGAIN if it is not known. */
static int peek(struct dump *dump, uint64_t key, struct parts *out)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);
    int status = -EAGAIN;

    take_lock(apitrace);
    for (size_t n = 0; n < APITRACE_KNOWN_DRAWS; n++) {
        struct apitrace_known_draw *known = &apitrace->known_draws[n];

        if (known->parts == NULL || known->key != key)
            continue;
        known->used = ++apitrace->known_draws_used;
        set_parts(out, blob_ref(known->parts));
        status = 0;
        break;
    }
    give_lock(apitrace);
    return status;
}

/* Returns the slot of a draw, otherwise the least recently used one. */
static struct apitrace_known_draw *slot_of(struct apitrace_dump *dump, uint64_t key)
    REQUIRES(lock_of_apitrace_parts)
{
    struct apitrace_known_draw *oldest = &dump->known_draws[0];

    for (size_t n = 0; n < APITRACE_KNOWN_DRAWS; n++) {
        if (dump->known_draws[n].parts != NULL && dump->known_draws[n].key == key)
            return &dump->known_draws[n];
        if (dump->known_draws[n].used < oldest->used)
            oldest = &dump->known_draws[n];
    }
    return oldest;
}

/*
 * Keeps a list. If another reader has received one at the same time, that stays, and replaces
 * *parts: its sizes have been reported already, and a worker may report other ones.
 */
static void keep(struct dump *dump, uint64_t key, struct blob **parts)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);
    struct apitrace_known_draw *slot;
    struct blob *dropped;

    take_lock(apitrace);
    slot = slot_of(apitrace, key);
    if (slot->parts != NULL && slot->key == key) {
        dropped = *parts;
        *parts = blob_ref(slot->parts);
    } else {
        dropped = slot->parts;
        *slot = (struct apitrace_known_draw){.key = key, .parts = blob_ref(*parts)};
    }
    slot->used = ++apitrace->known_draws_used;
    give_lock(apitrace);
    blob_unref(&dropped);
}

void apitrace_known_draws_clear(struct apitrace_dump *dump)
{
    take_lock(dump);
    for (size_t n = 0; n < APITRACE_KNOWN_DRAWS; n++)
        blob_unref(&dump->known_draws[n].parts);
    give_lock(dump);
}

/* A visit after a draw: for the list of parts, or for one part. */
struct visit {
    struct apitrace_snapshot snapshot;
    uint32_t place;
    uint64_t bytes;
};

static int ask_parts(void *context, struct apitrace_session *session, const struct cancel *cancel,
                     struct blob **out)
{
    const struct visit *visit = context;

    return apitrace_session_draw_parts(session, visit->snapshot.width, visit->snapshot.height,
                                       cancel, out);
}

static int ask_part(void *context, struct apitrace_session *session, const struct cancel *cancel,
                    struct blob **out)
{
    const struct visit *visit = context;

    return apitrace_session_draw_part(session, visit->snapshot.width, visit->snapshot.height,
                                      visit->place, visit->bytes, cancel, out);
}

static int find(struct dump *dump, uint64_t key, const struct cancel *cancel, struct visit *visit,
                struct parts *out)
{
    struct blob *blob = NULL;
    int status = apitrace_draw_place(dump, key, cancel, &visit->snapshot);

    if (status < 0 || peek(dump, key, out) == 0)
        return status;
    status = apitrace_draw_visit(dump, key, ask_parts, visit, cancel, &blob);
    if (status < 0)
        return status;
    keep(dump, key, &blob);
    set_parts(out, blob);
    return 0;
}

int apitrace_draw_know(struct dump *dump, uint64_t key, const struct cancel *cancel)
{
    struct visit visit;
    struct parts parts = {.list = NULL};
    int status = find(dump, key, cancel, &visit, &parts);

    blob_unref(&parts.blob);
    return status;
}

int apitrace_draw_prepare(struct dump *dump, unsigned rule, uint64_t key,
                          const struct cancel *cancel)
{
    if (rule == APITRACE_RULE_DRAW_COLOUR)
        key >>= COLOUR_BITS;
    else if (rule == APITRACE_RULE_DRAW_TEXTURE || rule == APITRACE_RULE_DRAW_BUFFER ||
             rule == APITRACE_RULE_DRAW_SHADER)
        key >>= PLACE_BITS;
    return apitrace_draw_know(dump, key, cancel);
}

/* Names. */

static const char *shader_suffix(const struct apitrace_draw_part *part)
{
    if (part->target != 0)
        return "asm";
    return part->format == APITRACE_SPIRV ? "spv" : "glsl";
}

static void write_name(const struct apitrace_draw_part *part, char *name)
{
    static const char *const roles[APITRACE_BUFFER_ROLES] = {
        [APITRACE_BUFFER_VERTICES] = "vertices", [APITRACE_BUFFER_MEMORY] = "memory",
        [APITRACE_BUFFER_INDICES] = "indices",   [APITRACE_BUFFER_UNIFORMS] = "uniforms",
        [APITRACE_BUFFER_STORAGE] = "storage",   [APITRACE_BUFFER_COUNTERS] = "counters",
        [APITRACE_BUFFER_INDIRECT] = "indirect", [APITRACE_BUFFER_TEXELS] = "texels",
        [APITRACE_BUFFER_FEEDBACK] = "feedback"};
    static const char *const stages[] = {"vert", "tesc", "tese", "geom", "frag", "comp"};
    const size_t room = RULE_NAME_MAX + 1;

    if (part->kind == APITRACE_PART_COLOUR)
        snprintf(name, room, "colour-%" PRIu32 ".png", part->number);
    else if (part->kind == APITRACE_PART_TEXTURE)
        snprintf(name, room, "%02" PRIu32 "-%s%s-%02" PRIu32 ".png",
                 part->number & ~(uint32_t)APITRACE_IMAGE_UNIT,
                 (part->number & APITRACE_IMAGE_UNIT) != 0 ? "image-" : "",
                 apitrace_target_word(part->target), part->level);
    else if (part->kind == APITRACE_PART_BUFFER)
        snprintf(name, room, "%s-%" PRIu32 "-%" PRIu32 ".bin", roles[part->number], part->level,
                 part->object);
    else
        snprintf(name, room, "%05" PRIu32 "-%s.%s", part->object,
                 part->number < 6 ? stages[part->number] : "unknown", shader_suffix(part));
}

/* Returns the number in a part's name that comes first, possibly after a word. */
static uint32_t first_number(const struct apitrace_draw_part *part)
{
    return part->kind == APITRACE_PART_BUFFER   ? part->level
           : part->kind == APITRACE_PART_SHADER ? part->object
                                                : part->number & ~(uint32_t)APITRACE_IMAGE_UNIT;
}

static int next_of(struct dump *dump, uint64_t key, uint32_t kind, uint64_t from, uint64_t *place)
{
    struct parts parts;
    int status = peek(dump, key, &parts);

    if (status < 0)
        return status;
    for (*place = from; *place < parts.count && parts.list[*place].kind != kind; ++*place)
        ;
    status = *place < parts.count ? 0 : -ENOENT;
    blob_unref(&parts.blob);
    return status;
}

static int name_of(struct dump *dump, uint64_t key, uint64_t place, char *name)
{
    struct parts parts;
    int status = peek(dump, key, &parts);

    if (status < 0)
        return status;
    if (place < parts.count)
        write_name(&parts.list[place], name);
    status = place < parts.count ? 0 : -ENOENT;
    blob_unref(&parts.blob);
    return status;
}

/*
 * Parses the name of a part. There may be thousands of parts, so the name is compared only with
 * those parts whose first_number() is the number in it.
 */
static bool parse_part(struct dump *dump, uint64_t key, uint32_t kind, const char *name,
                       uint64_t *place)
{
    const uint32_t number = (uint32_t)strtoul(name + strcspn(name, "0123456789"), NULL, 10);
    char found[RULE_NAME_MAX + 1];
    struct parts parts;
    bool is_one = false;

    *place = 0;
    if (peek(dump, key, &parts) < 0)
        return true;
    for (size_t n = 0; n < parts.count && !is_one; n++) {
        if (parts.list[n].kind != kind || first_number(&parts.list[n]) != number)
            continue;
        write_name(&parts.list[n], found);
        is_one = strcmp(found, name) == 0;
        *place = n;
    }
    blob_unref(&parts.blob);
    return is_one;
}

#define FAMILY(word, kind, bits)                                                                   \
    static int next_##word(struct dump *dump, uint64_t key, uint64_t from, uint64_t *place)        \
    {                                                                                              \
        return next_of(dump, key, kind, from, place);                                              \
    }                                                                                              \
    static bool parse_##word(struct dump *dump, uint64_t key, const char *name, uint64_t *place)   \
    {                                                                                              \
        return parse_part(dump, key, kind, name, place);                                           \
    }                                                                                              \
    const struct rule_family apitrace_draw_##word##_family = {bits, next_##word, name_of,          \
                                                              parse_##word}

FAMILY(colour, APITRACE_PART_COLOUR, COLOUR_BITS);
FAMILY(texture, APITRACE_PART_TEXTURE, PLACE_BITS);
FAMILY(buffer, APITRACE_PART_BUFFER, PLACE_BITS);
FAMILY(shader, APITRACE_PART_SHADER, PLACE_BITS);

int apitrace_draw_part_of(struct dump *dump, uint64_t key, uint32_t kind,
                          struct apitrace_draw_part *out, uint64_t *place)
{
    struct parts parts;
    int status = peek(dump, key, &parts);

    if (status < 0)
        return status;
    for (*place = 0; *place < parts.count && parts.list[*place].kind != kind; ++*place)
        ;
    status = *place < parts.count ? 0 : -ENOENT;
    if (status == 0)
        *out = parts.list[*place];
    blob_unref(&parts.blob);
    return status;
}

/* Gets the index of a part that a draw has only once. */
static int place_of(struct dump *dump, uint64_t key, uint32_t kind, uint64_t *place)
{
    return next_of(dump, key, kind, 0, place);
}

int apitrace_draw_has_depth(struct dump *dump, uint64_t key)
{
    uint64_t place;

    return place_of(dump, key, APITRACE_PART_DEPTH, &place);
}

int apitrace_draw_has_stencil(struct dump *dump, uint64_t key)
{
    uint64_t place;

    return place_of(dump, key, APITRACE_PART_STENCIL, &place);
}

/* Sizes. */

static int header_of(struct dump *dump, uint64_t key, const struct apitrace_draw_part *part,
                     struct dump_picture *out)
{
    enum picture_colour colour = part->kind == APITRACE_PART_DEPTH     ? PICTURE_GREY16
                                 : part->kind == APITRACE_PART_STENCIL ? PICTURE_GREY
                                                                       : PICTURE_RGBA;

    return dump_picture_init(dump, key >> APITRACE_DRAW_BITS, part->width,
                             part->height * part->slices, colour, 8, out);
}

/* Gets the size of a part as a picture, or of its bytes. */
static int size_of(struct dump *dump, uint64_t key, uint64_t place, bool picture, uint64_t *size)
{
    struct dump_picture header;
    struct parts parts;
    int status = peek(dump, key, &parts);

    if (status < 0)
        return status;
    if (place >= parts.count)
        status = -ENOENT;
    else if (!picture)
        *size = parts.list[place].bytes;
    else
        status = header_of(dump, key, &parts.list[place], &header);
    if (status == 0 && picture)
        status = dump_picture_size(dump, &header, size);
    blob_unref(&parts.blob);
    return status;
}

static int size_of_kind(struct dump *dump, uint64_t key, uint32_t kind, bool picture,
                        uint64_t *size)
{
    uint64_t place;
    int status = place_of(dump, key, kind, &place);

    return status == 0 ? size_of(dump, key, place, picture, size) : status;
}

int apitrace_draw_colour_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    return size_of(dump, key >> COLOUR_BITS, key & ((1U << COLOUR_BITS) - 1), true, size);
}

int apitrace_draw_texture_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    return size_of(dump, key >> PLACE_BITS, key & ((1U << PLACE_BITS) - 1), true, size);
}

int apitrace_draw_bytes_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    return size_of(dump, key >> PLACE_BITS, key & ((1U << PLACE_BITS) - 1), false, size);
}

int apitrace_draw_depth_png_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    return size_of_kind(dump, key, APITRACE_PART_DEPTH, true, size);
}

int apitrace_draw_depth_bin_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    return size_of_kind(dump, key, APITRACE_PART_DEPTH, false, size);
}

int apitrace_draw_stencil_png_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    return size_of_kind(dump, key, APITRACE_PART_STENCIL, true, size);
}

int apitrace_draw_stencil_bin_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    return size_of_kind(dump, key, APITRACE_PART_STENCIL, false, size);
}

/* Contents. */

static float value_at(const uint8_t *bytes)
{
    uint32_t bits = bytes_le32(bytes);
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

/*
 * Converts depths in place, from four bytes to two: the nearest becomes black, the farthest white.
 */
static void normalise(uint8_t *depths, size_t count)
{
    float min = 1, max = 0;

    for (size_t n = 0; n < count; n++) {
        float depth = value_at(depths + n * FLOAT);

        min = depth < min ? depth : min;
        max = depth > max ? depth : max;
    }
    for (size_t n = 0; n < count; n++) {
        float depth = value_at(depths + n * FLOAT);
        float part = max > min ? (depth - min) / (max - min) : depth;
        unsigned grey = part >= 1 ? 65535 : part > 0 ? (unsigned)(part * 65535 + 0.5F) : 0;

        depths[n * GREY16] = (uint8_t)(grey >> 8);
        depths[n * GREY16 + 1] = (uint8_t)grey;
    }
}

/*
 * Reads the bytes of a part, except of a texture, and gets its description. `kinds` has a bit for
 * each allowed kind, since the worker may list other parts than when the name was looked up.
 */
static int read_part(struct dump *dump, uint64_t key, uint64_t place, unsigned kinds,
                     const struct cancel *cancel, struct apitrace_draw_part *part,
                     struct blob **out)
{
    struct visit visit;
    struct parts parts;
    int status = find(dump, key, cancel, &visit, &parts);

    if (status < 0)
        return status;
    if (place < parts.count && (kinds >> parts.list[place].kind & 1) != 0)
        *part = parts.list[place];
    else
        status = -ENOENT;
    blob_unref(&parts.blob);
    if (status < 0 || part->kind == APITRACE_PART_TEXTURE)
        return status;
    visit.place = (uint32_t)place;
    visit.bytes = part->bytes;
    return apitrace_draw_visit(dump, key, ask_part, &visit, cancel, out);
}

int apitrace_draw_part_bytes(struct dump *dump, uint64_t key, uint64_t place, unsigned kinds,
                             const struct cancel *cancel, struct blob **out)
{
    struct apitrace_draw_part part;

    return read_part(dump, key, place, kinds, cancel, &part, out);
}

static int encode(struct dump *dump, uint64_t key, const struct apitrace_draw_part *part,
                  struct blob *bytes, struct blob **out)
{
    struct dump_picture header;
    int status = header_of(dump, key, part, &header);
    size_t pixel = part->kind == APITRACE_PART_DEPTH     ? GREY16
                   : part->kind == APITRACE_PART_STENCIL ? 1
                                                         : 4;

    if (status == 0 && part->kind == APITRACE_PART_DEPTH)
        normalise(bytes->data, (size_t)part->width * part->height * part->slices);
    return status == 0 ? picture_encode(&header.header, bytes->data, part->width * pixel,
                                        dump->options->png, out)
                       : status;
}

static int make_picture(struct dump *dump, uint64_t key, uint64_t place, unsigned kinds,
                        const struct cancel *cancel, struct blob **out)
{
    struct apitrace_draw_part part;
    struct blob *bytes = NULL;
    int status = read_part(dump, key, place, kinds, cancel, &part, &bytes);

    if (status == 0)
        status = encode(dump, key, &part, bytes, out);
    blob_unref(&bytes);
    return status;
}

int apitrace_draw_colour_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              struct blob **out)
{
    return make_picture(dump, key >> COLOUR_BITS, key & ((1U << COLOUR_BITS) - 1),
                        1U << APITRACE_PART_COLOUR, cancel, out);
}

int apitrace_draw_bytes_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                             struct blob **out)
{
    return apitrace_draw_part_bytes(dump, key >> PLACE_BITS, key & ((1U << PLACE_BITS) - 1),
                                    1U << APITRACE_PART_BUFFER | 1U << APITRACE_PART_SHADER, cancel,
                                    out);
}

int apitrace_draw_texture_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                               struct blob **out)
{
    const uint64_t draw = key >> PLACE_BITS;
    struct apitrace_draw_part part;
    struct apitrace_snapshot snapshot;
    struct apitrace_level level;
    int status = read_part(dump, draw, key & ((1U << PLACE_BITS) - 1), 1U << APITRACE_PART_TEXTURE,
                           cancel, &part, out);

    if (status == 0)
        status = apitrace_draw_place(dump, draw, cancel, &snapshot);
    if (status < 0)
        return status;
    level = (struct apitrace_level){.object = part.object,
                                    .level = part.level,
                                    .target = part.target,
                                    .width = part.width,
                                    .height = part.height,
                                    .slices = part.slices};
    return apitrace_player_draw_level(dump, draw >> APITRACE_DRAW_BITS, &snapshot, &level, cancel,
                                      out);
}

/* Makes the file of a part that a draw has only once. */
static int make_kind(struct dump *dump, uint64_t key, uint32_t kind, bool picture,
                     const struct cancel *cancel, struct blob **out)
{
    uint64_t place;
    int status = apitrace_draw_know(dump, key, cancel);

    if (status == 0)
        status = place_of(dump, key, kind, &place);
    if (status < 0)
        return status;
    return (picture ? make_picture : apitrace_draw_part_bytes)(dump, key, place, 1U << kind, cancel,
                                                               out);
}

int apitrace_draw_depth_png_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                 struct blob **out)
{
    return make_kind(dump, key, APITRACE_PART_DEPTH, true, cancel, out);
}

int apitrace_draw_depth_bin_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                 struct blob **out)
{
    return make_kind(dump, key, APITRACE_PART_DEPTH, false, cancel, out);
}

int apitrace_draw_stencil_png_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                   struct blob **out)
{
    return make_kind(dump, key, APITRACE_PART_STENCIL, true, cancel, out);
}

int apitrace_draw_stencil_bin_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                   struct blob **out)
{
    return make_kind(dump, key, APITRACE_PART_STENCIL, false, cancel, out);
}

/* Depths of the window at a frame's picture. */

/* Describes a frame's depths. Returns 0, -EAGAIN, or -ENOENT if the frame has no picture. */
static int frame_part(struct dump *dump, uint64_t frame, struct apitrace_draw_part *out)
{
    struct dump_picture picture;
    int status = dump_picture_header(dump, frame, &picture);

    if (status == 0)
        *out = (struct apitrace_draw_part){.kind = APITRACE_PART_DEPTH,
                                           .width = picture.header.width,
                                           .height = picture.header.height,
                                           .slices = 1,
                                           .bytes = (uint64_t)picture.header.width *
                                                    picture.header.height * FLOAT};
    return status;
}

int apitrace_frame_has_depth(struct dump *dump, uint64_t frame)
{
    struct apitrace_draw_part part;

    if (apitrace_index_grows(apitrace_index_of(dump)))
        return -ENOENT;
    return frame_part(dump, frame, &part);
}

int apitrace_frame_depth_png_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    struct apitrace_draw_part part;
    struct dump_picture header;
    int status = frame_part(dump, frame, &part);

    if (status == 0)
        status = header_of(dump, frame << APITRACE_DRAW_BITS, &part, &header);
    return status == 0 ? dump_picture_size(dump, &header, size) : status;
}

int apitrace_frame_depth_bin_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    struct apitrace_draw_part part;
    int status = frame_part(dump, frame, &part);

    if (status == 0)
        *size = part.bytes;
    return status;
}

static int ask_depth(void *context, struct apitrace_session *session, const struct cancel *cancel,
                     struct blob **out)
{
    const struct apitrace_draw_part *part = context;
    const struct apitrace_picture_request request = {
        .kind = APITRACE_PICTURE_DEPTH, .width = part->width, .height = part->height};
    struct apitrace_picture picture = {0};
    int status = apitrace_session_picture(session, &request, cancel, &picture);

    if (status == 0)
        status = apitrace_session_expect(&picture, part->width, part->height, FLOAT);
    if (status == 0)
        status = blob_create((size_t)part->bytes, out);
    if (status == 0)
        memcpy((*out)->data, picture.pixels, (size_t)part->bytes);
    blob_unref(&picture.owner);
    return status;
}

int apitrace_frame_depth_bin_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                                  struct blob **out)
{
    const struct apitrace_presentation *presentation;
    struct apitrace_draw_part part;
    int status = apitrace_dump_presentation(dump, cancel, &presentation);

    if (status == 0)
        status = frame_part(dump, frame, &part);
    return status == 0 ? apitrace_player_visit(dump, frame, NULL, ask_depth, &part, cancel, out)
                       : status;
}

int apitrace_frame_depth_png_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                                  struct blob **out)
{
    struct apitrace_draw_part part;
    struct blob *bytes = NULL;
    int status = apitrace_frame_depth_bin_make(dump, frame, cancel, &bytes);

    if (status == 0)
        status = frame_part(dump, frame, &part);
    if (status == 0)
        status = encode(dump, frame << APITRACE_DRAW_BITS, &part, bytes, out);
    blob_unref(&bytes);
    return status;
}
