/* SPDX-License-Identifier: MIT */
/*
 * A record is a byte of flags and varints (call_pages.h). The flags say which values differ from
 * the expected ones: a call is expected to enter where the call before it ended, to leave where its
 * own enter event ends, to belong to the same thread as the call before, and to have the same
 * difference of order and number.
 */
#include "formats/apitrace/index/calls.h"

#include "formats/apitrace/index/call_pages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Writing. */

static int add_page(struct apitrace_calls *calls)
{
    struct apitrace_call_page *page;

    if (apitrace_grow(&calls->pages, calls->page_count, &calls->page_room,
                      sizeof(struct apitrace_call_page *), &calls->memory) < 0)
        return -ENOMEM;
    page = malloc(sizeof(*page));
    if (page == NULL)
        return -ENOMEM;
    page->used = 0;
    calls->memory.taken += sizeof(*page);
    calls->pages[calls->page_count++] = page;
    return 0;
}

/* The records of a block are all in one page. */
static int begin_block(struct apitrace_calls *calls, uint64_t place)
{
    struct apitrace_call_page *page =
        calls->page_count > 0 ? calls->pages[calls->page_count - 1] : NULL;

    if ((page == NULL || APITRACE_PAGE_BYTES - page->used < APITRACE_BLOCK * RECORD_MAX) &&
        add_page(calls) < 0)
        return -ENOMEM;
    if (apitrace_grow(&calls->marks, calls->mark_count, &calls->mark_room,
                      sizeof(struct apitrace_call_mark), &calls->memory) < 0)
        return -ENOMEM;
    calls->marks[calls->mark_count++] = (struct apitrace_call_mark){
        place, (uint32_t)calls->page_count - 1, calls->pages[calls->page_count - 1]->used};
    return 0;
}

static uint8_t *put_number(uint8_t *at, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *at++ = (uint8_t)(value | 0x80);
    *at++ = (uint8_t)value;
    return at;
}

static uint8_t *put_signed(uint8_t *at, int64_t value)
{
    return put_number(at, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static unsigned leave_of(const struct apitrace_record *record, bool late)
{
    if (late)
        return LEAVE_LATE;
    if (record->leave == APITRACE_NO_LEAVE)
        return LEAVE_NONE;
    return record->leave == record->enter + record->enter_bytes ? LEAVE_NEXT : LEAVE_APART;
}

static unsigned flags_of(uint8_t marks)
{
    return (marks & APITRACE_HIDDEN ? FLAG_HIDDEN : 0U) | (marks & APITRACE_FAKE ? FLAG_FAKE : 0U) |
           (marks & APITRACE_CUT ? FLAG_CUT : 0U);
}

/* Writes a record that is as expected. Returns NULL if it is not. */
static inline uint8_t *put_usual(uint8_t *at, struct apitrace_prediction *before,
                                 const struct apitrace_record *record)
{
    uint64_t end = record->enter + record->enter_bytes;

    if (record->enter != before->end || record->leave != end || record->thread != before->thread ||
        (int64_t)(record->order - record->number) != before->shift ||
        (record->enter_bytes | record->leave_bytes) >= USUAL_MAX || record->marks & APITRACE_CUT)
        return NULL;
    at[0] = (uint8_t)flags_of(record->marks);
    at[1] = (uint8_t)record->enter_bytes;
    at[2] = (uint8_t)record->leave_bytes;
    before->end = end + record->leave_bytes;
    return put_number(at + USUAL_HEAD, (uint32_t)(record->function + 1));
}

static uint8_t *put_record(uint8_t *at, struct apitrace_prediction *before,
                           const struct apitrace_record *record, bool late)
{
    unsigned leave = leave_of(record, late), flags = leave;
    uint64_t end = record->enter + record->enter_bytes;
    int64_t shift = (int64_t)(record->order - record->number);
    uint8_t *first = at++;

    if (record->enter != before->end) {
        flags |= FLAG_PLACE;
        at = put_signed(at, (int64_t)(record->enter - before->end));
    }
    if (record->thread != before->thread) {
        flags |= FLAG_THREAD;
        at = put_number(at, record->thread);
        before->thread = record->thread;
    }
    if (!late && record->order != APITRACE_NO_ORDER && shift != before->shift) {
        flags |= FLAG_ORDER;
        at = put_signed(at, shift - before->shift);
        before->shift = shift;
    }
    at = put_number(at, record->enter_bytes);
    if (leave == LEAVE_APART)
        at = put_signed(at, (int64_t)(record->leave - end));
    if (leave == LEAVE_APART || leave == LEAVE_NEXT)
        at = put_number(at, record->leave_bytes);
    before->end = leave == LEAVE_NEXT ? end + record->leave_bytes : end;
    at = put_number(at, (uint32_t)(record->function + 1));
    *first = (uint8_t)(flags | flags_of(record->marks));
    return at;
}

static int add_late(struct apitrace_calls *calls, const struct apitrace_record *record)
{
    if (apitrace_grow(&calls->late, calls->late_count, &calls->late_room, sizeof(*calls->late),
                      &calls->memory) < 0)
        return -ENOMEM;
    calls->late[calls->late_count] = (struct apitrace_late){.number = (uint32_t)record->number};
    calls->late_count++;
    calls->late_open++;
    return 0;
}

int apitrace_calls_add(struct apitrace_calls *calls, const struct apitrace_record *record,
                       bool late)
{
    struct apitrace_call_page *page;
    uint8_t *at, *end;

    if (calls->count % APITRACE_BLOCK == 0) {
        if (begin_block(calls, record->enter) < 0)
            return -ENOMEM;
        calls->before = (struct apitrace_prediction){.end = record->enter};
    }
    if (late && add_late(calls, record) < 0)
        return -ENOMEM;
    page = calls->pages[calls->page_count - 1];
    at = page->bytes + page->used;
    end = late ? NULL : put_usual(at, &calls->before, record);
    if (end == NULL)
        end = put_record(at, &calls->before, record, late);
    page->used = (uint32_t)(end - page->bytes);
    calls->count++;
    return 0;
}

static int compare_late(const void *a, const void *b)
{
    const struct apitrace_late *left = a, *right = b;

    return left->number < right->number ? -1 : left->number > right->number;
}

static struct apitrace_late *find_late(const struct apitrace_calls *calls, uint64_t number)
{
    const struct apitrace_late wanted = {.number = (uint32_t)number};
    uint64_t count = calls->late_count;

    return count > 0 ? bsearch(&wanted, calls->late, (size_t)count, sizeof(wanted), compare_late)
                     : NULL;
}

bool apitrace_calls_is_open(const struct apitrace_calls *calls, uint64_t number)
{
    const struct apitrace_late *late = number < calls->count ? find_late(calls, number) : NULL;

    return late != NULL && !late->known;
}

void apitrace_calls_close(struct apitrace_calls *calls, const struct apitrace_record *record)
{
    struct apitrace_late *late = find_late(calls, record->number);

    late->leave = record->leave;
    late->leave_bytes = record->leave_bytes;
    late->order = record->order;
    late->thread = record->thread;
    late->marks = record->marks;
    late->known = true;
    calls->late_open--;
}

void apitrace_calls_clear(struct apitrace_calls *calls)
{
    for (uint64_t n = 0; n < calls->page_count; n++)
        free(calls->pages[n]);
    apitrace_free(calls->pages, &calls->memory);
    apitrace_free(calls->marks, &calls->memory);
    apitrace_free(calls->late, &calls->memory);
    *calls = (struct apitrace_calls){0};
}

/* Reading. */

static inline uint64_t get_number(const uint8_t **at)
{
    uint8_t byte = *(*at)++;
    uint64_t value = byte & 0x7F;

    for (unsigned shift = 7; byte >= 0x80; shift += 7) {
        byte = *(*at)++;
        value |= (uint64_t)(byte & 0x7F) << shift;
    }
    return value;
}

static int64_t get_signed(const uint8_t **at)
{
    uint64_t value = get_number(at);

    return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

static void go_to_block(struct apitrace_walk *walk, uint64_t block)
{
    const struct apitrace_call_mark *mark = &walk->calls->marks[block];

    walk->next = block * APITRACE_BLOCK;
    walk->at = walk->calls->pages[mark->page]->bytes + mark->offset;
    walk->before = (struct apitrace_prediction){.end = mark->place};
}

/* Takes the end of a late call. A call that is still open is not listed. */
static void get_late(const struct apitrace_calls *calls, struct apitrace_record *record)
{
    const struct apitrace_late *late = find_late(calls, record->number);
    bool known = late != NULL && late->known;

    record->leave = known ? late->leave : APITRACE_NO_LEAVE;
    record->leave_bytes = known ? late->leave_bytes : 0;
    record->order = known ? late->order : APITRACE_NO_ORDER;
    record->thread = known ? late->thread : record->thread;
    record->marks |= known ? late->marks : APITRACE_INCOMPLETE;
}

/* Reads a usual record, whose lengths have one byte each. Returns false if it is not one. */
static inline bool get_usual(struct apitrace_walk *walk)
{
    struct apitrace_record *record = &walk->record;
    const uint8_t *at = walk->at;
    unsigned flags = at[0];

    if ((flags & ~(unsigned)FLAGS_USUAL) != 0 || (at[1] | at[2]) >= USUAL_MAX)
        return false;
    record->enter = walk->before.end;
    record->enter_bytes = at[1];
    record->leave = record->enter + at[1];
    record->leave_bytes = at[2];
    walk->before.end = record->leave + at[2];
    record->thread = walk->before.thread;
    record->number = walk->next++;
    record->order = record->number + (uint64_t)walk->before.shift;
    record->marks = (uint8_t)((flags & FLAG_HIDDEN ? APITRACE_HIDDEN : 0) |
                              (flags & FLAG_FAKE ? APITRACE_FAKE : 0));
    at += USUAL_HEAD;
    record->function = (uint32_t)get_number(&at) - 1;
    walk->at = at;
    return true;
}

/* Reads the next record of the block, replacing the one before. Returns its flags. */
static unsigned get_record(struct apitrace_walk *walk)
{
    struct apitrace_prediction *before = &walk->before;
    struct apitrace_record *record = &walk->record;
    const uint8_t *at = walk->at;
    unsigned flags = *at++;
    uint64_t end = before->end;

    if (flags & FLAG_PLACE)
        end += (uint64_t)get_signed(&at);
    if (flags & FLAG_THREAD)
        before->thread = (uint32_t)get_number(&at);
    if (flags & FLAG_ORDER)
        before->shift += get_signed(&at);
    record->enter = end;
    record->thread = before->thread;
    record->number = walk->next++;
    record->order = record->number + (uint64_t)before->shift;
    record->enter_bytes = get_number(&at);
    end += record->enter_bytes;
    record->leave = APITRACE_NO_LEAVE;
    record->leave_bytes = 0;
    if ((flags & FLAG_LEAVE) == LEAVE_NEXT) {
        record->leave = end;
        record->leave_bytes = get_number(&at);
        end += record->leave_bytes;
    } else if ((flags & FLAG_LEAVE) == LEAVE_APART) {
        record->leave = end + (uint64_t)get_signed(&at);
        record->leave_bytes = get_number(&at);
    }
    before->end = end;
    record->function = (uint32_t)get_number(&at) - 1;
    walk->at = at;
    return flags;
}

static void finish_record(struct apitrace_walk *walk, unsigned flags)
{
    struct apitrace_record *record = &walk->record;

    record->marks =
        (uint8_t)((flags & FLAG_HIDDEN ? APITRACE_HIDDEN : 0) |
                  (flags & FLAG_FAKE ? APITRACE_FAKE : 0) | (flags & FLAG_CUT ? APITRACE_CUT : 0));
    if ((flags & FLAG_LEAVE) == LEAVE_NONE && (flags & FLAG_CUT) == 0)
        record->marks |= APITRACE_INCOMPLETE;
}

const struct apitrace_record *apitrace_walk_to(struct apitrace_walk *walk, uint64_t number)
{
    unsigned flags = 0;

    if (walk->at != NULL && number + 1 == walk->next)
        return &walk->record;
    if (walk->at != NULL && number == walk->next && number % APITRACE_BLOCK != 0 && get_usual(walk))
        return &walk->record;
    if (walk->at == NULL || number < walk->next || walk->next % APITRACE_BLOCK == 0 ||
        number / APITRACE_BLOCK != walk->next / APITRACE_BLOCK)
        go_to_block(walk, number / APITRACE_BLOCK);
    while (walk->next <= number)
        flags = get_record(walk);
    finish_record(walk, flags);
    if ((flags & FLAG_LEAVE) == LEAVE_LATE)
        get_late(walk->calls, &walk->record);
    else if (flags & FLAG_CUT)
        walk->record.order = APITRACE_NO_ORDER;
    return &walk->record;
}
