/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "compare/tsv.h"

#include "compare/contents.h"

#include <stdlib.h>
#include <string.h>

int tsv_read(struct tree *tree, uint64_t inode, const struct cancel *cancel, struct tsv *out)
{
    int status;

    *out = (struct tsv){.bytes = TEXT_INIT};
    status = contents_read_lines(tree, inode, TSV_MAX, cancel, &out->bytes);
    if (status == 0)
        status = text_diff_split(out->bytes.bytes, out->bytes.length, NULL, &out->lines);
    return status;
}

void tsv_clear(struct tsv *tsv)
{
    text_diff_clear(&tsv->lines);
    text_clear(&tsv->bytes);
}

size_t tsv_rows(const struct tsv *tsv)
{
    return tsv->lines.count > 0 ? tsv->lines.count - 1 : 0;
}

/* Returns the n-th cell of a line, or NULL if there is none. */
static const char *find_cell(const struct text_diff_line *line, size_t n, size_t *length)
{
    const char *at = line->bytes, *end = line->bytes + line->length, *tab;

    for (; n > 0; n--) {
        tab = memchr(at, '\t', (size_t)(end - at));
        if (tab == NULL)
            return NULL;
        at = tab + 1;
    }
    tab = memchr(at, '\t', (size_t)(end - at));
    *length = (size_t)((tab != NULL ? tab : end) - at);
    return at;
}

bool tsv_cell(const struct tsv *tsv, size_t row, const char *column, char out[TSV_CELL])
{
    const char *cell;
    size_t length;

    if (row >= tsv_rows(tsv))
        return false;
    for (size_t n = 0; (cell = find_cell(&tsv->lines.list[0], n, &length)) != NULL; n++) {
        if (length != strlen(column) || memcmp(cell, column, length) != 0)
            continue;
        cell = find_cell(&tsv->lines.list[row + 1], n, &length);
        if (cell == NULL)
            return false;
        length = length < TSV_CELL ? length : TSV_CELL - 1;
        memcpy(out, cell, length);
        out[length] = '\0';
        return true;
    }
    return false;
}

bool tsv_number(const struct tsv *tsv, size_t row, const char *column, uint64_t *out)
{
    char cell[TSV_CELL], *end;

    if (!tsv_cell(tsv, row, column, cell) || *cell < '0' || *cell > '9')
        return false;
    *out = strtoull(cell, &end, 10);
    return *end == '\0';
}
