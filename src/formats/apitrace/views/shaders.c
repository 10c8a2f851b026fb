#include "formats/apitrace/views/shaders.h"

#include "formats/apitrace/views/rows.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

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

const struct rule_family apitrace_shader_family = {0, next_shader, name_shader, parse_shader};
const struct rule_family apitrace_frame_shader_family = {0, next_frame_shader, name_shader,
                                                         parse_shader};
/* shaders.tsv */

static int shaders_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)dump, (void)key;
    text_add(text, "shader\tpacket\tframe\tstage\tobject\tbytes\n");
    return 0;
}

static int shaders_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          uint64_t *pieces)
{
    const struct apitrace_object_index *objects;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    (void)key;
    return status < 0 ? status
                      : apitrace_count_pieces(objects->shader_count, APITRACE_PIECE_ROWS, pieces);
}

static int shaders_piece(struct dump *dump, uint64_t key, uint64_t piece,
                         const struct cancel *cancel, struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct apitrace_object_index *objects;
    int status = apitrace_dump_objects(dump, cancel, &objects);
    uint64_t end =
        status < 0 ? 0 : apitrace_piece_end(piece, APITRACE_PIECE_ROWS, objects->shader_count);

    (void)key;
    for (uint64_t n = piece * APITRACE_PIECE_ROWS; n < end; n++) {
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
    .head = shaders_head, .pieces = shaders_pieces, .piece = shaders_piece};
