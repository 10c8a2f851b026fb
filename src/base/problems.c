/* SPDX-License-Identifier: MIT */
/*
 * The complete line (offset, packet, severity and text) is its own hash key. Lines beyond the limit
 * are counted once for each hash, in a table of bits, so that neither memory nor the count grows
 * with replays that meet the same defects again.
 */
#include "config.h"

#include "base/problems.h"

#include "base/fnv.h"
#include "base/hash.h"
#include "base/locks.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    PROBLEM_LINES = 10000,       /* maximum number of lines listed */
    PROBLEM_LINES_MORE = 16,     /* further lines that only errors about the whole dump may use */
    PROBLEM_TEXT = 400,          /* maximum bytes of one description, before escaping */
    PROBLEM_HASH_BITS = 1 << 20, /* size of the table for lines that are not listed */
};

struct problem {
    uint64_t offset, packet;
    uint64_t order;
    bool drawing; /* was met while drawing */
    enum problem_severity severity;
    UT_hash_handle hh;
    size_t length;
    char line[]; /* without line feed */
};

struct problems {
    pthread_mutex_t lock;
    struct problem *lines
        GUARDED_BY(lock_of_problems); /* head of uthash's table, in the order of adding */
    const struct problem *first_error GUARDED_BY(lock_of_problems);
    bool met[PROBLEM_ERROR + 1] GUARDED_BY(lock_of_problems); /* by severity */
    uint64_t count GUARDED_BY(lock_of_problems);
    uint64_t bytes GUARDED_BY(lock_of_problems); /* length of all listed lines */
    uint64_t more GUARDED_BY(lock_of_problems);
    uint64_t by_drawing GUARDED_BY(lock_of_problems); /* how many of `count` and `more` */
    bool lost GUARDED_BY(lock_of_problems);           /* a line was lost for lack of memory */
    bool counted GUARDED_BY(lock_of_problems);        /* `moment` and `count_then` are set */
    uint64_t moment GUARDED_BY(lock_of_problems);
    uint64_t count_then GUARDED_BY(lock_of_problems);
    uint8_t *more_seen
        GUARDED_BY(lock_of_problems); /* PROBLEM_HASH_BITS bits; allocated at the limit */
    void (*changed)(void *context) GUARDED_BY(lock_of_problems);
    void *context GUARDED_BY(lock_of_problems);
    unsigned calls GUARDED_BY(lock_of_problems); /* calls of listeners in progress */
    pthread_cond_t called;                       /* signalled when `calls` becomes 0 */
};

static const char *const severity_names[] = {
    [PROBLEM_NOTE] = "note",
    [PROBLEM_WARNING] = "warning",
    [PROBLEM_ERROR] = "error",
};

/* Takes the lock of a const structure, too. */
static void take_lock(const struct problems *problems) ACQUIRE(lock_of_problems)
{
    pthread_mutex_lock((pthread_mutex_t *)&problems->lock);
}

static void give_lock(const struct problems *problems) RELEASE(lock_of_problems)
{
    pthread_mutex_unlock((pthread_mutex_t *)&problems->lock);
}

int problems_create(struct problems **out)
{
    struct problems *problems = calloc(1, sizeof(*problems));

    if (problems == NULL)
        return -ENOMEM;
    pthread_mutex_init(&problems->lock, NULL);
    pthread_cond_init(&problems->called, NULL);
    *out = problems;
    return 0;
}

void problems_destroy(struct problems **problems) LOCKS_UNCHECKED
{
    struct problems *destroyed = *problems;
    struct problem *problem, *next;

    *problems = NULL;
    if (destroyed == NULL)
        return;
    HASH_ITER (hh, destroyed->lines, problem, next) {
        HASH_DEL(destroyed->lines, problem);
        free(problem);
    }
    free(destroyed->more_seen);
    pthread_cond_destroy(&destroyed->called);
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed);
}

static void format_line(struct text *line, enum problem_severity severity, uint64_t offset,
                        uint64_t packet, const struct text *what)
{
    if (offset == PROBLEM_NOWHERE) {
        text_add(line, "-");
    } else {
        text_add(line, "0x");
        text_add_hex(line, offset, 8);
    }
    text_add(line, " packet ");
    if (packet == PROBLEM_NOWHERE)
        text_add(line, "-");
    else
        text_add_u64(line, packet);
    text_add(line, " ");
    text_add(line, severity_names[severity]);
    text_add(line, ": ");
    text_add_escaped(line, what->bytes, what->length < PROBLEM_TEXT ? what->length : PROBLEM_TEXT);
}

static uint64_t hash_line(const struct text *line)
{
    uint64_t hash = fnv1a(line->bytes, line->length);

    return hash ^ hash >> 32;
}

/* Counts a line that is not listed. Returns false if its hash was counted before. */
static bool count_more(struct problems *problems, const struct text *line)
    REQUIRES(lock_of_problems)
{
    uint64_t bit = hash_line(line) % PROBLEM_HASH_BITS;

    if (problems->more_seen == NULL)
        problems->more_seen = calloc(PROBLEM_HASH_BITS / 8, 1);
    if (problems->more_seen == NULL) {
        problems->lost = true;
        return problems->more++ == 0; /* the listener is called only once */
    }
    if (problems->more_seen[bit / 8] & 1u << bit % 8)
        return false;
    problems->more_seen[bit / 8] |= (uint8_t)(1u << bit % 8);
    problems->more++;
    return true;
}

static struct problem *make_problem(const struct text *line)
{
    struct problem *problem = NULL;

    if (text_status(line) == 0)
        problem = malloc(sizeof(*problem) + line->length);
    if (problem == NULL)
        return NULL;
    memcpy(problem->line, line->bytes, line->length);
    problem->length = line->length;
    return problem;
}

static uint64_t lines_max(enum problem_severity severity, uint64_t offset)
{
    bool whole = severity == PROBLEM_ERROR && offset == PROBLEM_NOWHERE;

    return whole ? PROBLEM_LINES + PROBLEM_LINES_MORE : PROBLEM_LINES;
}

/* Lists or counts a line. Returns whether the text of problems.txt has changed. */
static bool list_line(struct problems *problems, const struct problem *what,
                      const struct text *line) REQUIRES(lock_of_problems)
{
    struct problem *problem = NULL;

    HASH_FIND(hh, problems->lines, line->bytes, line->length, problem);
    if (problem != NULL)
        return false;
    if (problems->count < lines_max(what->severity, what->offset)) {
        problem = make_problem(line);
        problems->lost = problems->lost || problem == NULL;
    }
    if (problem == NULL)
        return count_more(problems, line);
    problem->offset = what->offset;
    problem->packet = what->packet;
    problem->drawing = what->drawing;
    problem->severity = what->severity;
    problem->order = problems->count;
    HASH_ADD_KEYPTR(hh, problems->lines, problem->line, problem->length, problem);
    if (problem->hh.tbl == NULL) { /* uthash could not allocate memory */
        free(problem);
        problems->lost = true;
        return count_more(problems, line);
    }
    problems->count++;
    problems->bytes += problem->length + 1;
    if (what->severity == PROBLEM_ERROR && problems->first_error == NULL)
        problems->first_error = problem;
    return true;
}

/* Calls the listener, if there is one, with the lock released meanwhile. */
static void call_listener(struct problems *problems) REQUIRES(lock_of_problems)
{
    void (*changed)(void *context) = problems->changed;
    void *context = problems->context;

    if (changed == NULL)
        return;
    problems->calls++;
    give_lock(problems);
    changed(context);
    take_lock(problems);
    if (--problems->calls == 0)
        pthread_cond_broadcast(&problems->called);
}

__attribute__((format(printf, 6, 0))) static void add(struct problems *problems, bool drawing,
                                                      enum problem_severity severity,
                                                      uint64_t offset, uint64_t packet,
                                                      const char *format, va_list arguments)
{
    const struct problem problem = {
        .offset = offset, .packet = packet, .drawing = drawing, .severity = severity};
    struct text what = TEXT_INIT, line = TEXT_INIT;

    text_vprintf(&what, format, arguments);
    format_line(&line, severity, offset, packet, &what);

    take_lock(problems);
    problems->met[severity] = true;
    problems->lost = problems->lost || text_status(&what) < 0 || text_status(&line) < 0;
    if (list_line(problems, &problem, &line)) {
        problems->by_drawing += drawing;
        call_listener(problems);
    }
    give_lock(problems);
    text_clear(&what);
    text_clear(&line);
}

void problems_add(struct problems *problems, enum problem_severity severity, uint64_t offset,
                  uint64_t packet, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    add(problems, false, severity, offset, packet, format, arguments);
    va_end(arguments);
}

void problems_add_drawing(struct problems *problems, enum problem_severity severity,
                          uint64_t offset, uint64_t packet, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    add(problems, true, severity, offset, packet, format, arguments);
    va_end(arguments);
}

void problems_lose(struct problems *problems)
{
    take_lock(problems);
    problems->lost = true;
    give_lock(problems);
}

void problems_on_change(struct problems *problems, void (*changed)(void *context), void *context)
{
    take_lock(problems);
    problems->changed = changed;
    problems->context = context;
    while (problems->calls > 0)
        pthread_cond_wait(&problems->called, &problems->lock);
    give_lock(problems);
}

uint64_t problems_count(const struct problems *problems)
{
    uint64_t count;

    take_lock(problems);
    count = problems->count + problems->more;
    give_lock(problems);
    return count;
}

int problems_count_at(struct problems *problems, uint64_t moment, uint64_t *count)
{
    int status;

    take_lock(problems);
    if (!problems->counted || problems->moment != moment) {
        problems->counted = true;
        problems->moment = moment;
        problems->count_then = problems->count + problems->more - problems->by_drawing;
    }
    *count = problems->count_then;
    status = problems->lost ? -ENOMEM : 0;
    give_lock(problems);
    return status;
}

bool problems_any(const struct problems *problems, enum problem_severity min)
{
    bool any = false;

    take_lock(problems);
    for (unsigned severity = min; severity <= PROBLEM_ERROR; severity++)
        any = any || problems->met[severity];
    give_lock(problems);
    return any;
}

bool problems_first_error(const struct problems *problems, struct text *line)
{
    const struct problem *first;

    take_lock(problems);
    first = problems->first_error;
    if (first != NULL)
        text_add_bytes(line, first->line, first->length);
    give_lock(problems);
    return first != NULL;
}

bool problems_first_sentence(const struct problems *problems, struct text *sentence)
{
    struct text line = TEXT_INIT;
    bool found = problems_first_error(problems, &line);
    const char *begin;

    text_add_char(&line, '\0');
    begin = found && text_status(&line) == 0 ? strstr(line.bytes, ": ") : NULL;
    if (begin != NULL)
        text_add(sentence, begin + 2);
    text_clear(&line);
    return begin != NULL;
}

static bool is_of(const struct text *sentence, const char *path, size_t length)
{
    return sentence->length > length && memcmp(sentence->bytes, path, length) == 0 &&
           (sentence->bytes[length] == ' ' || sentence->bytes[length] == ':');
}

bool problems_sentence_of(const struct problems *problems, const char *path, struct text *sentence)
{
    const struct problem *problem;
    bool found = false;

    take_lock(problems);
    for (problem = problems->lines; problem != NULL && !found; problem = problem->hh.next) {
        const char *begin = memmem(problem->line, problem->length, ": ", 2);
        struct text told = TEXT_INIT;

        if (begin != NULL)
            text_add_bytes(&told, begin + 2, problem->length - (size_t)(begin + 2 - problem->line));
        found = text_status(&told) == 0 && is_of(&told, path, strlen(path));
        if (found)
            text_add_text(sentence, &told);
        text_clear(&told);
    }
    give_lock(problems);
    return found;
}

static int compare_lines(const void *left, const void *right)
{
    const struct problem *a = *(const struct problem *const *)left;
    const struct problem *b = *(const struct problem *const *)right;

    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static void write_more(const struct problems *problems, struct text *text)
    REQUIRES(lock_of_problems)
{
    if (problems->more > 0)
        text_printf(text, "- packet - note: at least %llu more, not listed\n",
                    (unsigned long long)problems->more);
}

void problems_write(const struct problems *problems, struct text *text)
{
    const struct problem **sorted, *problem;
    size_t count = 0;

    take_lock(problems);
    sorted = malloc((size_t)(problems->count + 1) * sizeof(*sorted));
    if (sorted == NULL) {
        text_fail(text, -ENOMEM);
        goto out;
    }
    for (problem = problems->lines; problem != NULL; problem = problem->hh.next)
        sorted[count++] = problem;
    qsort(sorted, count, sizeof(*sorted), compare_lines);
    for (size_t i = 0; i < count; i++) {
        text_add_bytes(text, sorted[i]->line, sorted[i]->length);
        text_add_char(text, '\n');
    }
    write_more(problems, text);
out:
    give_lock(problems);
    free(sorted);
}

uint64_t problems_length(const struct problems *problems)
{
    struct text more = TEXT_INIT;
    uint64_t length;

    take_lock(problems);
    write_more(problems, &more);
    length = problems->bytes + more.length;
    give_lock(problems);
    text_clear(&more);
    return length;
}

int problems_packets(const struct problems *problems, uint64_t **packets, size_t *count)
{
    take_lock(problems);
    *count = 0;
    *packets = malloc((size_t)(problems->count + 1) * sizeof(**packets));
    for (const struct problem *problem = *packets != NULL ? problems->lines : NULL; problem != NULL;
         problem = problem->hh.next)
        if (!problem->drawing && problem->packet != PROBLEM_NOWHERE)
            (*packets)[(*count)++] = problem->packet;
    give_lock(problems);
    return *packets != NULL ? 0 : -ENOMEM;
}
