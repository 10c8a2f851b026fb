/* SPDX-License-Identifier: MIT */
/*
 * The main thread walks the tree, makes folders and links, and queues files. The other threads copy
 * the files in that order, which suits replay best. Files that change while other files are made,
 * like problems.txt, are copied by the main thread when the others have ended.
 */
#include "config.h"

#include "base/locks.h"
#include "cli/gpudump.h"

#include "base/array.h"
#include "base/file_write.h"
#include "base/log.h"
#include "base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { QUEUE = 64, PIECE = 1 << 20 };

struct copy_job {
    uint64_t inode;
    char *destination;
};

struct copy {
    struct tree *tree;
    bool resume;
    bool counts; /* count the files that are added, for the progress */
    pthread_t *threads;
    unsigned thread_count;
    const char *root; /* the path that is being added */
    struct copy_job *late;
    size_t late_count, late_room;

    pthread_mutex_t lock; /* of all following fields */
    pthread_cond_t changed;
    struct copy_job queue[QUEUE] GUARDED_BY(lock_of_copy);
    size_t first GUARDED_BY(lock_of_copy), count GUARDED_BY(lock_of_copy);
    bool ended GUARDED_BY(lock_of_copy), failed GUARDED_BY(lock_of_copy);
    bool full GUARDED_BY(lock_of_copy); /* the disk or quota: nothing more is copied */
    struct progress progress GUARDED_BY(lock_of_copy);
    uint64_t done GUARDED_BY(lock_of_copy), total GUARDED_BY(lock_of_copy);
};

static void take_lock(struct copy *copy) ACQUIRE(lock_of_copy)
{
    pthread_mutex_lock(&copy->lock);
}

static void give_lock(struct copy *copy) RELEASE(lock_of_copy)
{
    pthread_mutex_unlock(&copy->lock);
}

/* A full disk is told once, although several threads may find it full. */
static void tell(struct copy *copy, const char *name, int status)
{
    bool full = status == -ENOSPC || status == -EDQUOT, told = status == -EEXIST;

    take_lock(copy);
    told = told || (full && copy->full); /* contents_create() has logged -EEXIST */
    copy->failed = true;
    copy->full = copy->full || full;
    give_lock(copy);
    if (!told)
        log_write(LOG_ERR, "%s: %s%s", name, strerror(-status),
                  full ? "; nothing more is copied" : "");
}

static bool is_full(struct copy *copy)
{
    bool full;

    take_lock(copy);
    full = copy->full;
    give_lock(copy);
    return full;
}

static int copy_bytes(struct tree_file *source, int file)
{
    struct tree_window window = {0};
    uint64_t offset = 0;
    int status;

    do {
        status = tree_read(source, offset, PIECE, NULL, &window);
        if (status == 0)
            status = file_write_all(file, window.data, window.length);
        offset += window.length;
        blob_unref(&window.blob);
    } while (status == 0 && window.length > 0);
    return status;
}

/* Returns whether an earlier copy was completed. */
static bool is_there(struct tree *tree, uint64_t inode, const char *destination)
{
    struct tree_attributes attributes;
    struct stat there;

    return stat(destination, &there) == 0 && S_ISREG(there.st_mode) &&
           there.st_mtime == tree_dump(tree)->source->mtime.tv_sec &&
           tree_stat(tree, inode, NULL, &attributes) == 0 &&
           (uint64_t)there.st_size == attributes.size;
}

/*
 * Sets the dump's time. That may be forbidden for another user's file, even if writing to it is
 * not.
 */
static int set_time(struct tree *tree, int file)
{
    const struct timespec time = tree_dump(tree)->source->mtime, times[2] = {time, time};

    return futimens(file, times) == 0 || errno == EPERM ? 0 : -errno;
}

/* Removes a file that was begun, but no link through which it was reached. */
static void remove_begun(const char *destination, const struct stat *begun)
{
    struct stat there;

    if (lstat(destination, &there) == 0 && there.st_dev == begun->st_dev &&
        there.st_ino == begun->st_ino)
        (void)unlink(destination);
}

/*
 * Copies a file. A destination that is not regular, such as a device, gets no time, and is not
 * removed on failure.
 */
static int copy_file(struct tree *tree, uint64_t inode, const char *destination)
{
    struct tree_file *source = NULL;
    struct stat begun = {0};
    int file, status = tree_open(tree, inode, &source);
    bool is_plain;

    if (status != 0)
        return status;
    file = contents_create(tree, destination);
    if (file < 0) {
        status = file;
        goto out;
    }
    is_plain = fstat(file, &begun) == 0 && S_ISREG(begun.st_mode);
    status = copy_bytes(source, file);
    if (status == 0 && is_plain)
        status = set_time(tree, file);
    if (close(file) != 0 && status == 0)
        status = -errno;
    if (status != 0 && is_plain)
        remove_begun(destination, &begun);
out:
    tree_close(&source);
    return status;
}

/* Takes the next file to copy; returns false when there are no more. */
static bool take_job(struct copy *copy, struct copy_job *out)
{
    bool got;

    take_lock(copy);
    while (copy->count == 0 && !copy->ended)
        pthread_cond_wait(&copy->changed, &copy->lock);
    got = copy->count > 0;
    if (got) {
        *out = copy->queue[copy->first];
        copy->first = (copy->first + 1) % QUEUE;
        copy->count--;
        pthread_cond_broadcast(&copy->changed);
    }
    give_lock(copy);
    return got;
}

static void end_job(struct copy *copy, struct copy_job *job, int status)
{
    if (status != 0)
        tell(copy, job->destination, status);
    take_lock(copy);
    progress_show(&copy->progress, job->destination, ++copy->done, copy->total);
    give_lock(copy);
    free(job->destination);
}

static void *work(void *context)
{
    struct copy *copy = context;
    struct copy_job job;

    while (take_job(copy, &job)) {
        int status = 0;

        if (is_full(copy)) {
            free(job.destination);
            continue;
        }
        if (!copy->resume || !is_there(copy->tree, job.inode, job.destination))
            status = copy_file(copy->tree, job.inode, job.destination);
        end_job(copy, &job, status);
    }
    return NULL;
}

/*
 * Returns whether the contents may change while other files are made; then an earlier copy does not
 * count.
 */
static bool is_live(struct tree *tree, uint64_t inode)
{
    struct tree_attributes attributes;
    int status = tree_attributes(tree, inode, &attributes);

    return (status == 0 || status == -EAGAIN) && attributes.live;
}

static bool add_late(struct copy *copy, const struct copy_job *job)
{
    if (ARRAY_GROW(copy->late, copy->late_count, copy->late_room) != 0)
        return false;
    copy->late[copy->late_count++] = *job;
    return true;
}

static void add_file(struct copy *copy, uint64_t inode, const char *destination)
{
    struct copy_job job = {.inode = inode, .destination = strdup(destination)};
    bool live = is_live(copy->tree, inode);

    if (job.destination == NULL || (live && !add_late(copy, &job))) {
        tell(copy, destination, -ENOMEM);
        free(job.destination);
        return;
    }
    if (live)
        return;
    take_lock(copy);
    while (copy->count == QUEUE)
        pthread_cond_wait(&copy->changed, &copy->lock);
    copy->queue[(copy->first + copy->count++) % QUEUE] = job;
    pthread_cond_broadcast(&copy->changed);
    give_lock(copy);
}

/* Returns whether a path is below the one that is being added. */
static bool is_inside(const char *root, const struct text *path)
{
    size_t length = strlen(root);

    return length == 0 || (path->length > length && memcmp(path->bytes, root, length) == 0 &&
                           path->bytes[length] == '/');
}

/* Keeps the link, or copies the file that it leads to. */
static int add_link(struct copy *copy, const char *path, uint64_t inode, const char *destination)
{
    struct text target = TEXT_INIT, resolved = TEXT_INIT;
    struct tree_attributes attributes;
    uint64_t found = 0;
    int status = tree_link(copy->tree, inode, &target);

    text_add_char(&target, '\0');
    if (status == 0)
        status = text_status(&target);
    if (status == 0)
        status = paths_resolve_link(path, target.bytes, &resolved);
    if (status != 0)
        goto out;
    if (is_inside(copy->root, &resolved)) {
        (void)unlink(destination);
        status = symlink(target.bytes, destination) == 0 ? 0 : -errno;
        goto out;
    }
    text_add_char(&resolved, '\0');
    status = text_status(&resolved);
    if (status == 0)
        status = tree_find(copy->tree, resolved.bytes, true, &found);
    if (status == 0)
        status = tree_stat(copy->tree, found, NULL, &attributes);
    if (status == 0 && attributes.kind == RULE_FILE)
        add_file(copy, found, destination);
out:
    text_clear(&target);
    text_clear(&resolved);
    return status;
}

/* A folder during the walk. */
struct walk {
    struct copy *copy;
    const char *path, *destination;
};

static void add(struct copy *copy, const char *path, uint64_t inode, enum rule_kind kind,
                const char *destination);

static bool add_entry(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                      uint64_t next_cursor)
{
    const struct walk *walk = context;
    char *path = NULL, *destination = NULL;

    (void)next_cursor;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return true;
    if (asprintf(&path, "%s%s%s", walk->path, *walk->path != '\0' ? "/" : "", name) < 0)
        path = NULL;
    if (asprintf(&destination, "%s/%s", walk->destination, name) < 0)
        destination = NULL;
    if (path != NULL && destination != NULL)
        add(walk->copy, path, inode, kind, destination);
    else
        tell(walk->copy, name, -ENOMEM);
    free(path);
    free(destination);
    return !is_full(walk->copy);
}

static int add_directory(struct copy *copy, const char *path, uint64_t inode,
                         const char *destination)
{
    struct walk walk = {.copy = copy, .path = path, .destination = destination};
    uint64_t cursor = 0;

    if (mkdir(destination, 0777) != 0 && errno != EEXIST)
        return -errno;
    return tree_list(copy->tree, inode, &cursor, add_entry, &walk);
}

static void add(struct copy *copy, const char *path, uint64_t inode, enum rule_kind kind,
                const char *destination)
{
    int status = 0;

    if (is_full(copy))
        return;
    if (kind == RULE_DIRECTORY)
        status = add_directory(copy, path, inode, destination);
    else if (kind == RULE_LINK)
        status = add_link(copy, path, inode, destination);
    else
        add_file(copy, inode, destination);
    if (status != 0)
        tell(copy, destination, status);
}

/* Counts files for the progress. */
struct file_count {
    struct tree *tree;
    uint64_t files;
};

/* Listing may wait for names. A folder that cannot be listed is reported when it is copied. */
static bool count_entry(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                        uint64_t next_cursor)
{
    struct file_count *count = context;
    uint64_t cursor = 0;

    (void)next_cursor;
    if (kind == RULE_FILE)
        count->files++;
    else if (kind == RULE_DIRECTORY && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
        (void)tree_list(count->tree, inode, &cursor, count_entry, count);
    return true;
}

void copy_add(struct copy *copy, const char *path, uint64_t inode, const char *destination)
{
    struct file_count count = {.tree = copy->tree};
    struct tree_attributes attributes;
    int status;

    if (is_full(copy)) /* the size may take as long as the contents */
        return;
    status = tree_stat(copy->tree, inode, NULL, &attributes);
    if (status != 0) {
        tell(copy, path, status);
        return;
    }
    if (copy->counts) {
        count_entry(&count, paths_last(path), inode, attributes.kind, 0);
        take_lock(copy);
        copy->total += count.files;
        give_lock(copy);
    }
    copy->root = path;
    add(copy, path, inode, attributes.kind, destination);
}

int copy_begin(const struct copy_params *params, struct copy **out) LOCKS_UNCHECKED
{
    struct copy *copy = calloc(1, sizeof(*copy));
    bool failed;

    if (copy == NULL)
        return -ENOMEM;
    copy->tree = params->tree;
    pthread_mutex_init(&copy->lock, NULL);
    pthread_cond_init(&copy->changed, NULL);
    copy->resume = params->resume;
    copy->total = params->total;
    copy->counts = progress_begin(&copy->progress, params->progress) && params->total == 0;
    copy->threads = calloc(params->threads, sizeof(*copy->threads));
    while (copy->threads != NULL && copy->thread_count < params->threads &&
           thread_start(&copy->threads[copy->thread_count], work, copy) == 0)
        copy->thread_count++;
    failed = copy->thread_count == 0;
    *out = copy;
    if (failed)
        copy_end(out);
    return failed ? -EAGAIN : 0;
}

bool copy_end(struct copy **copy) LOCKS_UNCHECKED
{
    struct copy *ending = *copy;
    bool good;

    take_lock(ending);
    ending->ended = true;
    pthread_cond_broadcast(&ending->changed);
    give_lock(ending);
    for (unsigned i = 0; i < ending->thread_count; i++)
        pthread_join(ending->threads[i], NULL);
    for (size_t i = 0; i < ending->late_count; i++)
        if (is_full(ending))
            free(ending->late[i].destination);
        else
            end_job(ending, &ending->late[i],
                    copy_file(ending->tree, ending->late[i].inode, ending->late[i].destination));
    progress_end(&ending->progress);
    good = !ending->failed;
    pthread_cond_destroy(&ending->changed);
    pthread_mutex_destroy(&ending->lock);
    free(ending->late);
    free(ending->threads);
    free(ending);
    *copy = NULL;
    return good;
}
