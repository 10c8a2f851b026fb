/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/views/views.h"

#include "dxbc/dxbc.h"
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

/* Before they are found any place will do: the tree looks the name up next, which is not known yet.
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

/* Texts beside those of Direct3D. */

static bool has_text(const struct apitrace_shader *shader)
{
    return strcmp(shader->suffix, ".dxbc") == 0 || strcmp(shader->suffix, ".d3d9") == 0;
}

static int next_text(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *place)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);

    (void)parent_key;
    if (objects == NULL)
        return -EAGAIN;
    while (from < objects->shader_count && !has_text(&objects->shaders[from]))
        from++;
    *place = from;
    return from < objects->shader_count ? 0 : -ENOENT;
}

static int name_text(struct dump *dump, uint64_t parent_key, uint64_t place, char *name)
{
    int status = name_shader(dump, parent_key, place, name);

    if (status == 0)
        strncat(name, ".txt", RULE_NAME_MAX - strlen(name));
    return status;
}

static bool parse_text(struct dump *dump, uint64_t parent_key, const char *name, uint64_t *place)
{
    const struct apitrace_object_index *objects = apitrace_dump_peek_objects(dump);

    return parse_shader(dump, parent_key, name, place) &&
           (objects == NULL || has_text(&objects->shaders[*place]));
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

const struct rule_family apitrace_shader_text_family = {0, next_text, name_text, parse_text};
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
