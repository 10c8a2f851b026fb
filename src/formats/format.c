#include "config.h"

#include "formats/format.h"

#include <errno.h>
#include <string.h>

extern const struct format aerogpu_format, apitrace_format, gapir_format, psx_format, vma_format;

const struct format *const formats_table[] = {
    &psx_format,
    &aerogpu_format,
#ifdef HAVE_GAPIR
    &gapir_format,
#endif
    &vma_format,
#ifdef HAVE_APITRACE
    &apitrace_format,
#endif
    NULL,
};

int format_options_init(struct options *options)
{
    int status = options_init(options);

    for (const struct format *const *format = formats_table; *format != NULL; format++)
        if (status == 0 && (*format)->options != NULL)
            status = options_add(options, (*format)->options);
    if (status < 0)
        options_clear(options);
    return status;
}

static const struct format *best_format(const struct format_opening *opening)
{
    const struct format *best = NULL;
    int best_score = 0;

    for (const struct format *const *format = formats_table; *format != NULL; format++) {
        int score = 0;

        if (!opening->source->packed || (*format)->takes_packed)
            score = (*format)->probe(opening);

        if (score > best_score) {
            best_score = score;
            best = *format;
        }
    }
    return best;
}

const struct format *format_probe(const struct format_opening *opening)
{
    struct format_opening probing = *opening;
    struct text message = TEXT_INIT;
    const struct format *best = NULL;

    probing.problems = NULL;
    probing.message = &message;
    if (problems_create(&probing.problems) == 0)
        best = best_format(&probing);
    problems_destroy(&probing.problems);
    text_clear(&message);
    return best;
}

/* A sentence, unless whoever failed has written one. */
static int fail(int status, const char *sentence, struct text *message)
{
    if (message->length == 0)
        text_add(message, sentence);
    return status;
}

/* Whether a format reads the source as it is. */
static bool is_taken(const struct options *options, const struct source_params *params,
                     struct text *message, const struct format_dump *dump)
{
    const struct format_opening opening = {.source = dump->source,
                                           .options = options,
                                           .source_params = params,
                                           .problems = dump->problems,
                                           .message = message};

    return format_probe(&opening) != NULL;
}

static int open_source(const char *path, const struct options *options,
                       const struct source_params *params, struct text *message,
                       struct format_dump *out)
{
    struct source_params keeping = *params;
    int status = problems_create(&out->problems);

    keeping.keep_seekable = true;
    if (status == 0)
        status = source_open(path, &keeping, out->problems, &out->source);
    if (status == 0 && out->source->packed && !is_taken(options, params, message, out)) {
        source_close(&out->source);
        status = source_open(path, params, out->problems, &out->source);
    }
    if (status < 0 && out->problems != NULL && message->length == 0)
        (void)problems_first_sentence(out->problems, message);
    return status < 0 ? fail(status, strerror(-status), message) : 0;
}

static int open_dump(const struct options *options, const struct source_params *params,
                     struct text *message, struct format_dump *out)
{
    struct format_opening opening = {.source = out->source,
                                     .options = options,
                                     .source_params = params,
                                     .problems = out->problems,
                                     .message = message};
    int status = 0;

    out->format = format_probe(&opening);
    if (out->format == NULL) {
        text_add(message, "not a dump of a known format");
        if (problems_any(out->problems, PROBLEM_ERROR)) {
            text_add(message, "; ");
            (void)problems_first_sentence(out->problems, message);
        }
        return -ENOEXEC;
    }
    status = out->format->open(&opening, &out->dump);
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

int format_open(const char *path, const struct options *options, const struct source_params *source,
                struct text *message, struct format_dump *out)
{
    int status = 0;

    *out = (struct format_dump){0};
    status = open_source(path, options, source, message, out);
    if (status == 0)
        status = open_dump(options, source, message, out);
    if (status == 0 && options->strict)
        status = refuse_errors(source, message, out);
    if (status < 0)
        format_close(out);
    return status;
}

int format_tree(struct format_dump *dump, unsigned threads, struct tree **out)
{
    struct tree_params params = {.dump = dump->dump,
                                 .rules = dump->format->rules,
                                 .rule_count = dump->format->rule_count,
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
