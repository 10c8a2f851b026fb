/* SPDX-License-Identifier: MIT */
/*
 * The state of GL at the end of a frame, followed from the calls alone: for each thing that a
 * program sets, the last call that set it, whose text provides the value. No driver is involved, so
 * what was never set is missing, and a call that raised an error counts as successful. A follower
 * at one frame can go on to a later one. One thread a follower.
 */
#include "formats/apitrace/views/views.h"

#include "formats/apitrace/replay/context_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { SETTINGS_MAX = 1 << 16, CHECK_EVERY = 4096 };

/* Something that is set, in a context. */
struct place {
    uint64_t context;
    int64_t selector, unit; /* -1 if there is none */
    const char *key;
};

struct setting {
    struct place place;
    uint32_t number; /* of the call that set it last */
    const struct apitrace_gl_call *row;
    UT_hash_handle hh;
};

struct apitrace_follower {
    const struct apitrace_index *index;
    uint64_t order; /* of the next call */
    struct setting *settings;
    struct apitrace_context_states states;
};

/* Returns 0 or -ENOMEM. */
static int create_follower(const struct apitrace_index *index, struct apitrace_follower **out)
{
    struct apitrace_follower *follower = calloc(1, sizeof(*follower));

    *out = follower;
    if (follower == NULL)
        return -ENOMEM;
    follower->index = index;
    return 0;
}

void apitrace_follower_destroy(struct apitrace_follower **follower)
{
    struct apitrace_follower *destroyed = *follower;
    struct setting *setting, *next;

    *follower = NULL;
    if (destroyed == NULL)
        return;
    HASH_ITER (hh, destroyed->settings, setting, next) {
        HASH_DEL(destroyed->settings, setting);
        free(setting);
    }
    apitrace_context_states_clear(&destroyed->states);
    free(destroyed);
}

static int set(struct apitrace_follower *follower, const struct place *place,
               const struct apitrace_gl_call *row, uint32_t number)
{
    struct setting *setting = NULL;

    HASH_FIND(hh, follower->settings, place, sizeof(*place), setting);
    if (setting == NULL && HASH_COUNT(follower->settings) < SETTINGS_MAX) {
        setting = calloc(1, sizeof(*setting));
        if (setting == NULL)
            return -ENOMEM;
        setting->place = *place;
        HASH_ADD(hh, follower->settings, place, sizeof(setting->place), setting);
        if (setting->hh.tbl == NULL) {
            free(setting);
            return -ENOMEM;
        }
    }
    if (setting != NULL) {
        setting->number = number;
        setting->row = row;
    }
    return 0;
}

static int follow_setting(struct apitrace_follower *follower, struct apitrace_call *call,
                          const struct apitrace_gl_call *row)
{
    const struct apitrace_binding *binding =
        apitrace_binding_of(&follower->states, call->record->thread);
    struct place place;

    if (binding == NULL)
        return -ENOMEM;
    memset(&place, 0, sizeof(place)); /* it is hashed as bytes, including padding */
    place.context = binding->context->handle;
    place.key = row->state;
    place.selector = row->shape == APITRACE_STATE_PLAIN ? -1 : apitrace_call_integer(call, 0, -1);
    place.unit = row->shape == APITRACE_STATE_UNIT ? (int64_t)binding->context->unit : -1;
    return set(follower, &place, row, (uint32_t)call->record->number);
}

static int follow_call(struct apitrace_follower *follower, struct apitrace_call *call,
                       uint64_t number)
{
    const struct apitrace_function *function =
        apitrace_index_function(follower->index, apitrace_walk_to(&call->walk, number));
    bool followed = apitrace_context_state_follows(function->semantic);
    int status;

    if (function->state == NULL && !followed)
        return 0;
    status = apitrace_call_read(call, number);
    if (status == 0 && function->state != NULL)
        status = follow_setting(follower, call, function->state);
    if (status == 0 && followed)
        status = apitrace_context_state_follow(&follower->states, call);
    return status < 0 ? status : apitrace_call_status(call);
}

/*
 * Goes on to a position in the listing that is not before the current one. Returns 0, -EINTR,
 * -ENOMEM or -EIO.
 */
static int go_on(struct apitrace_follower *follower, uint64_t order, const struct cancel *cancel)
{
    struct apitrace_call call;
    int status = 0;

    apitrace_call_init(&call, follower->index, cancel);
    while (follower->order < order && status == 0) {
        if (follower->order % CHECK_EVERY == 0 && cancel_requested(cancel))
            status = -EINTR;
        if (status == 0)
            status = follow_call(follower, &call,
                                 apitrace_index_listed(follower->index, follower->order));
        if (status == 0)
            follower->order++;
    }
    apitrace_call_clear(&call);
    return status;
}

/* Writing. */

static int compare_settings(const void *a, const void *b)
{
    const struct setting *left = *(const struct setting *const *)a;
    const struct setting *right = *(const struct setting *const *)b;
    int order;

    if (left->place.context != right->place.context)
        return left->place.context < right->place.context ? -1 : 1;
    order = strcmp(left->place.key, right->place.key);
    if (order != 0)
        return order;
    if (left->place.unit != right->place.unit)
        return left->place.unit < right->place.unit ? -1 : 1;
    return left->place.selector < right->place.selector
               ? -1
               : left->place.selector > right->place.selector;
}

static int compare_threads(const void *a, const void *b)
{
    const struct apitrace_binding *left = *(const struct apitrace_binding *const *)a;
    const struct apitrace_binding *right = *(const struct apitrace_binding *const *)b;

    return left->thread < right->thread ? -1 : left->thread > right->thread;
}

static int write_value(struct apitrace_printer *printer, uint32_t n, struct text *text)
{
    if (n < printer->call.argument_count && printer->call.arguments[n] != 0)
        return apitrace_print_value(printer, printer->call.arguments[n], APITRACE_PRINT_ONE_LINE,
                                    text);
    text_add_char(text, '?');
    return 0;
}

static int write_setting(struct apitrace_printer *printer, const struct setting *setting,
                         bool contexts, struct text *text)
{
    unsigned shape = setting->row->shape;
    int status = apitrace_call_read(&printer->call, setting->number);
    uint32_t first = shape == APITRACE_STATE_PLAIN ? 0 : 1;

    if (contexts)
        text_printf(text, "context 0x%" PRIx64 " ", setting->place.context);
    text_add(text, setting->place.key);
    if (shape == APITRACE_STATE_UNIT)
        text_printf(text, " %" PRId64, setting->place.unit);
    if (status == 0 && shape != APITRACE_STATE_PLAIN) {
        text_add_char(text, ' ');
        status = write_value(printer, 0, text);
    }
    text_add(text, ": ");
    if (shape == APITRACE_STATE_ON || shape == APITRACE_STATE_OFF)
        text_add(text, shape == APITRACE_STATE_ON ? "yes" : "no");
    else
        for (uint32_t n = first; n < printer->call.argument_count && status == 0; n++) {
            if (n > first)
                text_add(text, ", ");
            status = write_value(printer, n, text);
        }
    text_add_char(text, '\n');
    return status;
}

/* Returns all members of a hash table, sorted, for free(); NULL if memory is short. */
static void *sorted(void *head, size_t count, ptrdiff_t link,
                    int (*compare)(const void *, const void *))
{
    void **members = calloc(count + 1, sizeof(*members));
    size_t n = 0;

    for (void *member = head; members != NULL && member != NULL && n < count; n++) {
        members[n] = member;
        member = ((UT_hash_handle *)(void *)((char *)member + link))->next;
    }
    if (members != NULL && n > 0)
        qsort(members, n, sizeof(*members), compare);
    return members;
}

static int write_threads(const struct apitrace_follower *follower, struct text *text)
{
    struct apitrace_binding *first = follower->states.threads;
    size_t count = HASH_COUNT(first);
    struct apitrace_binding **threads =
        sorted(first, count, offsetof(struct apitrace_binding, hh), compare_threads);

    if (threads == NULL)
        return -ENOMEM;
    for (size_t n = 0; n < count; n++) {
        text_printf(text, "thread %" PRIu32 " context: 0x%" PRIx64 "\n", threads[n]->thread,
                    threads[n]->context->handle);
        text_printf(text, "thread %" PRIu32 " drawable: 0x%" PRIx64 "\n", threads[n]->thread,
                    threads[n]->draw);
    }
    free(threads);
    return 0;
}

/* Appends the state as `key: value` lines. Returns 0, -EINTR, -ENOMEM or -EIO. */
static int write_state(const struct apitrace_follower *follower, const struct cancel *cancel,
                       struct text *text)
{
    size_t count = HASH_COUNT(follower->settings);
    struct setting **settings =
        sorted(follower->settings, count, offsetof(struct setting, hh), compare_settings);
    struct apitrace_printer printer;
    bool contexts;
    int status;

    if (settings == NULL)
        return -ENOMEM;
    contexts = count > 0 && settings[0]->place.context != settings[count - 1]->place.context;
    status = write_threads(follower, text);
    apitrace_printer_init(&printer, follower->index, cancel);
    for (size_t n = 0; n < count && status == 0; n++)
        status = write_setting(&printer, settings[n], contexts, text);
    apitrace_printer_clear(&printer);
    free(settings);
    return status;
}

/* state.txt */

static void take_lock(struct apitrace_dump *dump) ACQUIRE(lock_of_apitrace_state)
{
    pthread_mutex_lock(&dump->state_lock);
}

static void give_lock(struct apitrace_dump *dump) RELEASE(lock_of_apitrace_state)
{
    pthread_mutex_unlock(&dump->state_lock);
}

/* Takes the dump's follower, if it is not beyond the position already; otherwise creates one. */
static int take_follower(struct apitrace_dump *dump, uint64_t order, struct apitrace_follower **out)
{
    take_lock(dump);
    *out = dump->follower;
    dump->follower = NULL;
    give_lock(dump);
    if (*out != NULL && (*out)->order > order)
        apitrace_follower_destroy(out);
    return *out != NULL ? 0 : create_follower(&dump->index, out);
}

static void park_follower(struct apitrace_dump *dump, struct apitrace_follower *follower)
{
    take_lock(dump);
    if (dump->follower == NULL) {
        dump->follower = follower;
        follower = NULL;
    }
    give_lock(dump);
    apitrace_follower_destroy(&follower);
}

int apitrace_frame_state(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct text *text)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);
    uint64_t end = apitrace->index.frames[frame].end;
    struct apitrace_follower *follower = NULL;
    int status = take_follower(apitrace, end, &follower);

    if (status == 0)
        status = go_on(follower, end, cancel);
    if (status == 0)
        status = write_state(follower, cancel, text);
    if (status == 0)
        park_follower(apitrace, follower);
    else
        apitrace_follower_destroy(&follower);
    return status;
}
