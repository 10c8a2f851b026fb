/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/views/views.h"

#include "dxbc/dxbc.h"
#include "formats/aerogpu/replay/replay.h"
#include "tree/inode.h"
#include "tree/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define ORDINAL_MASK ((UINT64_C(1) << RESOURCE_BITS) - 1)

enum { LIFE_DIGITS = 6, LAYER_DIGITS = 2, MIP_BITS = 4, RGBA = 4, GREY16 = 2 };

int aerogpu_life_find(struct dump *dump, uint64_t key, const struct aerogpu_life **out)
{
    const struct aerogpu_scan *scan = aerogpu_dump_peek(aerogpu_dump_of(dump));

    if (scan == NULL)
        return -EAGAIN;
    if (key >= scan->life_count)
        return -ENOENT;
    *out = &scan->lives[key];
    return 0;
}

int aerogpu_life_need(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      const struct aerogpu_life **out)
{
    const struct aerogpu_scan *scan = NULL;
    int status = aerogpu_dump_scan(aerogpu_dump_of(dump), cancel, &scan);

    return status == 0 ? aerogpu_life_find(dump, key, out) : status;
}

/* Returns 0 if the life is of this kind, -ENOENT if not. */
static int is_kind(struct dump *dump, uint64_t key, enum aerogpu_object_kind kind)
{
    const struct aerogpu_life *life = NULL;
    int status = aerogpu_life_find(dump, key, &life);

    return status == 0 && life->object.kind != kind ? -ENOENT : status;
}

/* The table. */

static int count_lives(struct dump *dump, uint64_t key, const struct cancel *cancel, uint64_t *rows)
{
    const struct aerogpu_scan *scan = NULL;
    int status = aerogpu_dump_scan(aerogpu_dump_of(dump), cancel, &scan);

    (void)key;
    if (status == 0)
        *rows = scan->life_count;
    return status;
}

static void write_where(const struct aerogpu_where *where, struct text *text)
{
    aerogpu_cell_or_none(text, where->record);
    aerogpu_cell_or_none(text, where->record == AEROGPU_NONE ? AEROGPU_NONE : where->command);
}

static void write_texture_cells(uint32_t width, uint32_t height, uint32_t format, uint32_t mips,
                                uint32_t layers, struct text *text)
{
    text_add(text, "\t-");
    text_cell(text, width);
    text_cell(text, height);
    text_add_char(text, '\t');
    aerogpu_format_write(text, format);
    text_cell(text, mips);
    text_cell(text, layers);
}

static void write_size_cells(const struct aerogpu_scan *scan, const struct aerogpu_life *life,
                             struct text *text)
{
    const struct aerogpu_object *object = &life->object;
    const struct aerogpu_shape *shape = &object->shape;

    switch (object->kind) {
    case AEROGPU_OBJECT_TEXTURE:
        write_texture_cells(shape->width, shape->height, shape->format, shape->mips, shape->layers,
                            text);
        return;
    case AEROGPU_OBJECT_VIEW:
        shape = &scan->lives[life->texture].object.shape;
        write_texture_cells(shape->width, shape->height, object->view.format, object->view.mips,
                            object->view.layers, text);
        return;
    case AEROGPU_OBJECT_BUFFER:
        text_cell(text, object->size);
        break;
    case AEROGPU_OBJECT_SHADER:
        text_cell(text, object->shader.length);
        break;
    case AEROGPU_OBJECT_LAYOUT:
        text_cell(text, object->layout.length);
        break;
    default:
        text_add(text, "\t-");
        break;
    }
    text_add(text, "\t-\t-\t-\t-\t-");
}

static int write_lives(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                       const struct cancel *cancel, struct text *text)
{
    const struct aerogpu_scan *scan = NULL;
    int status = aerogpu_dump_scan(aerogpu_dump_of(dump), cancel, &scan);

    (void)key;
    for (uint64_t i = first; status == 0 && i < end; i++) {
        const struct aerogpu_life *life = &scan->lives[i];

        text_add_u64(text, i);
        text_cell_word(text, aerogpu_object_name(life->object.kind));
        text_cell(text, life->object.handle);
        write_where(&life->created, text);
        write_where(&life->destroyed, text);
        write_size_cells(scan, life, text);
        text_cell(text, life->uses);
        text_add_char(text, '\n');
    }
    return status;
}

const struct dump_listing aerogpu_resource_table = {
    .columns = "resource\tkind\thandle\tcreated_packet\tcreated_command\tdestroyed_packet\t"
               "destroyed_command\tsize\twidth\theight\tformat\tmips\tlayers\tuses",
    .count = count_lives,
    .rows = write_lives};

/* Names. */

static int next_resource(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal)
{
    const struct aerogpu_life *life = NULL;

    (void)parent_key;
    *ordinal = from;
    return aerogpu_life_find(dump, from, &life);
}

int aerogpu_resource_name(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    const struct aerogpu_life *life = NULL;
    int status = aerogpu_life_find(dump, ordinal, &life);

    (void)parent_key;
    if (status == 0)
        snprintf(
            name, RULE_NAME_MAX + 1, "%0*" PRIu64 "-%s-0x%08" PRIX32,
            (int)names_digits(aerogpu_dump_scanned(aerogpu_dump_of(dump))->life_count, LIFE_DIGITS),
            ordinal, aerogpu_object_name(life->object.kind), life->object.handle);
    return status;
}

const struct rule_family aerogpu_resource_family = {RESOURCE_BITS, next_resource,
                                                    aerogpu_resource_name, NULL};

/* The ordinal is the layer, with the mip in its lowest bits. */
static int next_texture(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal)
{
    const struct aerogpu_life *life = NULL;
    int status = aerogpu_life_find(dump, parent_key, &life);

    if (status != 0)
        return status;
    if (life->object.kind != AEROGPU_OBJECT_TEXTURE)
        return -ENOENT;
    *ordinal = from;
    if ((from & ((1 << MIP_BITS) - 1)) >= life->object.shape.mips)
        *ordinal = ((from >> MIP_BITS) + 1) << MIP_BITS;
    return *ordinal >> MIP_BITS < life->object.shape.layers ? 0 : -ENOENT;
}

static int name_texture(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    const struct aerogpu_life *life = NULL;
    int status = aerogpu_life_find(dump, parent_key, &life);

    if (status == 0)
        snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 "-%02u.png",
                 (int)names_digits(life->object.shape.layers, LAYER_DIGITS), ordinal >> MIP_BITS,
                 (unsigned)(ordinal & ((1 << MIP_BITS) - 1)));
    return status;
}

/* Parses LL-MM.png. */
static bool parse_texture(struct dump *dump, uint64_t parent_key, const char *name,
                          uint64_t *ordinal)
{
    unsigned layer = 0, mip = 0;

    (void)dump, (void)parent_key;
    if (sscanf(name, "%9u-%2u", &layer, &mip) != 2 || mip >= 1 << MIP_BITS)
        return false;
    *ordinal = (uint64_t)layer << MIP_BITS | mip;
    return true;
}

const struct rule_family aerogpu_texture_family = {RESOURCE_BITS, next_texture, name_texture,
                                                   parse_texture};

/* Pictures of textures. */

static int find_shot(struct dump *dump, uint64_t key, struct aerogpu_shot *out, bool *depth)
{
    uint64_t number = key >> RESOURCE_BITS;
    uint32_t mip = key & ((1 << MIP_BITS) - 1);
    uint32_t layer = (uint32_t)((key & ORDINAL_MASK) >> MIP_BITS);
    const struct aerogpu_life *life = NULL;
    struct aerogpu_format_info format = {0};
    struct aerogpu_subresource sub;
    int status = aerogpu_life_find(dump, number, &life);

    if (status != 0)
        return status;
    if (life->object.kind != AEROGPU_OBJECT_TEXTURE ||
        !aerogpu_subresource(&life->object.shape, mip, layer, &sub))
        return -ENOENT;
    aerogpu_format_find(life->object.shape.format, &format);
    *depth = format.depth;
    *out = (struct aerogpu_shot){.tick = life->end,
                                 .width = sub.width,
                                 .height = sub.height,
                                 .format = life->object.shape.format,
                                 .mip = mip,
                                 .layer = layer,
                                 .life = (uint32_t)number,
                                 .slot = AEROGPU_SHOT_UNBOUND,
                                 .drawn = life->drawn};
    return 0;
}

/* The picture belongs to no frame, so it carries no texts. */
static struct picture_header header_of(const struct aerogpu_shot *shot, bool depth)
{
    return (struct picture_header){.width = shot->width,
                                   .height = shot->height,
                                   .colour = depth ? PICTURE_GREY16 : PICTURE_RGBA};
}

uint64_t aerogpu_texture_frame(struct dump *dump, uint64_t key)
{
    const struct aerogpu_life *life = NULL;
    struct dump_packet packet;

    if (aerogpu_life_find(dump, key >> RESOURCE_BITS, &life) != 0 ||
        dump->ops->packet(dump, life->created.record, &packet) != 0)
        return DUMP_NO_FRAME;
    return packet.frame;
}

int aerogpu_texture_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    struct picture_header header;
    struct aerogpu_shot shot;
    bool depth = false;
    int status = find_shot(dump, key, &shot, &depth);

    if (status != 0)
        return status;
    if (dump->options->png != PICTURE_STORED)
        return -ENODATA;
    header = header_of(&shot, depth);
    *size = picture_size(&header);
    return *size > 0 ? 0 : -EFBIG;
}

int aerogpu_texture_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out)
{
    const struct aerogpu_life *life = NULL;
    struct picture_header header;
    struct aerogpu_pixels pixels;
    struct aerogpu_shot shot;
    bool depth = false;
    int status = aerogpu_life_need(dump, key >> RESOURCE_BITS, cancel, &life);

    if (status == 0)
        status = find_shot(dump, key, &shot, &depth);
    if (status != 0)
        return status;
    status = depth ? aerogpu_replay_depth(aerogpu_dump_of(dump), &shot, cancel, &pixels)
                   : aerogpu_replay_shot(aerogpu_dump_of(dump), &shot, cancel, &pixels);
    if (status != 0)
        return status;
    header = header_of(&shot, depth);
    status = picture_encode(&header, pixels.data, (size_t)shot.width * (depth ? GREY16 : RGBA),
                            dump->options->png, out);
    free(pixels.data);
    return status;
}

/* Contents. */

int aerogpu_content_exists(struct dump *dump, uint64_t key)
{
    const struct aerogpu_life *life = NULL;
    int status = aerogpu_life_find(dump, key, &life);

    if (status != 0)
        return status;
    return life->object.kind == AEROGPU_OBJECT_BUFFER || life->object.kind == AEROGPU_OBJECT_TEXTURE
               ? 0
               : -ENOENT;
}

int aerogpu_content_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct aerogpu_life *life = NULL;
    int status = aerogpu_life_find(dump, key, &life);

    if (status == 0)
        *size = aerogpu_replay_contents_size(&life->object);
    return status;
}

static int make_gpu_contents(void *context, struct cache_key key, const struct cancel *cancel,
                             struct blob **out)
{
    return aerogpu_replay_gpu_contents(aerogpu_dump_of(context), (uint32_t)inode_key(key.item),
                                       cancel, out);
}

/* The worker returns all contents at once, so they are cached for the other pieces. */
static int gpu_piece(struct dump *dump, uint64_t key, uint64_t offset, size_t length,
                     const struct cancel *cancel, struct blob **out)
{
    static const struct cache_maker maker = {.work = CACHE_RENDER, .make = make_gpu_contents};
    const struct cache_key all = {.item = inode_pack(RULE_NONE, key)};
    struct blob *drawn = NULL;
    int status = cache_get(dump->cache, all, &maker, dump, cancel, &drawn);

    if (status == 0)
        status = bytes_inside(offset, length, drawn->size) ? blob_create(length, out) : -EIO;
    if (status == 0)
        memcpy((*out)->data, drawn->data + offset, length);
    blob_unref(&drawn);
    return status;
}

int aerogpu_content_piece(struct dump *dump, uint64_t key, uint64_t offset, size_t length,
                          const struct cancel *cancel, struct blob **out)
{
    struct aerogpu_dump *aerogpu = aerogpu_dump_of(dump);
    const struct aerogpu_life *life = NULL;
    int status = aerogpu_life_need(dump, key, cancel, &life);

    if (status != 0)
        return status;
    if (!life->drawn)
        return aerogpu_replay_contents(aerogpu, (uint32_t)key, offset, length, cancel, out);
    if (aerogpu_replay_contents_size(&life->object) == length)
        return aerogpu_replay_gpu_contents(aerogpu, (uint32_t)key, cancel, out);
    return gpu_piece(dump, key, offset, length, cancel, out);
}

/* info.txt */

static void write_place(const char *key, const struct aerogpu_where *where, struct text *text)
{
    if (where->record == AEROGPU_NONE)
        text_printf(text, "%s: -\n", key);
    else if (where->submission == AEROGPU_NONE)
        text_printf(text, "%s: packet %" PRIu32 "\n", key, where->record);
    else
        text_printf(text, "%s: packet %" PRIu32 " submission %" PRIu32 " command %" PRIu32 "\n",
                    key, where->record, where->submission, where->command);
}

static void write_usage(uint32_t usage, struct text *text)
{
    text_printf(text, "usage: 0x%08" PRIX32, usage);
    for (uint32_t bit = 1; bit != 0; bit <<= 1) {
        const char *name = (usage & bit) != 0 ? aerogpu_name(AEROGPU_NAMES_USAGE, bit) : NULL;

        if (name != NULL)
            text_printf(text, " %s", name);
    }
    text_add(text, "\n");
}

static void write_format(uint32_t format, struct text *text)
{
    text_add(text, "format: ");
    aerogpu_format_write(text, format);
    text_add(text, "\n");
}

static void write_texture(const struct aerogpu_shape *shape, struct text *text)
{
    text_field(text, "size", "%" PRIu32 "x%" PRIu32, shape->width, shape->height);
    write_format(shape->format, text);
    text_field(text, "mips", "%" PRIu32, shape->mips);
    text_field(text, "layers", "%" PRIu32, shape->layers);
    text_field(text, "row_pitch", "%" PRIu32, shape->row_pitch);
}

static void write_view(const struct aerogpu_life *life, struct text *text)
{
    const struct aerogpu_object *view = &life->object;

    text_field(text, "texture", "resource %" PRIu32, life->texture);
    write_format(view->view.format, text);
    text_field(text, "mips", "%" PRIu32 " from %" PRIu32, view->view.mips, view->view.base_mip);
    text_field(text, "layers", "%" PRIu32 " from %" PRIu32, view->view.layers,
               view->view.base_layer);
}

static const char *const program_names[] = {"pixel", "vertex", "geometry",
                                            "hull",  "domain", "compute"};
static const char *const shader_kinds[] = {"unreadable", "genuine DXBC", "DXBC in Aero's dialect",
                                           "Direct3D 9 tokens"};

static void write_shader(const struct aerogpu_object *object, struct text *text)
{
    text_field(text, "stage", "%s", program_names[object->shader.program]);
    if (object->space == AEROGPU_SPACE_A_SHADER) {
        text_field(text, "glsl_blob_id", "%" PRIu64, object->shader.glsl);
        return;
    }
    text_field(text, "bytes", "%" PRIu32, object->shader.length);
    text_field(text, "bytecode", "%s",
               shader_kinds[dxbc_classify(object->shader.code, object->shader.length)]);
}

static void write_sampler(const struct aerogpu_object *object, struct text *text)
{
    static const char *const keys[] = {"address_u", "address_v", "address_w"};
    const char *filter = aerogpu_name(AEROGPU_NAMES_FILTER, object->sampler.filter);

    text_field(text, "filter", "%" PRIu32 " %s", object->sampler.filter,
               filter != NULL ? filter : "unknown");
    for (int i = 0; i < 3; i++) {
        const char *name = aerogpu_name(AEROGPU_NAMES_ADDRESS, object->sampler.address[i]);

        text_field(text, keys[i], "%" PRIu32 " %s", object->sampler.address[i],
                   name != NULL ? name : "unknown");
    }
}

static void write_own(const struct aerogpu_life *life, struct text *text)
{
    const struct aerogpu_object *object = &life->object;

    switch (object->kind) {
    case AEROGPU_OBJECT_BUFFER:
        text_field(text, "bytes", "%" PRIu64, object->size);
        break;
    case AEROGPU_OBJECT_TEXTURE:
        write_texture(&object->shape, text);
        break;
    case AEROGPU_OBJECT_VIEW:
        write_view(life, text);
        break;
    case AEROGPU_OBJECT_SHADER:
        write_shader(object, text);
        break;
    case AEROGPU_OBJECT_LAYOUT:
        text_field(text, "bytes", "%" PRIu32, object->layout.length);
        break;
    case AEROGPU_OBJECT_SAMPLER:
        write_sampler(object, text);
        break;
    default:
        text_field(text, "vs", "%" PRIu32, object->pipeline.vs);
        text_field(text, "fs", "%" PRIu32, object->pipeline.fs);
        break;
    }
}

int aerogpu_resource_info(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out)
{
    const struct aerogpu_life *life = NULL;
    struct text text = TEXT_INIT;
    int status = aerogpu_life_need(dump, key, cancel, &life);

    if (status != 0)
        return status;
    text_field(&text, "resource", "%" PRIu64, key);
    text_field(&text, "kind", "%s", aerogpu_object_name(life->object.kind));
    text_field(&text, "handle", "%" PRIu32 " (0x%08" PRIX32 ")", life->object.handle,
               life->object.handle);
    write_place("created", &life->created, &text);
    write_place("destroyed", &life->destroyed, &text);
    text_field(&text, "uses", "%" PRIu32, life->uses);
    write_own(life, &text);
    if (life->object.kind <= AEROGPU_OBJECT_TEXTURE) {
        write_usage(life->object.usage, &text);
        text_field(&text, "contents", "%s",
                   life->drawn ? "written by shaders" : "uploaded, copied or cleared");
        if (life->object.alloc != 0)
            text_field(&text, "backing", "alloc_id=%" PRIu32 " offset_bytes=%" PRIu32,
                       life->object.alloc, life->object.alloc_offset);
    }
    return text_blob(&text, out);
}

/* Input layouts. */

int aerogpu_layout_exists(struct dump *dump, uint64_t key)
{
    return is_kind(dump, key, AEROGPU_OBJECT_LAYOUT);
}

static void write_element(const struct aerogpu_element *element, struct text *text)
{
    const struct aerogpu_attribute *attribute = aerogpu_attribute_find(element->format);
    const char *name = aerogpu_semantic_name(element->semantic_hash);

    text_add_char(text, '\t');
    if (name != NULL)
        text_add(text, name);
    else
        text_printf(text, "0x%08" PRIX32, element->semantic_hash);
    text_cell(text, element->semantic_index);
    text_add_char(text, '\t');
    if (attribute != NULL)
        text_add(text, attribute->name);
    else
        text_add_u64(text, element->format);
    text_cell(text, element->slot);
    text_cell(text, element->offset);
    text_cell_word(text, element->instanced ? "instance" : "vertex");
    text_cell(text, element->step_rate);
}

int aerogpu_layout_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out)
{
    const struct aerogpu_life *life = NULL;
    struct aerogpu_element element;
    struct aerogpu_layout layout;
    struct text text = TEXT_INIT;
    uint64_t number = 0;
    int status = aerogpu_life_need(dump, key, cancel, &life);

    if (status != 0)
        return status;
    text_add(&text, "element\tsemantic\tindex\tformat\tslot\toffset\tclass\tstep_rate\n");
    if (aerogpu_layout_open(life->object.layout.bytes, life->object.layout.length, &layout))
        while (aerogpu_layout_next(&layout, &element)) {
            text_add_u64(&text, number++);
            write_element(&element, &text);
            text_add_char(&text, '\n');
        }
    return text_blob(&text, out);
}
