/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/program.h"

#include "base/clock.h"
#include "base/log.h"
#include "source/stream.h"

#include <errno.h>
#include <jansson.h>
#include <lzma.h>
#include <png.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { DELAY_MS = 500, INTERVAL_MS = 100, BAR = 24 };

enum program_status program_init(struct program *program, const char *name)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN}, heed = {.sa_handler = SIG_DFL};

    /*
     * If SIGCHLD is ignored, which a program inherits, the system does not report how processes
     * ended.
     */
    sigaction(SIGCHLD, &heed, NULL);
    /* A limit on the size of files is reported where the file is written, like a full disk. */
    sigaction(SIGXFSZ, &ignore, NULL);
    *program = (struct program){.name = name};
    program_talk(program, PROGRAM_NORMAL);
    program_options_init(&program->options);
    if (format_options_add(&program->options.common) != 0) {
        log_write(LOG_ERR, "%s", strerror(ENOMEM));
        return PROGRAM_OPEN;
    }
    return PROGRAM_OK;
}

void program_close(struct program *program)
{
    tree_destroy(&program->tree);
    format_close(&program->dump);
    options_clear(&program->options.common);
}

void program_talk(struct program *program, enum program_talk talk)
{
    static const int levels[] = {[PROGRAM_QUIET] = LOG_ERR,
                                 [PROGRAM_NORMAL] = LOG_WARNING,
                                 [PROGRAM_VERBOSE] = LOG_INFO,
                                 [PROGRAM_DEBUG] = LOG_DEBUG};

    program->quiet = talk == PROGRAM_QUIET;
    log_open(program->name, levels[talk]);
}

size_t program_option_length(const char *list)
{
    size_t i = 0;

    for (; list[i] != '\0' && list[i] != ','; i++)
        if (list[i] == '\\' && list[i + 1] != '\0')
            i++;
    return i;
}

/* Removes one level of escaping by `\`. */
static void option_unescape(char *option)
{
    char *to = option;

    for (const char *from = option; *from != '\0'; from++) {
        if (*from == '\\' && from[1] != '\0')
            from++;
        *to++ = *from;
    }
    *to = '\0';
}

static enum program_status add_option(struct program *program, const char *option,
                                      bool (*other)(void *context, const char *option),
                                      void *context)
{
    struct text message = TEXT_INIT;
    char *plain = strdup(option);
    int taken = -ENOMEM;

    if (plain != NULL) {
        option_unescape(plain);
        taken = options_parse(&program->options.common, plain, &message);
    }
    if (message.length > 0 && (taken == -EINVAL || !program->repeats))
        log_write(taken < 0 ? LOG_ERR : LOG_WARNING, "%.*s", (int)message.length, message.bytes);
    else if (taken < 0)
        log_write(LOG_ERR, "%s", strerror(-taken));
    else if (taken == 0 && (other == NULL || !other(context, option))) {
        const char *near = options_near(&program->options.common, option);

        log_write(LOG_ERR, "unknown option: -o %s%s%s", option,
                  near != NULL ? "; there is an option " : "", near != NULL ? near : "");
        taken = -EINVAL;
    }
    text_clear(&message);
    free(plain);
    return taken < 0 ? PROGRAM_USAGE : PROGRAM_OK;
}

enum program_status program_add_options(struct program *program, const char *list,
                                        bool (*other)(void *context, const char *option),
                                        void *context)
{
    enum program_status status = PROGRAM_OK;

    while (*list != '\0' && status == PROGRAM_OK) {
        size_t length = program_option_length(list);
        char *option = strndup(list, length);

        if (option == NULL)
            return PROGRAM_USAGE;
        if (length > 0)
            status = add_option(program, option, other, context);
        free(option);
        list += length + (list[length] == ',');
    }
    return status;
}

struct expansion {
    struct progress progress;
    const char *path;
};

static void show_expansion(void *context, uint64_t done, uint64_t total)
{
    struct expansion *expansion = context;

    progress_show(&expansion->progress, expansion->path, done, total);
}

static enum program_status status_of(int result)
{
    switch (result) {
    case 0:
        return PROGRAM_OK;
    case -ENOEXEC:
        return PROGRAM_FORMAT;
    case -EPROTO:
        return PROGRAM_HEADER;
    case -EBADMSG:
        return PROGRAM_DAMAGED;
    default:
        return PROGRAM_OPEN;
    }
}

void program_look(struct program *program, const char *path)
{
    struct stat status;

    program->is_folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static void tell_failure(const char *path, int result, const struct text *message)
{
    log_write(LOG_ERR, "%s: %s%.*s", path, result == -EBADMSG ? "damaged: " : "",
              (int)message->length, message->bytes);
}

void program_tell_defects(struct program *program, const char *path)
{
    if (program->knows_defects || program->dump.problems == NULL ||
        !problems_any(program->dump.problems, PROBLEM_WARNING))
        return;
    program->knows_defects = true;
    log_write(LOG_WARNING, "%s: the dump has defects, see problems.txt", path);
}

const char *program_open_error(enum program_status status)
{
    switch (status) {
    case PROGRAM_FORMAT:
        return "not a dump of a known format";
    case PROGRAM_HEADER:
        return "a bad header or an unknown version";
    case PROGRAM_DAMAGED:
        return "damaged";
    default:
        return "it cannot be opened";
    }
}

/* Returns the parameters for the dump itself, which may be a stream. */
static struct source_params params_of_dump(const struct program *program)
{
    struct source_params params = program_source_params(&program->options);

    params.follow = program->streams == PROGRAM_STREAMS_GROW && program->options.follow;
    params.streams = program->streams != PROGRAM_NO_STREAMS;
    params.stream = program->stream;
    params.whole = program->streams == PROGRAM_STREAMS_WHOLE;
    params.remote = program->options.allow_remote;
    return params;
}

bool program_is_stream(const struct program *program, const char *path)
{
    const struct source_params params = params_of_dump(program);

    return source_is_stream(path, &params);
}

enum program_status program_open_stream(struct program *program, const char *path, int *stream)
{
    struct text message = TEXT_INIT;

    *stream = -1;
    if (!program_is_stream(program, path))
        return PROGRAM_OK;
    *stream = stream_open(path, program->options.allow_remote, &message);
    if (*stream < 0)
        log_write(LOG_ERR, "%s: %.*s", path, (int)message.length, message.bytes);
    text_clear(&message);
    program->stream = stream;
    return *stream < 0 ? PROGRAM_OPEN : PROGRAM_OK;
}

enum program_status program_open(struct program *program, const char *path)
{
    struct expansion expansion = {.path = path};
    struct source_params params = params_of_dump(program);
    struct text message = TEXT_INIT;
    int result;

    program->knows_defects = false;
    params.max_wait_ms = program->max_wait_ms;
    if (progress_begin(&expansion.progress, !program->quiet)) {
        params.progress = show_expansion;
        params.progress_context = &expansion;
    }
    result = format_open(path, &program->options.common, &params, &message, &program->dump);
    progress_end(&expansion.progress);
    if (result == -ENOEXEC && program->is_folder)
        text_printf(&message, ", but a folder: %s", program->folder_hint);
    if (result == -EAGAIN && program->max_wait_ms != 0)
        result = 0;
    else if (result != 0)
        tell_failure(path, result, &message);
    else
        program_tell_defects(program, path);
    text_clear(&message);
    return status_of(result);
}

int program_open_rest(struct program *program, const char *path, const struct cancel *cancel)
{
    struct source_params params = program_source_params(&program->options);
    struct text message = TEXT_INIT;
    int result;

    params.cancel = cancel;
    result = format_open_rest(&program->options.common, &params, &message, &program->dump);
    if (result == 0)
        program_tell_defects(program, path);
    else if (result != -EINTR)
        tell_failure(path, result, &message);
    text_clear(&message);
    return result;
}

enum program_status program_make_tree(struct program *program, unsigned threads)
{
    int result = format_tree(&program->dump, threads, &program->tree);

    if (result != 0)
        log_write(LOG_ERR, "%s", strerror(-result));
    return result == 0 ? PROGRAM_OK : PROGRAM_OPEN;
}

void program_print_version(const struct program *program, const char *more)
{
    printf("%s %s\n", program->name, PACKAGE_VERSION);
    printf("libpng %s, zlib %s, zstd %s, liblzma %s, jansson %s%s\n", png_get_libpng_ver(NULL),
           zlibVersion(), ZSTD_versionString(), lzma_version_string(), jansson_version_str(),
           more != NULL ? more : "");
}

void program_print_options(const struct program *program)
{
    struct text text = TEXT_INIT;

    options_help(&program->options.common, &text);
    if (text_status(&text) == 0)
        fwrite(text.bytes, 1, text.length, stdout);
    text_clear(&text);
}

/* The progress line. */

static size_t terminal_width(void)
{
    struct winsize size;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return size.ws_col;
}

bool progress_begin(struct progress *progress, bool wanted)
{
    *progress =
        (struct progress){.wanted = wanted && isatty(STDERR_FILENO), .next = clock_ms() + DELAY_MS};
    return progress->wanted;
}

void progress_show(struct progress *progress, const char *what, uint64_t done, uint64_t total)
{
    struct text line = TEXT_INIT;
    double share = total > 0 && done < total ? (double)done / (double)total : 1;

    if (!progress->wanted || clock_ms() < progress->next)
        return;
    progress->next = clock_ms() + INTERVAL_MS;
    progress->shown = true;
    for (int i = 0; i < BAR; i++)
        text_add_char(&line, i < (int)(share * BAR) ? '#' : '-');
    text_printf(&line, " %3d %% ", (int)(share * 100));
    text_add_escaped(&line, what, strlen(what));
    if (text_status(&line) == 0) {
        size_t width = terminal_width() - 1;

        fprintf(stderr, "\r\033[K%.*s", (int)(line.length < width ? line.length : width),
                line.bytes);
    }
    text_clear(&line);
}

void progress_end(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
