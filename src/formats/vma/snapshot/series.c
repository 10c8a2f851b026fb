/* SPDX-License-Identifier: MIT */
/*
 * Every snapshot is read once when the series is opened, so that the number of snapshots is known
 * and problems are reported at once. A state is read again when it is requested.
 */
#include "config.h"

#include "formats/vma/snapshot/snapshot.h"

#include "base/array.h"
#include "base/string.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMPLAINTS_LISTED = 1000 };

/* Names of a folder's files. */
struct names {
    char **names;
    size_t count, room;
};

static void names_clear(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->names[i]);
    free(names->names);
}

static int names_add(struct names *names, const char *name)
{
    if (ARRAY_GROW(names->names, names->count, names->room) != 0)
        return -ENOMEM;
    names->names[names->count] = strdup(name);
    if (names->names[names->count] == NULL)
        return -ENOMEM;
    names->count++;
    return 0;
}

static bool is_json(const char *name)
{
    return name[0] != '.' && string_ends(name, ".json");
}

/* Orders by name; numbers in names by their value. */
static int by_name(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

static int list_folder(const struct source *source, struct names *out)
{
    int fd = fcntl(source->folder, F_DUPFD_CLOEXEC, 0), status = 0;
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *found;

    if (folder == NULL) {
        status = -errno;
        if (fd >= 0)
            close(fd);
        return status;
    }
    rewinddir(folder); /* the folder's descriptor is shared, and may have been read before */
    while (status == 0 && (found = readdir(folder)) != NULL)
        if (is_json(found->d_name))
            status = out->count < VMA_SNAPSHOT_FILES_MAX ? names_add(out, found->d_name) : -EFBIG;
    closedir(folder);
    if (out->count > 1)
        qsort(out->names, out->count, sizeof(*out->names), by_name);
    return status;
}

int vma_series_probe_folder(const struct source *source, const struct source_params *params)
{
    struct names names = {0};
    struct problems *problems = NULL;
    struct source *file = NULL;
    bool found;
    int status = list_folder(source, &names);

    if (status == 0 && names.count == 0)
        status = -ENOENT;
    if (status == 0)
        status = problems_create(&problems);
    if (status == 0)
        status = source_open_sibling(source, names.names[0], params, problems, &file);
    found = status == 0 && !file->is_folder && file->data != NULL &&
            vma_snapshot_probe(file->data, file->size);
    source_close(&file);
    problems_destroy(&problems);
    names_clear(&names);
    return status == -ENOMEM ? status : found;
}

/* The state of opening a series. */
struct opening {
    const struct vma_series_params *params;
    struct vma_recording *recording;
    struct vma_series *series;
    uint64_t room;      /* room of `joined`, bytes */
    uint64_t size;      /* bytes of all files */
    uint32_t item_room; /* room of the series' items */
    uint64_t row_at;    /* offset at which the current line of the file begins */
    uint64_t complaints;
    bool told; /* the message has a sentence */
};

/*
 * Finds line and column of a fault, counting from the beginning of the text: a file may have
 * millions of texts that are not snapshots.
 */
static void find_place(const struct opening *opening, const struct vma_snapshot *item,
                       const struct json_reader *reader, uint64_t *line, uint64_t *column)
{
    json_reader_place(reader, reader->at, line, column);
    if (*line == 1)
        *column += item->offset - opening->row_at;
    *line += item->line - 1;
}

static void complain(struct opening *opening, const struct vma_snapshot *item, const char *name,
                     const struct json_reader *reader, const char *what)
{
    const struct vma_series_params *params = opening->params;
    uint64_t at = item->offset + reader->at, line, column;

    if (opening->complaints++ >= COMPLAINTS_LISTED)
        return;
    find_place(opening, item, reader, &line, &column);
    problems_add(params->problems, PROBLEM_ERROR, at, PROBLEM_NOWHERE,
                 "%s%sline %" PRIu64 ", column %" PRIu64 ": %s", name, name[0] != '\0' ? ", " : "",
                 line, column, what);
    if (!opening->told)
        text_printf(params->message, "%s%sline %" PRIu64 ", column %" PRIu64 ": %s", name,
                    name[0] != '\0' ? ", " : "", line, column, what);
    opening->told = true;
}

static bool same_memory(const struct vma_device *a, const struct vma_device *b)
{
    if (a->heap_count != b->heap_count || a->type_count != b->type_count)
        return false;
    for (uint32_t heap = 0; heap < a->heap_count; heap++)
        if (a->heaps[heap].size != b->heaps[heap].size)
            return false;
    for (uint32_t type = 0; type < a->type_count; type++)
        if (a->types[type].heap != b->types[type].heap ||
            a->types[type].flags != b->types[type].flags)
            return false;
    return true;
}

static int add_item(struct opening *opening, const struct vma_snapshot *item)
{
    struct vma_series *series = opening->series;

    if (ARRAY_GROW(series->items, series->count, opening->item_room) != 0)
        return -ENOMEM;
    series->items[series->count++] = *item;
    return 0;
}

/* All snapshots must have the device of the first. */
static int take_device(struct opening *opening, struct json_reader *reader, const char **fault)
{
    struct vma_device *device = &opening->recording->configuration.device, found;
    struct json_reader again = *reader;
    int status = vma_snapshot_device(reader, &found);

    *fault = reader->error;
    if (status < 0)
        return status;
    *reader = again;
    if (opening->series->count == 0) {
        *device = found;
        return 0;
    }
    if (same_memory(device, &found))
        return 0;
    *fault = "it is of another device than the first snapshot";
    return -EPROTO;
}

/* Takes a text of known length. Returns 0, even if the text is left out, or a negative errno. */
static int take_text(struct opening *opening, const struct vma_snapshot *item, const char *name)
{
    struct vma_series *series = opening->series;
    struct json_reader reader = json_reader(series->data + item->offset, item->size);
    struct vma_snapshot_state state = {0};
    const char *fault = NULL;
    int status = take_device(opening, &reader, &fault);

    if (status == 0) {
        status = vma_snapshot_read(&reader, opening->recording, &series->params, series->count,
                                   opening->params->source_params->cancel, &state);
        fault = status == -EFBIG ? "its state is larger than the memory limit" : reader.error;
        if (status == 0 && state.replay.allocator.pools.used > series->pools)
            series->pools = state.replay.allocator.pools.used;
        vma_snapshot_clear(&state);
    }
    if (status == -EPROTO || status == -EFBIG)
        complain(opening, item, name, &reader, fault);
    else if (status == 0)
        return add_item(opening, item);
    return status == -EPROTO || status == -EFBIG ? 0 : status;
}

/* Counts the line feeds of what was read from the byte `begin` on. */
static uint64_t pass_lines(struct opening *opening, const struct json_reader *reader,
                           uint64_t begin)
{
    uint64_t lines = 0;

    for (size_t i = 0; i < reader->at; i++)
        if (reader->data[i] == '\n') {
            opening->row_at = begin + i + 1;
            lines++;
        }
    return lines;
}

/* Takes the texts of one file, one after the other. */
static int take_file(struct opening *opening, uint64_t begin, uint64_t end, const char *name,
                     uint32_t name_at)
{
    uint64_t line = 1;
    int status = 0;

    opening->row_at = begin;
    while (status == 0 && begin < end) {
        struct json_reader reader = json_reader(opening->series->data + begin, end - begin);
        struct vma_snapshot item = {.offset = begin, .name = name_at};

        if (cancel_requested(opening->params->source_params->cancel))
            return -EINTR;
        (void)json_reader_peek(&reader);
        item.line = line += pass_lines(opening, &reader, begin);
        if (reader.at == reader.size)
            break;
        item.offset += reader.at;
        reader = json_reader(opening->series->data + item.offset, end - item.offset);
        if (opening->series->count == VMA_SNAPSHOTS_MAX)
            return -EFBIG;
        if (!json_reader_skip(&reader)) {
            complain(opening, &item, name, &reader, reader.error);
            break;
        }
        item.size = reader.at;
        status = take_text(opening, &item, name);
        line += pass_lines(opening, &reader, item.offset);
        begin = item.offset + item.size;
    }
    return status;
}

/* Appends the bytes of a file of the folder to those of the previous files. */
static int join(struct opening *opening, const struct source *file)
{
    struct vma_series *series = opening->series;
    uint64_t needed = opening->size + file->size, room = opening->room;

    if (file->size > opening->params->max_memory || needed > opening->params->max_memory)
        return -EFBIG;
    if (needed > room) {
        uint8_t *moved;

        room = needed + needed / 2;
        moved = realloc(series->joined, room);
        if (moved == NULL)
            return -ENOMEM;
        series->joined = moved;
        opening->room = room;
    }
    if (file->size > 0)
        memcpy(series->joined + opening->size, file->data, file->size);
    opening->size = needed;
    return source_check(file) == SOURCE_INTACT ? 0 : -EIO;
}

static int join_file(struct opening *opening, const char *name)
{
    const struct vma_series_params *params = opening->params;
    struct source *file = NULL;
    int status =
        source_open_sibling(params->source, name, params->source_params, params->problems, &file);

    if (status == 0 && !file->is_folder)
        status = join(opening, file);
    else if (status == -ENOENT || status == -EACCES || status == -EINVAL)
        status = 0; /* gone, or not a file */
    source_close(&file);
    return status;
}

static int keep_names(struct vma_series *series, const struct names *names)
{
    size_t length = 1;

    for (size_t i = 0; i < names->count; i++)
        length += strlen(names->names[i]) + 1;
    series->names = calloc(1, length);
    return series->names != NULL ? 0 : -ENOMEM;
}

static int take_folder(struct opening *opening)
{
    struct vma_series *series = opening->series;
    struct names names = {0};
    uint64_t *ends = NULL;
    size_t name = 0;
    int status = list_folder(opening->params->source, &names);

    if (status == 0)
        status = keep_names(series, &names);
    if (status == 0)
        ends = calloc(names.count + 1, sizeof(*ends));
    if (status == 0 && ends == NULL)
        status = -ENOMEM;
    for (size_t i = 0; status == 0 && i < names.count; i++) {
        status = join_file(opening, names.names[i]);
        ends[i + 1] = opening->size;
    }
    series->data = series->joined;
    for (size_t i = 0; status == 0 && i < names.count; i++) {
        strcpy(series->names + name, names.names[i]);
        status = take_file(opening, ends[i], ends[i + 1], names.names[i], (uint32_t)name);
        name += strlen(names.names[i]) + 1;
    }
    free(ends);
    names_clear(&names);
    return status;
}

static int set_up_frames(struct opening *opening)
{
    struct vma_recording *recording = opening->recording;
    struct vma_series *series = opening->series;
    uint32_t lanes = opening->params->pool_lanes;

    recording->frames = calloc((size_t)series->count + 1, sizeof(*recording->frames));
    if (recording->frames == NULL)
        return -ENOMEM;
    for (uint32_t i = 0; i <= series->count; i++)
        recording->frames[i] = (struct vma_frame){
            .first = i, .index = i, .milliseconds = VMA_NO_TIME, .ended_by = VMA_FRAME_END};
    recording->data = series->data;
    recording->size = opening->size;
    recording->packets = recording->frame_count = series->count;
    recording->by_index = true;
    recording->complete = true;
    recording->counts.first_time = recording->counts.last_time = VMA_NO_TIME;
    recording->counts.finished = true;
    recording->counts.max_pools = series->pools;
    if (lanes == 0)
        lanes = series->pools < VMA_POOL_SLOTS ? series->pools : VMA_POOL_SLOTS;
    recording->pool_lanes = lanes;
    recording->shared_lane = series->pools > lanes;
    return 0;
}

int vma_series_open(const struct vma_series_params *params, struct vma_recording *recording,
                    struct vma_series *out)
{
    struct opening opening = {.params = params, .recording = recording, .series = out};
    int status;

    *recording = (struct vma_recording){0};
    pthread_mutex_init(&recording->lock, NULL);
    vma_configuration_default(&recording->configuration);
    recording->configuration.present = true;
    *out = (struct vma_series){.recording = recording};
    out->params = (struct vma_allocator_params){.device = &recording->configuration.device,
                                                .macros = &recording->configuration.macros,
                                                .max_bytes = params->max_state,
                                                .budget = true,
                                                .pool_algorithm = VMA_ALGORITHM_RECORDED};
    if (params->source->is_folder) {
        status = take_folder(&opening);
    } else {
        out->data = params->source->data;
        opening.size = params->source->size;
        status = take_file(&opening, 0, opening.size, "", 0);
    }
    if (opening.complaints > COMPLAINTS_LISTED)
        problems_add(params->problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                     "%" PRIu64 " more texts are not snapshots",
                     opening.complaints - COMPLAINTS_LISTED);
    if (status == 0 && out->count == 0)
        status = -EPROTO;
    if (status == 0)
        status = set_up_frames(&opening);
    if (status == -EFBIG)
        text_add(params->message, "the snapshots take more memory than the limit allows");
    return status;
}

void vma_series_close(struct vma_series *series)
{
    free(series->joined);
    free(series->names);
    free(series->items);
    *series = (struct vma_series){0};
}

int vma_series_state(const struct vma_series *series, uint64_t number, const struct cancel *cancel,
                     struct vma_replay **out)
{
    struct vma_snapshot_state *state = calloc(1, sizeof(*state));
    struct json_reader reader;
    int status = -ENOMEM;

    *out = NULL;
    if (number >= series->count) {
        free(state);
        return -ENOENT;
    }
    reader = json_reader(series->data + series->items[number].offset, series->items[number].size);
    if (state != NULL)
        status = vma_snapshot_read(&reader, series->recording, &series->params, (uint32_t)number,
                                   cancel, state);
    if (status == 0) {
        *out = &state->replay;
        return 0;
    }
    if (state != NULL)
        vma_snapshot_clear(state);
    free(state);
    return status == -EPROTO || status == -EFBIG ? -EIO : status;
}

void vma_series_give_back(struct vma_replay **replay)
{
    struct vma_snapshot_state *state = (struct vma_snapshot_state *)(void *)*replay;

    if (state == NULL)
        return;
    vma_snapshot_clear(state);
    free(state);
    *replay = NULL;
}
