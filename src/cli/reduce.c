/* SPDX-License-Identifier: MIT */
/*
 * `gpudump reduce DUMP OUT`: leaves out of a dump what some property does not need. A command says
 * whether a candidate has the property, or its last picture shows it. OUT always is a dump that has
 * it; a second OUT is the rest of the dump that it must differ from.
 */
#include "config.h"

#include "base/bytes.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/sha256.h"
#include "cli/gpudump.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { INTERVAL_MS = 500 };

/* Raised by a signal handler. */
static struct cancel interrupted;

struct property {
    const char *command; /* for the shell, with the candidate as $1 */
    bool has_pixel;
    uint32_t x, y;
    uint8_t rgb[3];
    uint8_t hash[SHA256_SIZE];
    bool has_hash, differs;
    /*
     * The first picture that had the hash: comparing other pictures with it is faster than hashing.
     */
    struct text hashed;
    uint32_t hashed_width, hashed_height;
};

/* An output file, and the smallest dump so far. */
struct destination {
    const char *path; /* NULL: not requested */
    struct text best;
    bool is_written; /* the file has it */
};

struct reducing {
    struct gpudump *gpudump;
    struct destination of_dump, of_other;
    struct property property;
    struct text command;
    struct progress progress;
    uint64_t tries;
    int64_t written;    /* when, in milliseconds of clock_ms() */
    const char *failed; /* path of the file that could not be written */
    int result;         /* of the last command, as waitpid(2) returns it */
};

static int write_file(const char *path, const void *bytes, size_t size)
{
    struct replacement replacement;
    int status = replacement_begin(path, &replacement);

    if (status != 0)
        return status;
    status = replacement_write(&replacement, bytes, size);
    if (status == 0)
        return replacement_commit(&replacement);
    replacement_abandon(&replacement);
    return status;
}

static int write_best(struct destination *destination)
{
    const struct text *best = &destination->best;
    int status = 0;

    if (!destination->is_written && best->length > 0)
        status = write_file(destination->path, best->bytes, best->length);
    destination->is_written = status == 0;
    return status;
}

static int write_both(struct reducing *reducing)
{
    struct destination *of_dump = &reducing->of_dump, *of_other = &reducing->of_other;
    int status = write_best(of_dump);

    reducing->failed = status != 0 ? of_dump->path : of_other->path;
    if (status == 0)
        status = write_best(of_other);
    reducing->written = clock_ms();
    return status;
}

static int take(struct destination *destination, const void *dump, size_t size)
{
    text_reset(&destination->best);
    text_add_bytes(&destination->best, dump, size);
    destination->is_written = false;
    return text_status(&destination->best);
}

/* Writes at intervals, as a thousand dumps may be found each second. */
static int keep(void *context, const void *dump, size_t size)
{
    struct reducing *reducing = context;
    bool is_last = reducing->of_other.path == NULL;
    int status = take(&reducing->of_dump, dump, size);

    return status == 0 && is_last && clock_ms() - reducing->written >= INTERVAL_MS
               ? write_both(reducing)
               : status;
}

static int keep_other(void *context, const void *dump, size_t size)
{
    struct reducing *reducing = context;
    int status = take(&reducing->of_other, dump, size);

    return status == 0 && clock_ms() - reducing->written >= INTERVAL_MS ? write_both(reducing)
                                                                        : status;
}

static void show_progress(void *context, const char *units, size_t left, size_t count,
                          uint64_t tries)
{
    struct reducing *reducing = context;
    char line[128];

    reducing->tries = tries;
    if (!reducing->progress.wanted)
        return;
    snprintf(line, sizeof(line), "%s: %zu of %zu are left after %llu tries", units, left, count,
             (unsigned long long)tries);
    progress_show(&reducing->progress, line, count - left, count);
}

/* Commands. */

/* Replaces {} by the candidate; without {}, appends it as the last word. */
static int add_command(const char *command, struct text *out)
{
    const char *at = command, *place;
    bool any = false;

    for (; (place = strstr(at, "{}")) != NULL; at = place + 2, any = true) {
        text_add_bytes(out, at, (size_t)(place - at));
        text_add(out, "\"$1\"");
    }
    text_add(out, at);
    if (!any)
        text_add(out, " \"$1\"");
    text_add_char(out, '\0');
    return text_status(out);
}

/* Hides the command's output, unless -v is given. */
static int start_command(const struct reducing *reducing, const char *path, pid_t *pid)
{
    char *const words[] = {(char *)(uintptr_t) "sh", (char *)(uintptr_t) "-c",
                           reducing->command.bytes,  (char *)(uintptr_t) "sh",
                           (char *)(uintptr_t)path,  NULL};
    posix_spawn_file_actions_t actions;
    int status = posix_spawn_file_actions_init(&actions);

    if (status != 0)
        return -status;
    status = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (status == 0 && !reducing->gpudump->verbose)
        status =
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (status == 0 && !reducing->gpudump->verbose)
        status =
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (status == 0)
        status = posix_spawn(pid, "/bin/sh", &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return -status;
}

static int run_command(struct reducing *reducing, const char *path)
{
    pid_t pid;
    int result = 0, status = start_command(reducing, path, &pid);

    if (status != 0)
        return status;
    while (waitpid(pid, &result, 0) < 0)
        if (errno != EINTR)
            return -errno;
    if (cancel_requested(&interrupted))
        return -EINTR;
    reducing->result = result;
    return WIFEXITED(result) && WEXITSTATUS(result) == 0;
}

/* The candidate is a file beside OUT while the command looks at it. */
static int test(void *context, const void *dump, size_t size)
{
    struct reducing *reducing = context;
    struct replacement candidate;
    int status = replacement_begin(reducing->of_dump.path, &candidate);

    if (status != 0)
        return status;
    status = replacement_write(&candidate, dump, size);
    if (status == 0)
        status = replacement_flush(&candidate);
    if (status == 0)
        status = run_command(reducing, candidate.temporary);
    replacement_abandon(&candidate);
    return status;
}

/* Pictures. */

static bool has_pixel(const struct property *property, const struct format_picture *picture)
{
    const uint8_t *rgb;

    if (property->x >= picture->width || property->y >= picture->height)
        return false;
    rgb = picture->rgb + 3 * ((size_t)property->y * picture->width + property->x);
    return memcmp(rgb, property->rgb, sizeof(property->rgb)) == 0;
}

static size_t bytes_of(const struct format_picture *picture)
{
    return 3 * (size_t)picture->width * picture->height;
}

/* Hashes width and height, as 32 bits each, low byte first, and all rows. */
static bool is_hash_of(const uint8_t hash[SHA256_SIZE], const struct format_picture *picture)
{
    uint8_t digest[SHA256_SIZE], sizes[8];
    struct sha256 made;

    bytes_put_le32(sizes, picture->width);
    bytes_put_le32(sizes + 4, picture->height);
    sha256_init(&made);
    sha256_add(&made, sizes, sizeof(sizes));
    sha256_add(&made, picture->rgb, bytes_of(picture));
    sha256_finish(&made, digest);
    return memcmp(digest, hash, sizeof(digest)) == 0;
}

static bool has_hash(struct property *property, const struct format_picture *picture)
{
    const struct text *hashed = &property->hashed;

    if (hashed->length > 0 && text_status(hashed) == 0)
        return picture->width == property->hashed_width &&
               picture->height == property->hashed_height &&
               memcmp(picture->rgb, hashed->bytes, hashed->length) == 0;
    if (!is_hash_of(property->hash, picture))
        return false;
    text_add_bytes(&property->hashed, (const char *)picture->rgb, bytes_of(picture));
    property->hashed_width = picture->width;
    property->hashed_height = picture->height;
    return true;
}

static bool are_equal(const struct format_picture *a, const struct format_picture *b)
{
    return a->width == b->width && a->height == b->height &&
           memcmp(a->rgb, b->rgb, bytes_of(a)) == 0;
}

static int judge(void *context, const struct format_picture *picture,
                 const struct format_picture *other)
{
    struct property *property = &((struct reducing *)context)->property;

    if (property->has_pixel && !has_pixel(property, picture))
        return 0;
    if (property->has_hash && !has_hash(property, picture))
        return 0;
    return !property->differs || !are_equal(picture, other);
}

/* Options. */

static enum program_status tell_usage(const char *what, const char *value)
{
    log_write(LOG_ERR, "%s%s%s; see gpudump -h", what, *value != '\0' ? " " : "", value);
    return PROGRAM_USAGE;
}

static bool parse_pixel(const char *text, struct property *property)
{
    property->has_pixel = true;
    return pixels_parse(text, &property->x, &property->y, property->rgb);
}

static bool parse_hash(const char *text, struct property *property)
{
    property->has_hash = true;
    if (strlen(text) != SHA256_DIGITS || strspn(text, "0123456789abcdefABCDEF") != SHA256_DIGITS)
        return false;
    for (unsigned i = 0; i < SHA256_SIZE; i++) {
        const char digits[3] = {text[2 * i], text[2 * i + 1], '\0'};

        property->hash[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return true;
}

static enum program_status parse_property(struct reducing *reducing)
{
    const struct gpudump *gpudump = reducing->gpudump;
    struct property *property = &reducing->property;
    bool by_picture =
        gpudump->keep_pixel != NULL || gpudump->keep_hash != NULL || gpudump->keep_differs != NULL;

    property->command = gpudump->keep;
    property->differs = gpudump->keep_differs != NULL;
    if ((property->command != NULL) == by_picture)
        return tell_usage("give either --keep or options that begin with --keep-", "");
    if (gpudump->keep_pixel != NULL && !parse_pixel(gpudump->keep_pixel, property))
        return tell_usage("--keep-pixel must be X,Y=#rrggbb, not", gpudump->keep_pixel);
    if (gpudump->keep_hash != NULL && !parse_hash(gpudump->keep_hash, property))
        return tell_usage("--keep-hash must be 64 hexadecimal digits, not", gpudump->keep_hash);
    if (property->command != NULL && add_command(property->command, &reducing->command) != 0)
        return PROGRAM_USAGE;
    return PROGRAM_OK;
}

static bool parse_last_frame(const struct gpudump *gpudump, uint64_t frames, uint64_t *out)
{
    const char *text = gpudump->last_frame;
    char *end = NULL;

    *out = DUMP_NO_FRAME;
    if (text == NULL)
        return true;
    *out = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && *out < frames;
}

/* Neither dump may be replaced: what is left out of it would be lost. */
static bool is_dump(const struct gpudump *gpudump, const char *path)
{
    return contents_is_of_input(path, gpudump->dumps[0]) ||
           (gpudump->keep_differs != NULL && contents_is_of_input(path, gpudump->keep_differs));
}

static enum program_status parse_destinations(struct reducing *reducing)
{
    const struct gpudump *gpudump = reducing->gpudump;
    char *const *paths = gpudump->paths;

    reducing->of_dump.path = paths[0];
    if (gpudump->path_count > 1) {
        reducing->of_other.path = paths[1];
        if (gpudump->keep_differs == NULL)
            return tell_usage("a second FILE is only allowed with --keep-differs:", paths[1]);
        if (strcmp(paths[0], paths[1]) == 0 || contents_is_of_input(paths[0], paths[1]))
            return tell_usage("both FILEs are the same:", paths[0]);
    }
    for (int i = 0; i < gpudump->path_count; i++)
        if (is_dump(gpudump, paths[i])) {
            contents_refuse(paths[i], "dump");
            return PROGRAM_USAGE;
        }
    return PROGRAM_OK;
}

static void interrupt(int number)
{
    (void)number;
    cancel_raise(&interrupted);
}

static void heed_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction action = {.sa_handler = interrupt};
    struct sigaction before;

    cancel_init(&interrupted, NULL);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
}

static enum program_status open_other(struct gpudump *gpudump, struct format_dump *other)
{
    struct source_params params = program_source_params(&gpudump->program.options);
    struct text message = TEXT_INIT;
    int status = 0;

    if (gpudump->keep_differs != NULL)
        status = format_open(gpudump->keep_differs, &gpudump->program.options.common, &params,
                             &message, other);
    if (status != 0)
        log_write(LOG_ERR, "%s: %.*s", gpudump->keep_differs, (int)message.length, message.bytes);
    text_clear(&message);
    return status == 0 ? PROGRAM_OK : PROGRAM_OPEN;
}

/* For a command, also says how it ended: one with a mistake fails for any dump. */
static void tell_no_property(const struct reducing *reducing)
{
    const struct gpudump *gpudump = reducing->gpudump;
    const char *hint = gpudump->verbose ? "" : "; -v shows its output";
    static const char sentence[] = "does not have the property that is to be kept";
    int result = reducing->result;

    if (reducing->property.command == NULL)
        log_write(LOG_ERR, "%s %s", gpudump->dumps[0], sentence);
    else if (WIFSIGNALED(result))
        log_write(LOG_ERR, "%s %s: the command was ended by signal %d%s", gpudump->dumps[0],
                  sentence, WTERMSIG(result), hint);
    else
        log_write(LOG_ERR, "%s %s: the command exited with status %d%s", gpudump->dumps[0],
                  sentence, WEXITSTATUS(result), hint);
}

static enum program_status tell_end(struct reducing *reducing, int status)
{
    struct gpudump *gpudump = reducing->gpudump;
    const struct destination *of_dump = &reducing->of_dump;
    bool kept = of_dump->best.length > 0;
    int written = kept ? write_both(reducing) : 0;

    if (written != 0)
        gpudump_tell(gpudump, reducing->failed, written);
    if (status == -ENODATA)
        tell_no_property(reducing);
    else if (status == -EXDEV)
        log_write(LOG_ERR, "%s and %s are dumps of different formats", gpudump->dumps[0],
                  gpudump->keep_differs);
    else if (status == -EINTR)
        log_write(LOG_ERR, "interrupted after %llu tries%s%s", (unsigned long long)reducing->tries,
                  kept ? ": the smallest so far is " : "", kept ? of_dump->path : "");
    else if (status != 0 && written == 0)
        gpudump_tell(gpudump, of_dump->path, status);
    else
        log_write(LOG_INFO, "%s: %zu bytes after %llu tries", of_dump->path, of_dump->best.length,
                  (unsigned long long)reducing->tries);
    return status != 0 ? PROGRAM_USAGE : gpudump_outcome(gpudump);
}

static enum program_status reduce(struct reducing *reducing, struct dump *other, uint64_t last)
{
    struct gpudump *gpudump = reducing->gpudump;
    struct dump *dump = tree_dump(gpudump->program.tree);
    const struct format_reduction params = {.last_frame = last,
                                            .other = other,
                                            .test = reducing->property.command ? test : NULL,
                                            .judge = judge,
                                            .keep = keep,
                                            .keep_other =
                                                reducing->of_other.path != NULL ? keep_other : NULL,
                                            .progress = show_progress,
                                            .context = reducing,
                                            .cancel = &interrupted};
    int status;

    heed_signals();
    progress_begin(&reducing->progress, !gpudump->program.quiet);
    status = gpudump->program.dump.format->ops->reduce(dump, &params);
    progress_end(&reducing->progress);
    return tell_end(reducing, status);
}

/*
 * If the dump is still being read after it was opened, waits until all of it is read. Logs an
 * error.
 */
static bool knows_frames(struct dump *dump)
{
    int status = dump->ops->frames(dump) == DUMP_NOT_KNOWN ? dump->ops->settle(dump, NULL) : 0;

    if (status != 0)
        log_write(LOG_ERR, "%s: cannot be read: %s", source_name(dump->source), strerror(-status));
    return status == 0;
}

enum program_status gpudump_reduce(struct gpudump *gpudump)
{
    struct reducing reducing = {.gpudump = gpudump, .written = clock_ms()};
    struct dump *dump = tree_dump(gpudump->program.tree);
    const struct format *format = gpudump->program.dump.format;
    struct format_dump other = {0};
    enum program_status status;
    uint64_t last;

    if (format->ops->reduce == NULL) {
        log_write(LOG_ERR, "%s: a dump of this format (%s) cannot be reduced",
                  source_name(dump->source), dump->format);
        return PROGRAM_USAGE;
    }
    if (!knows_frames(dump))
        return PROGRAM_USAGE;
    if (!parse_last_frame(gpudump, dump->ops->frames(dump), &last))
        return tell_usage("--last-frame: there is no frame", gpudump->last_frame);
    status = parse_destinations(&reducing);
    if (status == PROGRAM_OK)
        status = parse_property(&reducing);
    if (status == PROGRAM_OK)
        status = open_other(gpudump, &other);
    if (status == PROGRAM_OK)
        status = reduce(&reducing, other.dump, last);
    format_close(&other);
    text_clear(&reducing.command);
    text_clear(&reducing.of_dump.best);
    text_clear(&reducing.of_other.best);
    text_clear(&reducing.property.hashed);
    return status;
}
