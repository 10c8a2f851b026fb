#include "formats/apitrace/rules.h"

#include "formats/apitrace/lines.h"
#include "formats/apitrace/signatures.h"
#include "formats/apitrace/texts.h"
#include "tree/names.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { GROUP_DIGITS = 5, GROUP_PACKETS = 1000, GROUP_BITS = 40 };

/* Groups of a thousand calls: those that have any of a list of things. */

static int name_group(struct dump *dump, uint64_t parent_key, uint64_t group, char *name)
{
    uint64_t packets = dump->ops->packets(dump);
    unsigned digits = names_digits((packets + GROUP_PACKETS - 1) / GROUP_PACKETS);

    (void)parent_key;
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64,
             (int)(digits > GROUP_DIGITS ? digits : GROUP_DIGITS), group);
    return 0;
}

/* Blobs: the key is the place in the index's list. */

static int next_blob_in(struct dump *dump, uint64_t first, uint64_t last, uint64_t from,
                        uint64_t *place)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    uint64_t least = apitrace_index_blobs(index, first);

    *place = from > least ? from : least;
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

static bool in_frame(const struct apitrace_index *index, uint64_t frame, uint64_t number)
{
    const struct apitrace_frame_record *record = &index->frames[frame];
    uint64_t order = apitrace_record_of(index, number).order;

    return order >= record->first && order < record->end;
}

static int next_frame_blob(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *place)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    int status;

    if (frame >= index->frame_count)
        return -ENOENT;
    do {
        status = next_blob_in(dump, index->frames[frame].least, index->frames[frame].greatest, from,
                              place);
        from = *place + 1;
    } while (status == 0 && !in_frame(index, frame, index->blobs[*place].number));
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

static int blob_size(struct dump *dump, uint64_t place, uint64_t *size)
{
    const struct apitrace_index *index = apitrace_index_of(dump);

    if (place >= index->blob_count)
        return -ENOENT;
    *size = index->blobs[place].size;
    return 0;
}

static int make_blob(struct dump *dump, uint64_t place, const struct cancel *cancel,
                     struct blob **out)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    struct apitrace_reader reader;
    struct blob *blob = NULL;
    int status;

    if (place >= index->blob_count)
        return -ENOENT;
    status = blob_create((size_t)index->blobs[place].size, &blob);
    if (status < 0)
        return status;
    apitrace_reader_init(&reader, &index->stream, cancel);
    apitrace_reader_seek(&reader, index->blobs[place].position);
    apitrace_read_bytes(&reader, blob->data, blob->size);
    status = apitrace_reader_error(&reader);
    apitrace_reader_clear(&reader);
    if (status < 0)
        blob_unref(&blob);
    *out = blob;
    return status;
}

static int make_commands_link(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              struct blob **out)
{
    struct text text = TEXT_INIT;

    (void)dump, (void)key, (void)cancel;
    text_add(&text, "calls.txt");
    return text_blob(&text, out);
}

static const struct rule_family blob_group_family = {GROUP_BITS, next_blob_group, name_group, NULL};
static const struct rule_family blob_family = {0, next_group_blob, name_blob, parse_blob};
static const struct rule_family frame_blob_family = {0, next_frame_blob, name_blob, parse_blob};

#define APITRACE(what, own_id, in, pattern)                                                        \
    .kind = RULE_##what, .id = APITRACE_RULE_##own_id, .parent = in, .name = pattern

const struct rule apitrace_rules[APITRACE_RULES] = {
    {APITRACE(FILE, CALLS, RULE_FRAME, "calls.txt"), .listing = &apitrace_calls_listing,
     .help = "its calls, as `apitrace dump --color=never` prints them"},
    {APITRACE(LINK, COMMANDS, RULE_FRAME, "commands.txt"), .make = make_commands_link},
    {APITRACE(FILE, CALLS_ONELINE, RULE_FRAME, "calls-oneline.txt"),
     .listing = &apitrace_calls_oneline_listing, .help = "the same with --multiline=no"},
    {APITRACE(FILE, CALLS_VERBOSE, RULE_FRAME, "calls-verbose.txt"),
     .listing = &apitrace_calls_verbose_listing,
     .help = "the same with -v --thread-ids=yes: hidden calls and threads are shown"},
    {APITRACE(FILE, SUMMARY, RULE_FRAME, "summary.txt"), .make = apitrace_summary_make,
     .help = "what the frame did, counted"},
    {APITRACE(DIRECTORY, FRAME_BLOBS, RULE_FRAME, "blobs"), .help = "its part of blobs/"},
    {APITRACE(FILE, FRAME_BLOB, APITRACE_RULE_FRAME_BLOBS, "NNNNNNNN-K.bin"),
     .family = &frame_blob_family, .alias = APITRACE_RULE_BLOB},
    {APITRACE(FILE, BLOBS_TSV, RULE_ROOT, "blobs.tsv"), .listing = &apitrace_blobs_listing,
     .help = "one blob a line: ordinal within its call, call, frame, function, argument, bytes"},
    {APITRACE(DIRECTORY, BLOBS, RULE_ROOT, "blobs")},
    {APITRACE(DIRECTORY, BLOB_GROUP, APITRACE_RULE_BLOBS, "BBBBB"), .family = &blob_group_family,
     .help = "of a thousand calls: BBBBB is the call's number divided by 1000"},
    {APITRACE(FILE, BLOB, APITRACE_RULE_BLOB_GROUP, "NNNNNNNN-K.bin"), .family = &blob_family,
     .size = blob_size, .make = make_blob,
     .help = "blob K of call NNNNNNNN, from 0, in the order of printing"},
    {APITRACE(FILE, MARKERS, RULE_ROOT, "markers.tsv"), .listing = &apitrace_markers_listing,
     .help = "debug markers and groups that the program set"},
    {APITRACE(FILE, ERRORS, RULE_ROOT, "errors.tsv"), .listing = &apitrace_errors_listing,
     .help = "glGetError calls whose result is not 0"},
    {APITRACE(FILE, THREADS, RULE_ROOT, "threads.tsv"), .listing = &apitrace_threads_listing,
     .help = "one thread a line"},
    {APITRACE(DIRECTORY, SIGNATURES, RULE_ROOT, "signatures")},
    {APITRACE(FILE, FUNCTIONS, APITRACE_RULE_SIGNATURES, "functions.txt"),
     .listing = &apitrace_functions_listing, .help = "functions, with what they are named by"},
    {APITRACE(FILE, ENUMS, APITRACE_RULE_SIGNATURES, "enums.txt"),
     .listing = &apitrace_enums_listing, .help = "enumerations: id, name = value"},
    {APITRACE(FILE, BITMASKS, APITRACE_RULE_SIGNATURES, "bitmasks.txt"),
     .listing = &apitrace_bitmasks_listing, .help = "bit masks: id, name = bits"},
    {APITRACE(FILE, STRUCTS, APITRACE_RULE_SIGNATURES, "structs.txt"),
     .listing = &apitrace_structs_listing, .help = "structs: id, name, members"},
};
