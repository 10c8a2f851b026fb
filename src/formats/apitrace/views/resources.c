/* SPDX-License-Identifier: MIT */
/* resources.tsv: the textures, buffers, render targets and views of a trace of Direct3D. */
#include "formats/apitrace/views/views.h"

#include <string.h>

static int count_resources(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           uint64_t *rows)
{
    const struct apitrace_object_index *objects;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    (void)key;
    *rows = status < 0 ? 0 : objects->d3d.resource_count;
    return status;
}

void apitrace_cell_format(struct text *text, const char *format)
{
    size_t begin;

    text_add_char(text, '\t');
    begin = text->length;
    if (format != NULL)
        text_add_escaped(text, format, strlen(format));
    text_end_cell(text, begin);
}

static void add_value(struct text *text, const struct apitrace_resource *resource, unsigned field)
{
    text_cell_or_none(text, (resource->known & 1U << field) != 0, resource->values[field]);
}

static void add_row(const struct apitrace_index *index, const struct apitrace_resource *resource,
                    struct text *text)
{
    text_cell(text, resource->number);
    apitrace_cell_optional(
        text, apitrace_index_frame(index, apitrace_index_at(index, resource->number).order));
    text_printf(text, "\t%s", resource->kind);
    text_cell(text, resource->object);
    text_cell_or_none(text, resource->of != 0, resource->of);
    for (unsigned n = 0; n < APITRACE_RESOURCE_SAMPLES; n++)
        add_value(text, resource, n);
    apitrace_cell_format(text, resource->format);
    add_value(text, resource, APITRACE_RESOURCE_SAMPLES);
}

static int write_resources(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                           const struct cancel *cancel, struct text *text)
{
    const struct apitrace_object_index *objects;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    (void)key;
    for (uint64_t n = first; status == 0 && n < end; n++) {
        text_add_u64(text, n);
        add_row(apitrace_index_of(dump), &objects->d3d.resources[n], text);
        text_add_char(text, '\n');
    }
    return status;
}

const struct dump_listing apitrace_resources_listing = {
    .columns = "resource\tpacket\tframe\tkind\tobject\tof\twidth\theight\tdepth\tlevels\tlayers\t"
               "bytes\tusage\tbind\tformat\tsamples",
    .count = count_resources,
    .rows = write_resources};
