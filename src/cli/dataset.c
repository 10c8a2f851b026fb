/* SPDX-License-Identifier: MIT */
/*
 * `gpudump export --dataset`: the list of dumps, and the processes that export them. One process
 * finishes a dump: it makes everything that is missing. If there are more jobs than dumps, other
 * processes make shares of a dump's frames before that.
 */
#include "cli/dataset.h"

#include "base/log.h"
#include "cli/child.h"
#include "compare/found.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FAILED = 1, BROKEN = 2 }; /* exit statuses of a process */

/* One dump. */
struct dump_job {
    struct dataset_input *input;
    char *folder; /* its folder in the data set */
    json_t *identity;
    int lock;
    unsigned shares; /* number of shares, made in parallel before the dump is finished */
    unsigned begun, running;
    bool finishing, done, failed;
};

struct dataset {
    struct gpudump *gpudump;
    const char *folder;
    unsigned parts, jobs;
    uint64_t first, last;
    struct dataset_inputs inputs;
    struct dump_job *list;
    size_t done;
    struct progress progress;
};

struct process {
    pid_t pid;
    struct dump_job *job;
};

static void tell(struct dataset *dataset, const char *path, const char *what)
{
    log_write(LOG_ERR, "%s: %s", path, what);
    dataset->gpudump->failed = true;
}

static void tell_status(struct dataset *dataset, const char *path, int status)
{
    tell(dataset, path, strerror(-status));
}

/* Arguments. */

static const struct {
    const char *name;
    enum dataset_part part;
} part_names[] = {{"frames", DATASET_FRAMES},
                  {"draw-ids", DATASET_DRAW_IDS},
                  {"depth", DATASET_DEPTH},
                  {"masks", DATASET_MASKS},
                  {"tables", DATASET_TABLES}};
enum { PARTS = sizeof(part_names) / sizeof(part_names[0]) };

/* Returns false, which is logged, if a word is no part. */
static bool read_parts(const char *words, unsigned *parts)
{
    *parts = words == NULL ? DATASET_ALL : 0;
    while (words != NULL && *words != '\0') {
        size_t length = strcspn(words, ","), i = 0;

        while (i < PARTS && (strlen(part_names[i].name) != length ||
                             strncmp(part_names[i].name, words, length) != 0))
            i++;
        if (i == PARTS) {
            log_write(LOG_ERR, "--parts %.*s: not one of frames, draw-ids, depth, masks, tables",
                      (int)length, words);
            return false;
        }
        *parts |= part_names[i].part;
        words += length + (words[length] == ',');
    }
    return true;
}

static json_t *describe_settings(const struct dataset *dataset)
{
    const char *range = dataset->gpudump->range;
    json_t *parts = json_array();

    for (size_t i = 0; i < PARTS; i++)
        if (dataset->parts & part_names[i].part)
            json_array_append_new(parts, json_string(part_names[i].name));
    return json_pack("{s:o,s:o,s:s?}", "parts", parts, "options",
                     dataset_options(dataset->gpudump->options), "range", range);
}

/* Locks: one export at a time works in a folder. */

/*
 * Opens and locks a file. Returns a descriptor, -ESTALE if the file was removed meanwhile, or
 * another -errno.
 */
static int take_lock(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    struct stat locked, there;

    if (fd < 0)
        return -errno;
    while (flock(fd, LOCK_EX) != 0)
        if (errno != EINTR) {
            int status = -errno;

            close(fd);
            return status;
        }
    if (fstat(fd, &locked) == 0 && stat(path, &there) == 0 && locked.st_ino == there.st_ino)
        return fd;
    close(fd);
    return -ESTALE;
}

/* Makes and locks the work folder, which another export may remove at any time. */
static int lock_folder(struct dump_job *job)
{
    char *path = NULL;
    int status;

    if (asprintf(&path, "%s/" DATASET_WORK "/lock", job->folder) < 0)
        return -ENOMEM;
    do {
        status = dataset_make_folder(job->folder, DATASET_WORK);
        if (status == 0)
            status = take_lock(path);
    } while (status == -ESTALE || status == -ENOENT);
    free(path);
    job->lock = status;
    return status < 0 ? status : 0;
}

static void unlock_folder(struct dump_job *job)
{
    if (job->lock >= 0)
        close(job->lock);
    job->lock = -1;
}

/*
 * Returns 0 if the dump is finished with the same settings, -EEXIST if with others, or -ENOENT if
 * it is not finished. For a finished dump, notes whether its export failed in part.
 */
static int look_for_manifest(struct dump_job *job)
{
    json_t *manifest = dataset_manifest_read(job->folder), *value;
    const char *key;
    int status = manifest != NULL ? 0 : -ENOENT;

    json_object_foreach (job->identity, key, value)
        if (manifest != NULL && !json_equal(json_object_get(manifest, key), value))
            status = -EEXIST;
    if (status == 0)
        job->failed = !json_is_true(json_object_get(manifest, "opened")) ||
                      json_array_size(json_object_get(manifest, "failed")) > 0;
    json_decref(manifest);
    return status;
}

/*
 * Returns 0 if the folder was begun by an export with the same settings, or is new; -EEXIST if it
 * was begun with others, or another -errno.
 */
static int claim_folder(struct dump_job *job)
{
    static const char name[] = "settings.json";
    char *work = NULL, *path = NULL, *text = json_dumps(job->identity, JSON_INDENT(2));
    json_t *before = NULL;
    int status = -ENOMEM;

    if (asprintf(&work, "%s/" DATASET_WORK, job->folder) < 0)
        work = NULL;
    if (work == NULL || asprintf(&path, "%s/%s", work, name) < 0)
        path = NULL;
    if (text != NULL && path != NULL) {
        before = json_load_file(path, 0, NULL);
        status = before == NULL ? dataset_replace(work, name, text, strlen(text))
                 : json_equal(before, job->identity) ? 0
                                                     : -EEXIST;
    }
    json_decref(before);
    free(text);
    free(path);
    free(work);
    return status;
}

/* Returns 0 if the dump is to be exported, 1 if it is finished, or -errno. */
static int begin_folder(const struct dataset *dataset, struct dump_job *job)
{
    int status = dataset_make_folder(dataset->folder, job->input->name);

    if (status != 0)
        return status;
    status = look_for_manifest(job);
    if (status != -ENOENT)
        return status == 0 ? 1 : status;
    status = lock_folder(job);
    if (status == 0)
        status = look_for_manifest(job); /* the process that had the lock may have finished it */
    if (status == -ENOENT)
        return claim_folder(job);
    if (status == 0) {
        (void)dataset_remove_work(job->folder);
        status = 1;
    }
    unlock_folder(job);
    return status;
}

static void end_job(struct dataset *dataset, struct dump_job *job)
{
    unlock_folder(job);
    job->done = true;
    dataset->gpudump->failed = dataset->gpudump->failed || job->failed;
    progress_show(&dataset->progress, job->input->name, ++dataset->done, dataset->inputs.count);
}

/* Begins a dump. Returns whether there is work to do for it. */
static bool begin_job(struct dataset *dataset, struct dump_job *job)
{
    json_t *described = NULL;
    int status = dataset_input_describe(job->input, &described);

    job->lock = -1;
    if (status == 0 && asprintf(&job->folder, "%s/%s", dataset->folder, job->input->name) < 0) {
        job->folder = NULL;
        status = -ENOMEM;
    }
    job->identity = json_pack("{s:s,s:o?,s:o}", "program", PACKAGE_STRING, "dump", described,
                              "settings", describe_settings(dataset));
    if (status == 0)
        status = begin_folder(dataset, job);
    if (status == -EEXIST)
        tell(dataset, job->folder, "contains an export of another dump or with other settings");
    else if (status < 0)
        tell_status(dataset, job->input->path, status);
    if (status != 0)
        end_job(dataset, job);
    return status == 0;
}

/* Processes. */

/* Opens the dump. Returns false if that failed for a reason that may be gone the next time. */
static bool open_job(struct program *program, struct dataset_export *export,
                     const struct dump_job *job)
{
    enum program_status status;

    program_look(program, job->input->path);
    status = program_open(program, job->input->path);
    if (status == PROGRAM_OK)
        status = program_make_tree(program, 0);
    if (status == PROGRAM_FORMAT || status == PROGRAM_HEADER || status == PROGRAM_DAMAGED)
        export->error = program_open_error(status);
    return status == PROGRAM_OK || export->error != NULL;
}

static int run_job(const struct dataset *dataset, const struct dump_job *job, bool finishes)
{
    struct program *program = &dataset->gpudump->program;
    struct dataset_export export = {.program = program,
                                    .identity = job->identity,
                                    .folder = job->folder,
                                    .parts = dataset->parts,
                                    .first = dataset->first,
                                    .last = dataset->last,
                                    .share = finishes ? job->shares : job->begun,
                                    .shares = job->shares,
                                    .finishes = finishes};
    int status;

    program->options.common.cache /= dataset->jobs;
    program->quiet = true; /* no progress */
    if (!open_job(program, &export, job))
        return BROKEN;
    if (export.error != NULL && !finishes)
        return 0;
    status = dataset_export_dump(&export);
    program_close(program);
    return status < 0 ? BROKEN : status == 0 || !finishes ? 0 : FAILED;
}

static pid_t start_process(const struct dataset *dataset, struct dump_job *job, bool finishes)
{
    pid_t pid = child_begin();

    if (pid == 0)
        _exit(run_job(dataset, job, finishes));
    return pid;
}

/* `status` is that of waitpid(). */
static void end_process(struct dataset *dataset, struct dump_job *job, int status)
{
    char why[64];

    job->running--;
    job->failed = job->failed || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    if (WIFSIGNALED(status)) {
        snprintf(why, sizeof(why), "its export was ended by signal %d", WTERMSIG(status));
        tell(dataset, job->input->path, why);
    }
    if (job->finishing && job->running == 0)
        end_job(dataset, job);
}

static int wait_for_process(struct dataset *dataset, struct process *processes, size_t *running)
{
    int status;
    pid_t pid = child_wait_for(-1, &status);

    for (size_t i = 0; i < *running; i++)
        if (pid > 0 && processes[i].pid == pid) {
            struct dump_job *job = processes[i].job;

            processes[i] = processes[--*running];
            end_process(dataset, job, status);
            return 0;
        }
    return pid < 0 ? pid : 0;
}

/*
 * Returns the next dump with something to do, whether it was begun or not; NULL if there is none
 * now.
 */
static struct dump_job *next_job(struct dataset *dataset)
{
    for (size_t i = 0; i < dataset->inputs.count; i++) {
        struct dump_job *job = &dataset->list[i];

        if (job->done || job->finishing ||
            (job->begun > 0 && job->begun == job->shares && job->running > 0))
            continue;
        if (job->folder != NULL || begin_job(dataset, job))
            return job;
    }
    return NULL;
}

static int start_next(struct dataset *dataset, struct dump_job *job, struct process *process)
{
    bool finishes = job->begun == job->shares;

    process->job = job;
    process->pid = start_process(dataset, job, finishes);
    if (process->pid < 0)
        return process->pid;
    job->running++;
    job->finishing = finishes;
    job->begun += !finishes;
    return 0;
}

/*
 * If the system can start no more processes, the next one waits until another ends, as it does when
 * all jobs are running. Processes that were started are waited for even if something fails.
 */
static int run_all(struct dataset *dataset)
{
    struct process *processes = calloc(dataset->jobs, sizeof(*processes));
    size_t running = 0;
    int status = processes != NULL ? 0 : -ENOMEM, waiting = 0;

    while (status == 0) {
        struct dump_job *job = running < dataset->jobs ? next_job(dataset) : NULL;

        if (job == NULL && running == 0)
            break;
        status = job != NULL ? start_next(dataset, job, &processes[running]) : -EAGAIN;
        if (status == 0)
            running++;
        else if (running > 0 && (status == -EAGAIN || status == -ENOMEM))
            status = wait_for_process(dataset, processes, &running);
    }
    while (running > 0 && waiting == 0)
        waiting = wait_for_process(dataset, processes, &running);
    free(processes);
    return status;
}

static int write_root(const struct dataset *dataset)
{
    char *path = NULL;
    int status = -ENOMEM, lock;

    if (asprintf(&path, "%s/.lock", dataset->folder) < 0)
        return status;
    lock = take_lock(path);
    status = lock < 0 ? lock : dataset_manifest_write_root(dataset->folder);
    if (lock >= 0)
        close(lock);
    free(path);
    return status;
}

static int export_all(struct dataset *dataset)
{
    size_t count = dataset->inputs.count;
    int status = 0;

    dataset->list = calloc(count, sizeof(*dataset->list));
    if (dataset->list == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        dataset->list[i].input = &dataset->inputs.list[i];
        dataset->list[i].shares = dataset->jobs / count > 1 ? (unsigned)(dataset->jobs / count) : 0;
    }
    if (mkdir(dataset->folder, 0777) != 0 && errno != EEXIST)
        return -errno;
    progress_begin(&dataset->progress, !dataset->gpudump->program.quiet);
    status = run_all(dataset);
    progress_end(&dataset->progress);
    return status == 0 ? write_root(dataset) : status;
}

static void clear(struct dataset *dataset)
{
    for (size_t i = 0; dataset->list != NULL && i < dataset->inputs.count; i++) {
        free(dataset->list[i].folder);
        json_decref(dataset->list[i].identity);
    }
    free(dataset->list);
    dataset_inputs_clear(&dataset->inputs);
}

enum program_status gpudump_export_dataset(struct gpudump *gpudump)
{
    struct dataset dataset = {
        .gpudump = gpudump, .folder = gpudump->dataset, .jobs = gpudump->jobs};
    int status;

    if (dataset.jobs == 0)
        dataset.jobs = gpudump->program.options.common.threads;
    if (!read_parts(gpudump->dataset_parts, &dataset.parts))
        return PROGRAM_USAGE;
    if (!gpudump_read_range(gpudump->range != NULL ? gpudump->range : "", &dataset.first,
                            &dataset.last)) {
        log_write(LOG_ERR, "--range %s: not a range such as 100-199", gpudump->range);
        return PROGRAM_USAGE;
    }
    status = dataset_inputs_find(gpudump, gpudump->paths, gpudump->path_count, gpudump->range,
                                 &dataset.inputs);
    if (status == 0)
        status = dataset_inputs_check_names(&dataset.inputs);
    if (status == 0)
        status = export_all(&dataset);
    if (status != 0 && status != -EINVAL)
        tell_status(&dataset, gpudump->dataset, status);
    gpudump->failed = gpudump->failed || status != 0;
    clear(&dataset);
    return gpudump_outcome(gpudump);
}
