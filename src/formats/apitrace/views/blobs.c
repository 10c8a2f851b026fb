/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/views/views.h"

#include "tree/names.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { GROUP_DIGITS = 5, GROUP_PACKETS = 1000, GROUP_BITS = 40 };

/* Groups of a thousand calls, of which at least one has a blob. */

static int name_group(struct dump *dump, uint64_t parent_key, uint64_t group, char *name)
{
    uint64_t packets = dump->follow != NULL ? 0 : dump->ops->packets(dump);
    unsigned digits = names_digits((packets + GROUP_PACKETS - 1) / GROUP_PACKETS, GROUP_DIGITS);

    (void)parent_key;
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64, (int)digits, group);
    return 0;
}

/* Blobs: the key is the index in the list of blobs. */

static int next_blob_in(struct dump *dump, uint64_t first, uint64_t last, uint64_t from,
                        uint64_t *place)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    uint64_t min = apitrace_index_blobs(index, first);

    *place = from > min ? from : min;
    return *place < index->blob_count && index->blobs[*place].number <= last ? 0 : -ENOENT;
}

static int next_blob_group(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *group)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    uint64_t place = 0;
    int status = from > UINT32_MAX
                     ? -ENOENT
                     : next_blob_in(dump, from * GROUP_PACKETS, UINT64_MAX, 0, &place);

    (void)parent_key;
    if (status == 0)
        *group = index->blobs[place].number / GROUP_PACKETS;
    return status;
}

static int next_group_blob(struct dump *dump, uint64_t group, uint64_t from, uint64_t *place)
{
    return next_blob_in(dump, group * GROUP_PACKETS, group * GROUP_PACKETS + GROUP_PACKETS - 1,
                        from, place);
}

static int next_frame_blob(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *place)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    int status;

    if (frame >= index->frame_count)
        return -ENOENT;
    do {
        status = next_blob_in(dump, index->frames[frame].min_number,
                              index->frames[frame].max_number, from, place);
        from = *place + 1;
    } while (status == 0 && !apitrace_index_in_frame(index, frame, index->blobs[*place].number));
    return status;
}

static int name_blob(struct dump *dump, uint64_t parent_key, uint64_t place, char *name)
{
    const struct apitrace_index *index = apitrace_index_of(dump);

    (void)parent_key;
    if (place >= index->blob_count)
        return -ENOENT;
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu32 "-%" PRIu32 ".bin",
             (int)tree_packet_digits(dump), index->blobs[place].number,
             index->blobs[place].ordinal);
    return 0;
}

/* NNNNNNNN-K.bin */
static bool parse_blob(struct dump *dump, uint64_t parent_key, const char *name, uint64_t *place)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    char *end = NULL;
    uint64_t number, ordinal;

    (void)parent_key;
    if (name[0] < '0' || name[0] > '9')
        return false;
    number = strtoull(name, &end, 10);
    if (*end != '-' || end[1] < '0' || end[1] > '9' || number > UINT32_MAX)
        return false;
    ordinal = strtoull(end + 1, NULL, 10);
    *place = apitrace_index_blobs(index, number);
    if (ordinal > index->blob_count - *place)
        return false;
    *place += ordinal;
    return *place < index->blob_count && index->blobs[*place].number == number;
}

int apitrace_blob_size(struct dump *dump, uint64_t place, uint64_t *size)
{
    const struct apitrace_index *index = apitrace_index_of(dump);

    if (place >= index->blob_count)
        return -ENOENT;
    *size = index->blobs[place].size;
    return 0;
}

int apitrace_blob_make(struct dump *dump, uint64_t place, const struct cancel *cancel,
                       struct blob **out)
{
    const struct apitrace_index *index = apitrace_index_of(dump);

    if (place >= index->blob_count)
        return -ENOENT;
    return apitrace_read_blob(&index->stream, index->blobs[place].position,
                              index->blobs[place].size, cancel, out);
}

const struct rule_family apitrace_blob_group_family = {GROUP_BITS, next_blob_group, name_group,
                                                       NULL};
const struct rule_family apitrace_blob_family = {0, next_group_blob, name_blob, parse_blob};
const struct rule_family apitrace_frame_blob_family = {0, next_frame_blob, name_blob, parse_blob};

/* blobs.tsv */

static int count_blobs(struct dump *dump, uint64_t key, const struct cancel *cancel, uint64_t *rows)
{
    (void)key, (void)cancel;
    *rows = apitrace_index_of(dump)->blob_count;
    return 0;
}

static void add_argument(const struct apitrace_function *function, uint32_t argument,
                         struct text *text)
{
    if (argument == APITRACE_RESULT)
        text_add(text, "\tresult");
    else if (argument < function->argument_count)
        text_cell_escaped(text, function->arguments[argument].bytes,
                          function->arguments[argument].shown);
    else
        text_printf(text, "\t%u", argument);
}

static int write_blobs(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                       const struct cancel *cancel, struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    struct apitrace_walk walk;

    (void)key, (void)cancel;
    apitrace_walk_init(&walk, &index->calls);
    for (uint64_t n = first; n < end; n++) {
        const struct apitrace_blob *blob = &index->blobs[n];
        const struct apitrace_record *record = apitrace_walk_to(&walk, blob->number);
        const struct apitrace_function *function = apitrace_index_function(index, record);

        text_add_u64(text, blob->ordinal);
        text_cell(text, blob->number);
        apitrace_cell_optional(text, apitrace_index_frame(index, record->order));
        apitrace_cell_function(text, function);
        add_argument(function, blob->argument, text);
        text_cell(text, blob->size);
        text_add_char(text, '\n');
    }
    return 0;
}

const struct dump_listing apitrace_blobs_listing = {
    .columns = "blob\tpacket\tframe\tfunction\targument\tbytes",
    .count = count_blobs,
    .rows = write_blobs};
