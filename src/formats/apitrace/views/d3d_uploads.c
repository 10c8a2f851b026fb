/* SPDX-License-Identifier: MIT */
/* uploads.tsv: what calls of Direct3D hand over to resources, and copy between them. */
#include "formats/apitrace/views/views.h"

static int count_uploads(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         uint64_t *rows)
{
    const struct apitrace_object_index *objects;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    (void)key;
    *rows = status < 0 ? 0 : objects->d3d.write_count;
    return status;
}

/* Appends a resource and the place in it, `-` for what is not known. */
static void add_place(const struct apitrace_d3d_index *d3d, const struct apitrace_d3d_place *place,
                      struct text *text)
{
    const bool known = place->resource != APITRACE_D3D_NONE;
    const bool one = known && place->level != APITRACE_D3D_ALL;

    text_cell_or_none(text, known, known ? d3d->resources[place->resource].number : 0);
    text_cell_or_none(text, one, place->level);
    text_cell_or_none(text, one, place->layer);
    text_cell_or_none(text, one, place->x);
    text_cell_or_none(text, one, place->y);
    text_cell_or_none(text, one, place->z);
}

static void add_row(const struct apitrace_index *index, const struct apitrace_d3d_index *d3d,
                    const struct apitrace_d3d_write *write, struct text *text)
{
    const bool sized = write->width > 0;

    text_cell(text, write->number);
    apitrace_cell_optional(text, apitrace_index_frame(index, write->order));
    text_printf(text, "\t%s", apitrace_d3d_kinds[write->kind]);
    text_cell(text, d3d->resources[write->to.resource].object);
    add_place(d3d, &write->to, text);
    text_cell_or_none(text, sized, write->width);
    text_cell_or_none(text, sized, write->height);
    text_cell_or_none(text, sized, write->depth);
    add_place(d3d, &write->from, text);
    text_cell(text, write->bytes);
    text_printf(text, "\t%s\n", apitrace_d3d_statuses[write->status]);
}

static int write_uploads(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                         const struct cancel *cancel, struct text *text)
{
    const struct apitrace_object_index *objects;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    (void)key;
    for (uint64_t n = first; status == 0 && n < end; n++) {
        text_add_u64(text, n);
        add_row(apitrace_index_of(dump), &objects->d3d, &objects->d3d.writes[n], text);
    }
    return status;
}

const struct dump_listing apitrace_uploads_listing = {
    .columns = "upload\tpacket\tframe\tkind\tobject\tresource\tlevel\tlayer\tx\ty\tz\twidth\t"
               "height\tdepth\tfrom\tfrom_level\tfrom_layer\tfrom_x\tfrom_y\tfrom_z\tbytes\t"
               "status",
    .count = count_uploads,
    .rows = write_uploads};
