/* SPDX-License-Identifier: MIT */
/*
 * A dump's defects are reported as its files are made, each once. A run that continues an export
 * makes only what is missing. So lines are noted before the files that they may concern get their
 * names, and the lines of all runs are merged. They are sorted, since their order differs each
 * time.
 */
#include "config.h"

#include "cli/dataset.h"

#include "base/problems.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_ROOM = 32 };
static const char notes[] = "problems-"; /* files in the work folder; a share's number follows */
static const char more_mark[] = "more, not listed",
                  more_line[] = "- packet - note: more, not listed";

/* Lines. */

struct problem_line {
    unsigned long long offset, packet; /* ULLONG_MAX: none */
    const char *text;
    size_t length;
};

static unsigned long long number_at(const char *word)
{
    return *word == '-' ? UINT64_MAX : strtoull(word, NULL, 0);
}

static int compare_lines(const void *left, const void *right)
{
    const struct problem_line *a = left, *b = right;
    size_t length = a->length < b->length ? a->length : b->length;
    int order;

    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    if (a->packet != b->packet)
        return a->packet < b->packet ? -1 : 1;
    order = memcmp(a->text, b->text, length);
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

/*
 * Parses a line of `text`, which ends with a NUL, and whose lines end with line feeds. The number
 * of further problems differs between runs, so it is removed.
 */
static struct problem_line line_at(const char *text, size_t length)
{
    static const char packet[] = " packet ";
    struct problem_line line = {UINT64_MAX, UINT64_MAX, text, length};
    const char *behind = memmem(text, length, packet, sizeof(packet) - 1);

    if (memmem(text, length, more_mark, sizeof(more_mark) - 1) != NULL) {
        line.text = more_line;
        line.length = sizeof(more_line) - 1;
    } else if (behind != NULL) {
        line.offset = number_at(text);
        line.packet = number_at(behind + sizeof(packet) - 1);
    }
    return line;
}

/* `text` must have a NUL after its length. Returns NULL if there is no memory. */
static struct problem_line *split(const struct text *text, size_t *count)
{
    struct problem_line *lines;
    size_t room = 1;

    for (size_t i = 0; i < text->length; i++)
        room += text->bytes[i] == '\n';
    lines = calloc(room, sizeof(*lines));
    *count = 0;
    for (size_t at = 0, end; lines != NULL && at < text->length; at = end + 1) {
        end = at + strcspn(text->bytes + at, "\n");
        if (end > at && end < text->length)
            lines[(*count)++] = line_at(text->bytes + at, end - at);
        else if (end >= text->length)
            break;
    }
    return lines;
}

/* Sorts all lines, and removes repeated ones. */
static void sort_lines(struct text *text)
{
    struct text sorted = TEXT_INIT;
    struct problem_line *lines;
    size_t count;

    text_add_char(text, '\0');
    if (text_status(text) != 0)
        return;
    text->length--;
    lines = split(text, &count);
    if (lines == NULL)
        text_fail(&sorted, -ENOMEM);
    else
        qsort(lines, count, sizeof(*lines), compare_lines);
    for (size_t i = 0; lines != NULL && i < count; i++)
        if (i == 0 || compare_lines(&lines[i - 1], &lines[i]) != 0) {
            text_add_bytes(&sorted, lines[i].text, lines[i].length);
            text_add_char(&sorted, '\n');
        }
    free(lines);
    text_clear(text);
    *text = sorted;
}

static int add_file(const char *folder, const char *name, struct text *text)
{
    char piece[4096], *path = NULL;
    FILE *file;
    size_t size;

    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return -ENOMEM;
    file = fopen(path, "rb");
    free(path);
    if (file == NULL)
        return errno == ENOENT ? 0 : -errno;
    while ((size = fread(piece, 1, sizeof(piece), file)) > 0)
        text_add_bytes(text, piece, size);
    fclose(file);
    return text_status(text);
}

static int add_notes(const char *work, struct text *text)
{
    DIR *folder = opendir(work);
    const struct dirent *entry;
    int status = 0;

    if (folder == NULL)
        return -errno;
    while (status == 0 && (entry = readdir(folder)) != NULL)
        if (strncmp(entry->d_name, notes, sizeof(notes) - 1) == 0)
            status = add_file(work, entry->d_name, text);
    closedir(folder);
    return status;
}

int dataset_problems_begin(struct dataset_export *export)
{
    char *work = NULL;
    int status;

    if (asprintf(&work, "%s/" DATASET_WORK, export->folder) < 0)
        return -ENOMEM;
    status = add_notes(work, &export->problems);
    if (status == 0)
        status = add_file(export->folder, DATASET_PROBLEMS, &export->problems);
    free(work);
    sort_lines(&export->problems);
    return status == 0 ? text_status(&export->problems) : status;
}

int dataset_problems_note(struct dataset_export *export)
{
    struct tree *tree = export->program->tree;
    uint64_t count = tree != NULL ? problems_count(tree_dump(tree)->problems) : 0;
    char name[NAME_ROOM], *work = NULL;
    int status = -ENOMEM;

    if (count == export->problems_told)
        return 0;
    export->problems_told = count;
    problems_write(tree_dump(tree)->problems, &export->problems);
    sort_lines(&export->problems);
    snprintf(name, sizeof(name), "%s%u", notes, export->share);
    if (asprintf(&work, "%s/" DATASET_WORK, export->folder) < 0)
        work = NULL;
    else
        status = text_status(&export->problems);
    if (status == 0)
        status = dataset_replace(work, name, export->problems.bytes, export->problems.length);
    free(work);
    return status;
}

int dataset_problems_end(struct dataset_export *export)
{
    int status = dataset_problems_note(export);

    return status == 0 ? dataset_replace(export->folder, DATASET_PROBLEMS, export->problems.bytes,
                                         export->problems.length)
                       : status;
}
