/* SPDX-License-Identifier: MIT */
/*
 * Texture uploads, and the levels for which calls give storage. Bindings are followed for each
 * context.
 */
#include "formats/apitrace/index/object_index.h"

#include "formats/apitrace/decode/texture_targets.h"
#include "formats/apitrace/index/bound_contexts.h"
#include "image/picture.h"

#include <errno.h>
#include <stdlib.h>

enum {
    DELETED_MAX = 4096,
    LEVELS_MAX = 16,
};

/* Parameters of glTexParameter(): the range of levels, and whether mipmaps are generated. */
enum {
    TEXTURE_BASE_LEVEL = 0x813C,
    TEXTURE_MAX_LEVEL = 0x813D,
    GENERATE_MIPMAP = 0x8191,
};

/* Lists of levels. */

void apitrace_levels_clear(struct apitrace_levels *levels)
{
    apitrace_map_clear(&levels->now);
    free(levels->list);
    *levels = (struct apitrace_levels){0};
}

bool apitrace_levels_find(const struct apitrace_levels *levels, uint32_t object, uint32_t level,
                          struct apitrace_level *out)
{
    uint64_t place;

    if (!apitrace_map_get(&levels->now, object, level, &place))
        return false;
    *out = levels->list[place];
    return true;
}

/* Ends the level at an index in the list at `order`. */
static void forget(struct apitrace_levels *levels, uint64_t place, uint64_t order)
{
    struct apitrace_level *level = &levels->list[place];

    level->end = order;
    apitrace_map_remove(&levels->now, level->object, level->level);
}

static bool is_shown(const struct apitrace_level *level)
{
    return level->object != 0 && level->level < LEVELS_MAX && level->width > 0 &&
           level->height > 0 && level->slices > 0 && level->width <= PICTURE_MAX &&
           level->height <= PICTURE_MAX && level->slices <= PICTURE_MAX / level->height;
}

static bool same_shape(const struct apitrace_level *a, const struct apitrace_level *b)
{
    return a->target == b->target && a->width == b->width && a->height == b->height &&
           a->slices == b->slices && a->fixed == b->fixed;
}

int apitrace_levels_define(struct apitrace_levels *levels, const struct apitrace_level *level)
{
    uint64_t place;
    bool there = apitrace_map_get(&levels->now, level->object, level->level, &place);

    if (there && same_shape(&levels->list[place], level))
        return 0;
    if (there)
        forget(levels, place, level->begin);
    if (!is_shown(level))
        return 0;
    if (apitrace_grow(&levels->list, levels->count, &levels->room, sizeof(*levels->list),
                      &levels->memory) < 0 ||
        apitrace_map_set(&levels->now, level->object, level->level, levels->count) < 0)
        return -ENOMEM;
    levels->list[levels->count] = *level;
    levels->list[levels->count++].end = UINT64_MAX;
    return 0;
}

static uint32_t half(uint32_t size)
{
    return size > 1 ? size / 2 : 1;
}

/*
 * Returns the next level. The number of layers, which for a 1D array is the height, stays the same.
 */
static struct apitrace_level next_level(const struct apitrace_level *level)
{
    struct apitrace_level next = *level;

    next.level++;
    next.width = half(level->width);
    if (level->target != APITRACE_TARGET_1D_ARRAY)
        next.height = half(level->height);
    if (level->target == APITRACE_TARGET_3D)
        next.slices = half(level->slices);
    return next;
}

int apitrace_levels_define_all(struct apitrace_levels *levels, const struct apitrace_level *base,
                               uint32_t count)
{
    struct apitrace_level level = *base, next = next_level(base);
    int status = 0;

    for (uint32_t n = 1; n < count && n < LEVELS_MAX && status == 0 && !same_shape(&level, &next);
         n++) {
        level = next;
        next = next_level(&level);
        status = apitrace_levels_define(levels, &level);
    }
    return status;
}

void apitrace_levels_delete(struct apitrace_levels *levels, uint32_t object, uint64_t order)
{
    for (uint32_t level = 0; level < LEVELS_MAX; level++) {
        uint64_t place;

        if (apitrace_map_get(&levels->now, object, level, &place))
            forget(levels, place, order);
    }
}

/* Returns whether an entry sorts before that object, level and order. */
static bool begins_before(const struct apitrace_level *at, uint64_t object, uint64_t level,
                          uint64_t order)
{
    if (at->object != object)
        return at->object < object;
    return at->level != level ? at->level < level : at->begin < order;
}

const struct apitrace_level *apitrace_levels_at(const struct apitrace_levels *levels,
                                                uint64_t object, uint64_t level, uint64_t order)
{
    const struct apitrace_level *last;
    uint64_t low = 0, high = levels->count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (begins_before(&levels->list[middle], object, level, order))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    last = &levels->list[low - 1];
    return last->object == object && last->level == level && last->end >= order ? last : NULL;
}

static int compare_levels(const void *a, const void *b)
{
    const struct apitrace_level *left = a, *right = b;

    if (left->object != right->object)
        return left->object < right->object ? -1 : 1;
    if (left->level != right->level)
        return left->level < right->level ? -1 : 1;
    return left->begin < right->begin ? -1 : left->begin > right->begin;
}

/* Drops levels that were replaced at the place where they began, which are never visible. */
static void drop_empty(struct apitrace_levels *levels)
{
    uint64_t kept = 0;

    for (uint64_t n = 0; n < levels->count; n++)
        if (levels->list[n].end > levels->list[n].begin)
            levels->list[kept++] = levels->list[n];
    levels->count = kept;
}

void apitrace_levels_finish(struct apitrace_levels *levels)
{
    apitrace_map_clear(&levels->now);
    drop_empty(levels);
    if (levels->count > 1)
        qsort(levels->list, (size_t)levels->count, sizeof(*levels->list), compare_levels);
}

/* Uploads. */

struct finding {
    struct apitrace_call call;
    struct apitrace_object_index *objects;
    struct apitrace_map targets;    /* of textures, by name */
    struct apitrace_map parameters; /* of textures, by name and glTexParameter()'s parameter */
    struct apitrace_bound_contexts contexts;
};

/* Returns an argument of that name as an integer of 32 bits. */
static uint32_t number_named(struct apitrace_call *call, const char *name, uint32_t otherwise)
{
    return (uint32_t)apitrace_call_integer_named(call, name, (int64_t)otherwise);
}

/* Finds the blob with the pixels. Returns NULL, or why there is none. */
static const char *find_data(struct apitrace_call *call, struct apitrace_texture *texture)
{
    uint32_t argument = apitrace_call_named(call, "pixels", "data", "bits", NULL);
    struct apitrace_value value;

    if (!apitrace_call_argument(call, argument, &value))
        return "no-data";
    if (value.type == APITRACE_OPAQUE)
        return "from-a-buffer";
    if (value.type != APITRACE_BLOB)
        return "no-data";
    texture->position = apitrace_reader_position(&call->reader);
    texture->bytes = value.number;
    return NULL;
}

/* Returns NULL if the image makes a picture, otherwise why not. */
static const char *find_picture(struct apitrace_texture *texture)
{
    const struct apitrace_image *image = &texture->image;
    uint64_t bytes = 0;

    if (image->width == 0 || image->height == 0 || image->depth == 0)
        return "empty";
    if (image->width > PICTURE_MAX || image->height > PICTURE_MAX ||
        image->depth > PICTURE_MAX / image->height)
        return "too-large";
    texture->colour = apitrace_image_colour(image);
    if (texture->colour == 0)
        return "format-not-known";
    if (apitrace_image_bytes(image, &bytes) && bytes <= texture->bytes)
        return NULL;
    texture->colour = 0;
    return "too-few-bytes";
}

/* Returns the target of a texture; 0 if no call has stated it. */
static uint32_t target_of(const struct finding *finding, uint32_t object)
{
    uint64_t target = 0;

    apitrace_map_get(&finding->targets, object, 0, &target);
    return (uint32_t)target;
}

static void describe(struct finding *finding, const struct apitrace_texture_bindings *bindings,
                     struct apitrace_texture *texture)
{
    struct apitrace_call *call = &finding->call;
    bool compressed = call->function->semantic == APITRACE_TEX_COMPRESSED ||
                      call->function->semantic == APITRACE_TEX_COMPRESSED_SUB;
    struct apitrace_image *image = &texture->image;

    texture->target = number_named(call, "target", 0);
    texture->object =
        number_named(call, "texture", apitrace_bindings_find(bindings, texture->target));
    if (texture->target == 0)
        texture->target = target_of(finding, texture->object);
    texture->level = number_named(call, "level", 0);
    texture->x = number_named(call, "xoffset", 0);
    texture->y = number_named(call, "yoffset", 0);
    texture->z = number_named(call, "zoffset", 0);
    texture->internal = number_named(call, "internalformat", 0);
    if (texture->internal == 0)
        texture->internal = number_named(call, "internalFormat", 0);
    image->width = number_named(call, "width", 1);
    image->height = number_named(call, "height", 1);
    image->depth = number_named(call, "depth", 1);
    image->format = number_named(call, "format", texture->internal);
    image->type = compressed ? 0 : number_named(call, "type", 1);
    image->unpack = bindings->unpack;
    if (apitrace_call_named(call, "depth", NULL) == UINT32_MAX)
        image->unpack.image_height = image->unpack.skip_images = 0; /* only for 3D images */
    texture->status = find_data(call, texture);
    if (texture->status == NULL)
        texture->status = find_picture(texture);
}

/* Levels. */

/* Describes the level that a call concerns; the object is named by the call, or bound. */
static struct apitrace_level level_of(struct finding *finding,
                                      const struct apitrace_texture_bindings *bindings)
{
    struct apitrace_call *call = &finding->call;
    uint32_t target = number_named(call, "target", 0);
    struct apitrace_level level = {
        .object = number_named(call, "texture", apitrace_bindings_find(bindings, target)),
        .level = number_named(call, "level", 0),
        .width = number_named(call, "width", 1),
        .height = number_named(call, "height", 1),
        .begin = call->record->order};

    level.target = target != 0 ? apitrace_target_whole(target) : target_of(finding, level.object);
    level.slices = level.target == APITRACE_TARGET_CUBE ? 6 : number_named(call, "depth", 1);
    return level;
}

static int define_storage(struct finding *finding, const struct apitrace_texture_bindings *bindings)
{
    struct apitrace_level level = level_of(finding, bindings);
    uint32_t count = number_named(&finding->call, "levels", 1);
    int status;

    if (level.target == 0)
        level.target = level.slices > 1 ? APITRACE_TARGET_3D : APITRACE_TARGET_2D;
    level.fixed = true;
    status = apitrace_levels_define(&finding->objects->levels, &level);
    return status == 0 ? apitrace_levels_define_all(&finding->objects->levels, &level, count)
                       : status;
}

/*
 * Reduces a level to the layers of a view: `count` from `first` on, as far as the texture has them.
 */
static void cut_layers(struct apitrace_level *level, uint32_t first, uint32_t count,
                       uint32_t target)
{
    uint32_t *layers = level->target == APITRACE_TARGET_1D_ARRAY ? &level->height : &level->slices;
    uint32_t there = *layers > first ? *layers - first : 0;

    if (target == APITRACE_TARGET_3D)
        return;
    *layers = count < there ? count : there;
    if (target == APITRACE_TARGET_CUBE)
        level->slices = 6;
}

/* Defines a view: levels and layers of another texture, with a name and target of its own. */
static int define_view(struct finding *finding)
{
    struct apitrace_call *call = &finding->call;
    struct apitrace_levels *levels = &finding->objects->levels;
    const uint32_t object = number_named(call, "texture", 0);
    const uint32_t target = number_named(call, "target", 0);
    const uint32_t first = number_named(call, "minlevel", 0);
    const uint32_t count = number_named(call, "numlevels", 0);
    struct apitrace_level level;
    int status = apitrace_map_set(&finding->targets, object, 0, target);

    for (uint32_t n = 0; n < count && n < LEVELS_MAX && status == 0; n++) {
        if (!apitrace_levels_find(levels, number_named(call, "origtexture", 0), first + n, &level))
            break;
        cut_layers(&level, number_named(call, "minlayer", 0), number_named(call, "numlayers", 1),
                   target);
        level.object = object;
        level.level = n;
        level.target = target;
        level.begin = call->record->order;
        status = apitrace_levels_define(levels, &level);
    }
    return status;
}

static uint32_t parameter_of(const struct finding *finding, uint32_t object, uint32_t name,
                             uint32_t otherwise)
{
    uint64_t value = otherwise;

    apitrace_map_get(&finding->parameters, object, name, &value);
    return (uint32_t)value;
}

static int set_parameter(struct finding *finding, const struct apitrace_texture_bindings *bindings)
{
    struct apitrace_call *call = &finding->call;
    const uint32_t object = number_named(
        call, "texture", apitrace_bindings_find(bindings, number_named(call, "target", 0)));
    const uint32_t name = number_named(call, "pname", 0);
    int64_t value;

    if ((name != TEXTURE_BASE_LEVEL && name != TEXTURE_MAX_LEVEL && name != GENERATE_MIPMAP) ||
        apitrace_call_array(call, apitrace_call_named(call, "param", "params", NULL), &value, 1) ==
            0 ||
        value < 0)
        return 0;
    return apitrace_map_set(&finding->parameters, object, name, (uint32_t)value);
}

/* Defines the levels after the base level, up to the last one that the texture may have. */
static int define_mipmap(struct finding *finding, const struct apitrace_texture_bindings *bindings)
{
    const struct apitrace_level named = level_of(finding, bindings);
    const uint32_t first = parameter_of(finding, named.object, TEXTURE_BASE_LEVEL, 0);
    const uint32_t last = parameter_of(finding, named.object, TEXTURE_MAX_LEVEL, UINT32_MAX - 1);
    struct apitrace_level base;

    if (last < first ||
        !apitrace_levels_find(&finding->objects->levels, named.object, first, &base) || base.fixed)
        return 0;
    base.begin = named.begin;
    return apitrace_levels_define_all(&finding->objects->levels, &base, last - first + 1);
}

static int define_image(struct finding *finding, const struct apitrace_texture_bindings *bindings)
{
    const struct apitrace_level level = level_of(finding, bindings);
    int status = apitrace_levels_define(&finding->objects->levels, &level);

    if (status == 0 && parameter_of(finding, level.object, GENERATE_MIPMAP, 0) != 0 &&
        level.level == parameter_of(finding, level.object, TEXTURE_BASE_LEVEL, 0))
        status = define_mipmap(finding, bindings);
    return status;
}

static void delete_textures(struct finding *finding, struct apitrace_texture_bindings *bindings)
{
    int64_t names[DELETED_MAX];
    size_t count = apitrace_call_array(&finding->call, 1, names, DELETED_MAX);

    for (size_t n = 0; n < count; n++) {
        apitrace_levels_delete(&finding->objects->levels, (uint32_t)names[n],
                               finding->call.record->order);
        apitrace_bindings_forget(bindings, (uint32_t)names[n]);
        apitrace_map_remove(&finding->targets, (uint32_t)names[n], 0);
        apitrace_map_remove(&finding->parameters, (uint32_t)names[n], TEXTURE_BASE_LEVEL);
        apitrace_map_remove(&finding->parameters, (uint32_t)names[n], TEXTURE_MAX_LEVEL);
        apitrace_map_remove(&finding->parameters, (uint32_t)names[n], GENERATE_MIPMAP);
    }
}

static int add(struct finding *finding, const struct apitrace_texture_bindings *bindings)
{
    struct apitrace_object_index *objects = finding->objects;
    struct apitrace_texture texture = {.number = (uint32_t)finding->call.record->number};

    describe(finding, bindings, &texture);
    if (texture.status == NULL)
        texture.status = "ok";
    if (apitrace_grow(&objects->textures, objects->texture_count, &objects->texture_room,
                      sizeof(*objects->textures), &objects->memory) < 0)
        return -ENOMEM;
    objects->textures[objects->texture_count++] = texture;
    return apitrace_call_status(&finding->call);
}

static int look_at(struct finding *finding, uint32_t number)
{
    struct apitrace_call *call = &finding->call;
    int status = apitrace_call_read(call, number);
    struct apitrace_texture_bindings *current, *bindings;

    if (status < 0)
        return status;
    current = apitrace_bound_contexts_find(&finding->contexts, call->record->thread);
    if (current == NULL)
        return -ENOMEM;
    bindings = apitrace_bindings_of_call(current, call);
    switch (call->function->semantic) {
    case APITRACE_TEX_IMAGE:
    case APITRACE_TEX_COMPRESSED:
        status = define_image(finding, bindings);
        return status == 0 ? add(finding, bindings) : status;
    case APITRACE_TEX_SUB_IMAGE:
    case APITRACE_TEX_COMPRESSED_SUB:
        return add(finding, bindings);
    case APITRACE_COPY_IMAGE:
        return define_image(finding, bindings);
    case APITRACE_TEX_STORAGE:
        return define_storage(finding, bindings);
    case APITRACE_TEXTURE_VIEW:
        return define_view(finding);
    case APITRACE_GENERATE_MIPMAP:
        return define_mipmap(finding, bindings);
    case APITRACE_TEX_PARAMETER:
        status = set_parameter(finding, bindings);
        break;
    case APITRACE_DELETE_TEXTURES:
        delete_textures(finding, bindings);
        break;
    case APITRACE_MAKE_CURRENT:
    case APITRACE_CGL_MAKE_CURRENT:
    case APITRACE_CREATE_CONTEXT:
        status = apitrace_bound_contexts_follow(&finding->contexts, call);
        break;
    default:
        status = apitrace_bindings_follow(bindings, &finding->targets, call);
        apitrace_bound_contexts_count(&finding->contexts, current);
        break;
    }
    return status == 0 ? apitrace_call_status(call) : status;
}

static int compare_textures(const void *a, const void *b)
{
    const struct apitrace_texture *left = a, *right = b;

    return left->number < right->number ? -1 : left->number > right->number;
}

/* Returns the bytes taken. */
static uint64_t taken_by(const struct finding *finding)
{
    return finding->objects->memory.taken + finding->objects->levels.memory.taken +
           apitrace_map_bytes(&finding->targets) + apitrace_map_bytes(&finding->parameters) +
           apitrace_map_bytes(&finding->contexts.current) + finding->contexts.bytes;
}

int apitrace_find_textures(const struct apitrace_index *index, uint64_t max_memory,
                           struct problems *problems, const struct cancel *cancel,
                           struct apitrace_object_index *out)
{
    const struct apitrace_notes *notes = &index->notes[APITRACE_NOTE_TEXTURES];
    struct finding *finding = calloc(1, sizeof(*finding));
    int status = 0;

    if (finding == NULL)
        return -ENOMEM;
    finding->objects = out;
    apitrace_call_init(&finding->call, index, cancel);
    for (uint64_t n = 0; n < notes->count && status == 0; n++) {
        status = look_at(finding, notes->numbers[n]);
        if (status == 0 && taken_by(finding) > max_memory) {
            problems_add(problems, PROBLEM_ERROR, PROBLEM_NOWHERE, notes->numbers[n],
                         "textures take more than max-memory allows: the rest is not shown");
            break;
        }
    }
    apitrace_levels_finish(&out->levels);
    apitrace_call_clear(&finding->call);
    apitrace_bound_contexts_clear(&finding->contexts);
    apitrace_map_clear(&finding->targets);
    apitrace_map_clear(&finding->parameters);
    free(finding);
    if (out->texture_count > 0)
        qsort(out->textures, (size_t)out->texture_count, sizeof(*out->textures), compare_textures);
    return status == -EIO ? 0 : status;
}

int apitrace_texture_read(const struct apitrace_index *index,
                          const struct apitrace_texture *texture, const struct cancel *cancel,
                          struct blob **out)
{
    return apitrace_read_blob(&index->stream, texture->position, texture->bytes, cancel, out);
}
