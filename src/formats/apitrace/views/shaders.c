/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/views/views.h"

#include "dxbc/dxbc.h"
#include "formats/apitrace/replay/shader_translator.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct apitrace_object_list shaders_of(const struct apitrace_object_index *objects)
{
    return (struct apitrace_object_list){objects->shader_count, objects->shaders,
                                         sizeof(*objects->shaders)};
}

static int next_shader(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *place)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);

    (void)parent_key;
    if (objects == NULL)
        return -EAGAIN;
    *place = from;
    return from < objects->shader_count ? 0 : -ENOENT;
}

static int next_frame_shader(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *place)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);
    struct apitrace_object_list list;

    if (objects == NULL)
        return -EAGAIN;
    list = shaders_of(objects);
    return apitrace_object_next_in_frame(apitrace_index_of(dump), &list, frame, from, place);
}

static int name_shader(struct dump *dump, uint64_t parent_key, uint64_t place, char *name)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);

    (void)parent_key;
    if (objects == NULL)
        return -EAGAIN;
    if (place >= objects->shader_count)
        return -ENOENT;
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu32 "-%s%s", (int)tree_packet_digits(dump),
             objects->shaders[place].number, objects->shaders[place].stage,
             objects->shaders[place].suffix);
    return 0;
}

/*
 * Until shaders are found, any index will do: the tree looks up its name next, and that is not
 * known yet.
 */
static bool parse_shader(struct dump *dump, uint64_t parent_key, const char *name, uint64_t *place)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);
    struct apitrace_object_list list;

    (void)parent_key;
    *place = 0;
    if (objects == NULL)
        return true;
    list = shaders_of(objects);
    return apitrace_object_parse(&list, name, place);
}

int apitrace_shader_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);

    if (objects == NULL)
        return -EAGAIN;
    if (key >= objects->shader_count)
        return -ENOENT;
    *size = objects->shaders[key].bytes;
    return 0;
}

int apitrace_shader_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out)
{
    const struct apitrace_object_index *objects;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    if (status < 0)
        return status;
    return key < objects->shader_count
               ? apitrace_shader_read(apitrace_index_of(dump), &objects->shaders[key], cancel, out)
               : -ENOENT;
}

/* Texts and translations of Direct3D's shaders. */

static bool is_dxbc(const struct apitrace_shader *shader)
{
    return strcmp(shader->suffix, ".dxbc") == 0;
}

static bool is_d3d(const struct apitrace_shader *shader)
{
    return is_dxbc(shader) || strcmp(shader->suffix, ".d3d9") == 0;
}

static int next_of(struct dump *dump, bool (*takes)(const struct apitrace_shader *shader),
                   uint64_t from, uint64_t *place)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);

    if (objects == NULL)
        return -EAGAIN;
    while (from < objects->shader_count && !takes(&objects->shaders[from]))
        from++;
    *place = from;
    return from < objects->shader_count ? 0 : -ENOENT;
}

static int next_d3d(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *place)
{
    (void)parent_key;
    return next_of(dump, is_d3d, from, place);
}

static int next_dxbc(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *place)
{
    (void)parent_key;
    return next_of(dump, is_dxbc, from, place);
}

static bool parse_d3d(struct dump *dump, uint64_t parent_key, const char *name, uint64_t *place)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);

    return parse_shader(dump, parent_key, name, place) &&
           (objects == NULL || is_d3d(&objects->shaders[*place]));
}

static bool parse_dxbc(struct dump *dump, uint64_t parent_key, const char *name, uint64_t *place)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);

    return parse_shader(dump, parent_key, name, place) &&
           (objects == NULL || is_dxbc(&objects->shaders[*place]));
}

static int name_text(struct dump *dump, uint64_t parent_key, uint64_t place, char *name)
{
    int status = name_shader(dump, parent_key, place, name);

    if (status == 0)
        strncat(name, ".txt", RULE_NAME_MAX - strlen(name));
    return status;
}

/* Writes the name of a shader's file with another suffix. */
static int name_translated(struct dump *dump, uint64_t place, const char *suffix, char *name)
{
    int status = name_shader(dump, 0, place, name);

    if (status == 0)
        strcpy(strrchr(name, '.'), suffix);
    return status;
}

static int name_glsl(struct dump *dump, uint64_t parent_key, uint64_t place, char *name)
{
    (void)parent_key;
    return name_translated(dump, place, ".glsl", name);
}

static int name_spirv(struct dump *dump, uint64_t parent_key, uint64_t place, char *name)
{
    (void)parent_key;
    return name_translated(dump, place, ".spv", name);
}

int apitrace_translated_exists(struct dump *dump, uint64_t key)
{
    uint64_t place;

    return next_d3d(dump, key, 0, &place);
}

int apitrace_shader_text_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              struct blob **out)
{
    struct text text = TEXT_INIT;
    struct blob *code = NULL;
    int status = apitrace_shader_make(dump, key, cancel, &code);

    if (status == 0 && dxbc_classify(code->data, code->size) != DXBC_SHADER_D3D9) {
        dxbc_signature_write(code->data, code->size, &text);
        text_add_char(&text, '\n');
    }
    if (status == 0)
        status = dxbc_disassemble(code->data, code->size, &text);
    blob_unref(&code);
    if (status == 0)
        return text_blob(&text, out);
    text_clear(&text);
    return status;
}

static int translate(struct dump *dump, uint64_t key, bool to_spirv, const struct cancel *cancel,
                     struct blob **out)
{
    const struct apitrace_object_index *objects;
    struct shader_translation translation = {.spirv = NULL};
    struct blob *code = NULL;
    int status = apitrace_shader_make(dump, key, cancel, &code);

    if (status == 0)
        status = apitrace_dump_objects(dump, cancel, &objects);
    if (status == 0)
        status = apitrace_shader_translate(dump, objects->shaders[key].number, code, cancel,
                                           &translation);
    if (status == 0)
        *out = blob_ref(to_spirv ? translation.spirv : translation.glsl);
    shader_translation_clear(&translation);
    blob_unref(&code);
    return status;
}

int apitrace_shader_glsl_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              struct blob **out)
{
    return translate(dump, key, false, cancel, out);
}

int apitrace_shader_spirv_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                               struct blob **out)
{
    return translate(dump, key, true, cancel, out);
}

const struct rule_family apitrace_shader_text_family = {0, next_d3d, name_text, parse_d3d};
const struct rule_family apitrace_shader_glsl_family = {0, next_d3d, name_glsl, parse_d3d};
const struct rule_family apitrace_shader_spirv_family = {0, next_dxbc, name_spirv, parse_dxbc};
const struct rule_family apitrace_shader_family = {0, next_shader, name_shader, parse_shader};
const struct rule_family apitrace_frame_shader_family = {0, next_frame_shader, name_shader,
                                                         parse_shader};
/* shaders.tsv */

static int count_shaders(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         uint64_t *rows)
{
    const struct apitrace_object_index *objects;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    (void)key;
    *rows = status < 0 ? 0 : objects->shader_count;
    return status;
}

static int write_shaders(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                         const struct cancel *cancel, struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct apitrace_object_index *objects;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    (void)key;
    for (uint64_t n = first; status == 0 && n < end; n++) {
        const struct apitrace_shader *shader = &objects->shaders[n];

        text_add_u64(text, n);
        text_cell(text, shader->number);
        apitrace_cell_optional(
            text, apitrace_index_frame(index, apitrace_index_at(index, shader->number).order));
        text_printf(text, "\t%s", shader->stage);
        text_cell(text, shader->object);
        text_cell(text, shader->bytes);
        text_add_char(text, '\n');
    }
    return status;
}

const struct dump_listing apitrace_shaders_listing = {
    .columns = "shader\tpacket\tframe\tstage\tobject\tbytes",
    .count = count_shaders,
    .rows = write_shaders};
