/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "formats/format.h"

#include "base/string.h"
#include "source/growing_source.h"
#include "tree/allowance.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ROW(name, title) {#name, title, &name##_format},
const struct format formats_table[] = {FORMATS(ROW){NULL, NULL, NULL}};

/* How much of a stream whose format is not clear is read at most, and how long to wait for it. */
enum { MORE_BYTES = 64 * 1024, MORE_MS = 1000 };

int format_options_add(struct options *options)
{
    int status = 0;

    for (const struct format *format = formats_table; format->name != NULL; format++)
        if (status == 0 && format->ops->options != NULL)
            status = options_add(options, format->ops->options);
    if (status < 0)
        options_clear(options);
    return status;
}

int format_options_init(struct options *options)
{
    options_init(options);
    return format_options_add(options);
}

/*
 * Returns 0; -ENOEXEC if no format recognizes the source; or -ENOMEM if a probe failed and no other
 * format recognizes it.
 */
static int find_best(const struct format_opening *opening, const struct format **out)
{
    const struct format *best = NULL;
    int best_score = 0, status = -ENOEXEC;

    for (const struct format *format = formats_table; format->name != NULL; format++) {
        int score = 0;

        if (!opening->source->packed || format->ops->takes_packed)
            score = format->ops->probe(opening);

        if (score < 0)
            status = score;
        if (score > best_score) {
            best_score = score;
            best = format;
        }
    }
    *out = best;
    return best != NULL ? 0 : status;
}

int format_probe(const struct format_opening *opening, const struct format **out)
{
    struct format_opening probing = *opening;
    struct text message = TEXT_INIT;
    int status;

    *out = NULL;
    probing.message = &message;
    status = problems_create(&probing.problems);
    if (status < 0)
        return status;
    status = find_best(&probing, out);
    problems_destroy(&probing.problems);
    text_clear(&message);
    return status;
}

int format_of_file(const struct source_file *file, const char *path, const struct options *options,
                   const struct format **out)
{
    static const struct source_params params = {0};
    struct source source = {
        .path = (char *)(uintptr_t)path, .no_links = file->no_links, .folder = file->folder};
    struct format_opening opening = {
        .source = &source, .options = options, .source_params = &params};
    uint8_t *bytes = malloc(MORE_BYTES);
    size_t size = 0;
    int status = bytes != NULL ? source_peek(file->fd, bytes, MORE_BYTES, &size) : -ENOMEM;

    *out = NULL;
    if (status == 0 && size > 0) {
        source.data = bytes;
        source.size = source.file_size = size;
        status = format_probe(&opening, out);
    }
    free(bytes);
    return status == -ENOMEM ? status : 0;
}

const struct format *format_of_text(const char *word, size_t length)
{
    for (const struct format *format = formats_table; format->name != NULL; format++) {
        const char *own = format->ops->text_word;

        if (own != NULL && strlen(own) == length && memcmp(own, word, length) == 0)
            return format;
    }
    return NULL;
}

/* Adds the sentence, unless the failed function has written one. Returns `status`. */
static int fail(int status, const char *sentence, struct text *message)
{
    if (message->length == 0)
        text_add(message, sentence);
    return status;
}

/*
 * Parameters for the other files that a format opens: read completely, and not from the dump's own
 * descriptor.
 */
static struct source_params params_beside(const struct source_params *params)
{
    struct source_params beside = *params;

    beside.file = NULL;
    beside.unfinished = false;
    return beside;
}

/* Returns 0 if a format reads the source as it is, -ENOEXEC if none does, or -ENOMEM. */
static int find_taker(const struct options *options, const struct source_params *params,
                      struct text *message, const struct format_dump *dump)
{
    const struct source_params beside = params_beside(params);
    const struct format *taker;
    const struct format_opening opening = {.source = dump->source,
                                           .options = options,
                                           .source_params = &beside,
                                           .problems = dump->problems,
                                           .message = message};

    return format_probe(&opening, &taker);
}

static const char *explain_source(int status)
{
    if (status == -EISDIR)
        return "a folder cannot be followed";
    return status == -EINVAL ? "neither a file nor a folder" : strerror(-status);
}

static int open_source(const char *path, const struct options *options,
                       const struct source_params *params, struct text *message,
                       struct format_dump *out)
{
    struct source_params plain = *params, keeping;
    int status = problems_create(&out->problems);

    plain.unfinished = params->max_wait_ms != 0;
    keeping = plain;
    keeping.keep_seekable = true;
    if (status == 0)
        status = source_open(path, &keeping, out->problems, &out->source);
    if (status == 0 && out->source->packed)
        status = find_taker(options, params, message, out);
    if (status == -ENOEXEC) {
        source_close(&out->source);
        status = source_open(path, &plain, out->problems, &out->source);
    }
    if (status < 0 && out->problems != NULL && message->length == 0)
        (void)problems_first_sentence(out->problems, message);
    return status < 0 ? fail(status, explain_source(status), message) : 0;
}

/*
 * Probes a stream. If the first bytes are not enough, waits for some more. Reads the stream to its
 * end for a format that cannot grow.
 */
static int probe_stream(const struct format_opening *opening, struct source *source,
                        const struct format **format)
{
    const struct source_params *params = opening->source_params;
    int status = format_probe(opening, format);

    if (status == -ENOEXEC) {
        status = growing_source_fill(source->growth, MORE_BYTES, MORE_MS, params->cancel);
        source->size = source_size(source);
        if (status == 0)
            status = format_probe(opening, format);
    }
    if (status < 0 || (*format)->ops->grows)
        return status;
    if (params->follow) {
        text_printf(opening->message, "%s: dumps of this format cannot be followed",
                    (*format)->title);
        return -EOPNOTSUPP;
    }
    return source_complete(source, params->cancel);
}

static void explain_unknown(const struct format_dump *dump, struct text *message)
{
    const struct source *source = dump->source;

    text_add(message, "not a dump of a known format");
    if (problems_any(dump->problems, PROBLEM_ERROR)) {
        text_add(message, "; ");
        (void)problems_first_sentence(dump->problems, message);
    } else if (!source->is_folder && source->size == 0) {
        text_printf(message, ": the %s ", source->growth != NULL ? "stream" : "file");
        if (source_file_size(source) == 0)
            text_add(message, "is empty");
        else
            text_printf(message, "contains only an empty %s container",
                        source_container_name(source->container));
    }
}

/* Explains that opening the dump exceeds the limits of a pass over it. Returns -ENOMEM or -EIO. */
static int refuse_greed(const struct budget_use *use, const struct budget *budget,
                        struct text *message)
{
    bool memory = use->exceeded == BUDGET_MEMORY;

    text_clear(message);
    if (memory)
        text_printf(message,
                    "opening it would hold more than %" PRIu64 " MiB of memory (-o max-resident)",
                    use->limit >> 20);
    else
        text_printf(message,
                    "the processor time for opening it is used up (-o max-seconds, here %.1f)",
                    (double)budget->params.time / 1e9);
    return memory ? -ENOMEM : -EIO;
}

/* Calls the format's open() within the limits of a pass. */
static int open_within_limits(struct format_opening *opening, struct format_dump *out)
{
    const struct allowance_sizes sizes = {.file = source_file_sent(out->source),
                                          .expanded = source_sent(out->source),
                                          .follows = out->source->growth != NULL};
    const struct memory_share share = allowance_memory(opening->options, &sizes);
    const struct budget_params limits = {.time = allowance_time(opening->options, &sizes)};
    struct source_params params = *opening->source_params;
    struct budget budget;
    struct budget_use use;
    int status;

    budget_init(&budget, &limits);
    memory_limit_add(&share);
    budget_use_begin(&use, &budget, params.cancel, true, 0);
    params.cancel = &use.cancel;
    opening->source_params = &params;
    status = out->format->ops->open(opening, &out->dump);
    if (status != -EAGAIN && budget_use_is_over(&use, status))
        status = refuse_greed(&use, &budget, opening->message);
    budget_use_end(&use);
    memory_limit_remove(&share);
    budget_destroy(&budget);
    return status;
}

static int open_dump(const struct options *options, const struct source_params *params,
                     const struct format_origin *origin, struct text *message,
                     struct format_dump *out)
{
    const struct source_params beside = params_beside(params);
    struct format_opening opening = {.source = out->source,
                                     .options = options,
                                     .source_params = &beside,
                                     .problems = out->problems,
                                     .origin = origin,
                                     .message = message};
    int status = out->source->growth != NULL ? probe_stream(&opening, out->source, &out->format)
                                             : format_probe(&opening, &out->format);

    if (status == -ENOEXEC) {
        explain_unknown(out, message);
        return -ENOEXEC;
    }
    if (status == 0 && out->source->expansion != NULL)
        return -EAGAIN;
    if (status == 0)
        status = open_within_limits(&opening, out);
    if (status == -EAGAIN)
        return status;
    if (status == 0)
        out->dump->own_options = out->format->ops->options;
    if (status == 0 && dump_check_files(out->dump) != 0)
        return fail(-EBUSY, "the file was written while it was opened", message);
    return status < 0 ? fail(status, strerror(-status), message) : 0;
}

static int refuse_errors(const struct source_params *params, struct text *message,
                         struct format_dump *out)
{
    int status = out->dump->ops->settle(out->dump, params->cancel);

    if (status < 0)
        return fail(status, strerror(-status), message);
    return problems_first_error(out->problems, message) ? -EBADMSG : 0;
}

/* Opens the dump on an open source. */
static int open_on(const struct options *options, const struct source_params *source,
                   struct text *message, struct format_dump *out)
{
    int status = open_dump(options, source, NULL, message, out);

    if (status == 0 && options->strict)
        status = refuse_errors(source, message, out);
    return status;
}

int format_open(const char *path, const struct options *options, const struct source_params *source,
                struct text *message, struct format_dump *out)
{
    int status = 0;

    *out = (struct format_dump){0};
    status = open_source(path, options, source, message, out);
    if (status == 0)
        status = open_on(options, source, message, out);
    if (status < 0 && (status != -EAGAIN || source->max_wait_ms == 0))
        format_close(out);
    return status;
}

int format_open_rest(const struct options *options, const struct source_params *source,
                     struct text *message, struct format_dump *out)
{
    struct source_params params = *source;
    int status = 0;

    params.max_wait_ms = 0;
    if (out->source->expansion != NULL)
        status = source_complete(out->source, params.cancel);
    if (status < 0)
        (void)problems_first_sentence(out->problems, message);
    status = status < 0 ? fail(status, strerror(-status), message)
                        : open_on(options, &params, message, out);
    if (status < 0)
        format_close(out);
    return status;
}

int format_open_edited(const struct format_dump *original, const struct format_origin *origin,
                       const struct options *options, const struct source_params *source,
                       struct text *message, struct format_dump *out)
{
    int status;

    *out = (struct format_dump){0};
    status = problems_create(&out->problems);
    if (status == 0)
        status = source_open_edited(original->source, origin->edits, origin->count,
                                    original->format->ops->edits_later, &out->source);
    status = status < 0 ? fail(status, strerror(-status), message)
                        : open_dump(options, source, origin, message, out);
    if (status == 0 && out->format != original->format)
        status = fail(-ENOEXEC, "the edits make it a dump of another format", message);
    if (status < 0)
        format_close(out);
    return status;
}

bool format_names_have(const char *const *names, const char *name)
{
    for (; names != NULL && *names != NULL; names++)
        if ((*names)[0] != '*' ? strcmp(*names, name) == 0
                               : name[0] != '.' && string_ends(name, *names + 1))
            return true;
    return false;
}

bool format_may_be_part(const char *name)
{
    for (const struct format *format = formats_table; format->name != NULL; format++)
        if (format_names_have(format->ops->siblings, name) ||
            format_names_have(format->ops->members, name))
            return true;
    return false;
}

int format_tree(struct format_dump *dump, unsigned threads, struct tree **out)
{
    struct tree_params params = {.dump = dump->dump,
                                 .rules = dump->format->ops->rules,
                                 .rule_count = dump->format->ops->rule_count,
                                 .threads = threads};
    int status = tree_create(&params, out);

    if (status == 0)
        dump->dump = NULL;
    return status;
}

void format_close(struct format_dump *dump)
{
    if (dump->dump != NULL)
        dump->dump->ops->close(&dump->dump);
    source_close(&dump->source);
    problems_destroy(&dump->problems);
    *dump = (struct format_dump){0};
}
