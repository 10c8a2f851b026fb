/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "compare/compare.h"

#include "compare/found.h"
#include "compare/tsv.h"
#include "tree/dump.h"

#include <errno.h>
#include <inttypes.h>

/* A figure of one dump. */
struct figure {
    uint64_t value;
    uint64_t frame; /* UINT64_MAX if it belongs to no frame */
};

/* Finds the greatest value of a column, and the first frame that has it. */
static int find_greatest(const struct tsv *table, const char *column, const struct cancel *cancel,
                         struct figure *out)
{
    uint64_t value;

    for (size_t row = 0; row < tsv_rows(table); row++) {
        if (cancel_requested(cancel))
            return -EINTR;
        if (!tsv_number(table, row, column, &value) ||
            (out->frame != UINT64_MAX && value <= out->value))
            continue;
        out->value = value;
        if (!tsv_number(table, row, "frame", &out->frame))
            out->frame = row;
    }
    return 0;
}

/* Reads a figure; it is 0 without its table. */
static int read_figure(struct tree *tree, const struct dump_figure *figure,
                       const struct cancel *cancel, struct figure *out)
{
    struct tsv table = {.bytes = TEXT_INIT};
    uint64_t inode = 0;
    int status = tree_find(tree, figure->table, true, &inode);

    *out = (struct figure){.frame = UINT64_MAX};
    if (status == -ENOENT)
        return 0;
    if (status == 0)
        status = tsv_read(tree, inode, cancel, &table);
    if (status == 0 && figure->column != NULL)
        status = find_greatest(&table, figure->column, cancel, out);
    else if (status == 0)
        out->value = tsv_rows(&table);
    tsv_clear(&table);
    return status;
}

static void add_figure(const char *name, const struct figure two[2], json_t *found)
{
    json_t *list = json_object_get(found, "figures");

    if (list == NULL) {
        list = json_array();
        json_object_set_new(found, "figures", list);
    }
    json_array_append_new(list, json_pack("{s:s,s:o,s:o}", "name", name, "values",
                                          found_numbers(two[0].value, two[1].value), "frames",
                                          found_numbers(two[0].frame, two[1].frame)));
}

int compare_figures(const struct compare_side sides[2], const struct cancel *cancel, json_t *found)
{
    const struct dump_figure *figure = tree_dump(sides[0].tree)->ops->compared.figures;
    int status = 0;

    for (; status == 0 && figure != NULL && figure->name != NULL; figure++) {
        struct figure two[2] = {0};

        for (unsigned i = 0; status == 0 && i < 2; i++)
            status = read_figure(sides[i].tree, figure, cancel, &two[i]);
        if (status == 0 && two[0].value != two[1].value)
            add_figure(figure->name, two, found);
    }
    return status;
}
