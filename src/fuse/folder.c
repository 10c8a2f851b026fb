/* SPDX-License-Identifier: MIT */
/*
 * Several dumps below one mount. Each is a branch: a tree of its own, served as the
 * mount of one dump is, but for inode numbers, which the kernel knows as nodes, one
 * for each pair of branch and inode that it has looked up. What is asked about a dump
 * that is closed waits in a queue for the thread that opens dumps, which then asks it.
 * Inode numbers stay valid while a dump is closed, since a tree's mean the same
 * whenever it is opened.
 */
#include "fuse/folder.h"

#include "base/thread.h"
#include "source/filewatch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    IDLE_SECONDS = 60, /* after which a dump that nobody uses is closed */
    RETRY_SECONDS = 5, /* after which a dump that could not be opened is tried again */
    DUMPS_MAX = 256,   /* dumps in use */
};

static int64_t seconds_now(void)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* A salt of a name: the same in every mount. */
static uint64_t hash_name(const char *name)
{
    uint64_t value = UINT64_C(0xCBF29CE484222325);

    for (; *name != '\0'; name++)
        value = (value ^ (unsigned char)*name) * UINT64_C(0x100000001B3);
    return nodes_hash(value);
}

void branch_hold(struct branch *branch)
{
    folder_lock(branch->folder);
    branch->users++;
    folder_unlock(branch->folder);
}

void branch_release(struct branch *branch)
{
    folder_lock(branch->folder);
    branch->users--;
    branch->used = seconds_now();
    folder_unlock(branch->folder);
}

static struct branch *create_branch(struct folder *folder, const char *name,
                                    const struct stat *file)
{
    struct branch *branch = calloc(1, sizeof(*branch));

    if (branch == NULL || (branch->name = strdup(name)) == NULL) {
        free(branch);
        return NULL;
    }
    branch->folder = folder;
    branch->file = *file;
    branch->message = (struct text)TEXT_INIT;
    branch->mount.branch = branch;
    branch->mount.salt = hash_name(name);
    branch->mount.options = folder->mount->options;
    branch->mount.session = folder->mount->session;
    branch->mount.max_read = folder->mount->max_read;
    branch->mount.reader = folder->mount->reader;
    pthread_mutex_init(&branch->mount.lock, NULL);
    return branch;
}

static void destroy_branch(struct branch *branch)
{
    text_clear(&branch->message);
    pthread_mutex_destroy(&branch->mount.lock);
    free(branch->name);
    free(branch);
}

/* An open branch has its tree. */
static bool is_of(struct branch *branch, const char *name, const struct stat *file)
    REQUIRES(lock_of_folder)
{
    if (branch->stale || strcmp(branch->name, name) != 0 || !filewatch_is_same(&branch->file, file))
        return false;
    if (branch->state == BRANCH_OPEN && dump_check_files(tree_dump(branch->mount.tree)) != 0)
        branch->stale = true;
    return !branch->stale;
}

struct branch *branch_by_name(struct folder *folder, const char *name)
{
    struct branch *branch;
    struct stat file;

    if (folder->dumps.find(folder->dumps.context, name, &file) != 0)
        return NULL;
    folder_lock(folder);
    branch = folder->branches;
    while (branch != NULL && !is_of(branch, name, &file))
        branch = branch->next;
    if (branch == NULL && (branch = create_branch(folder, name, &file)) != NULL) {
        branch->next = folder->branches;
        folder->branches = branch;
    }
    folder_unlock(folder);
    return branch;
}

/* The thread that opens and closes; the lock is let go in between. */

static void close_branch(struct folder *folder, struct branch *branch) REQUIRES(lock_of_folder)
{
    void *dump = branch->dump;

    branch->state = BRANCH_CLOSED;
    branch->mount.tree = NULL;
    branch->dump = NULL;
    folder->open--;
    folder_unlock(folder);
    folder->dumps.close(folder->dumps.context, dump);
    folder_lock(folder);
}

/* The open one that nobody has used for longest, and for so long; NULL: none. */
static struct branch *find_idle(const struct folder *folder, int64_t seconds)
    REQUIRES(lock_of_folder)
{
    struct branch *found = NULL;

    for (struct branch *branch = folder->branches; branch != NULL; branch = branch->next)
        if (branch->state == BRANCH_OPEN && branch->users == 0 &&
            seconds_now() - branch->used >= seconds &&
            (found == NULL || branch->used < found->used))
            found = branch;
    return found;
}

/*
 * The file that the branch is of, and no other: what the kernel holds of its inodes comes from
 * that one. The lock is not held.
 */
static int open_file(const struct folder *folder, struct branch *branch, struct text *message,
                     void **dump, struct tree **tree)
{
    const struct mount_dumps *dumps = &folder->dumps;
    int status =
        branch->stale ? -ESTALE : dumps->open(dumps->context, branch->name, message, dump, tree);

    if (status != 0 || filewatch_is_same(&branch->file, &tree_dump(*tree)->source->status))
        return status;
    dumps->close(dumps->context, *dump);
    branch->stale = true;
    return -ESTALE;
}

static void open_branch(struct folder *folder, struct branch *branch) REQUIRES(lock_of_folder)
{
    struct text message = TEXT_INIT;
    struct branch *idle;
    struct tree *tree = NULL;
    void *dump = NULL;
    int status = -ENFILE;

    while (folder->open >= folder->dumps.max_open && (idle = find_idle(folder, 0)) != NULL)
        close_branch(folder, idle);
    if (folder->open < DUMPS_MAX) {
        folder_unlock(folder);
        status = open_file(folder, branch, &message, &dump, &tree);
        folder_lock(folder);
    } else {
        text_add(&message, "too many dumps are in use");
    }
    branch->state = status == 0 ? BRANCH_OPEN : BRANCH_FAILED;
    text_clear(&branch->message);
    branch->message = message;
    text_add_char(&branch->message, '\n');
    if (status != 0)
        return;
    branch->dump = dump;
    branch->mount.tree = tree;
    folder->open++;
}

/* The caller holds the branch, which stays as it is meanwhile. */
static struct mount *mount_if_open(struct branch *branch) LOCKS_UNCHECKED
{
    return branch->state == BRANCH_OPEN ? &branch->mount : NULL;
}

static void *run(void *context)
{
    struct folder *folder = context;
    struct branch *idle;

    folder_lock(folder);
    while (!folder->ended) {
        struct pending *pending = folder->first;

        if (pending == NULL) {
            struct timespec until;

            while ((idle = find_idle(
                        folder, folder->open > folder->dumps.max_open ? 0 : IDLE_SECONDS)) != NULL)
                close_branch(folder, idle);
            clock_gettime(CLOCK_MONOTONIC, &until);
            until.tv_sec++;
            if (folder->first == NULL && !folder->ended)
                pthread_cond_timedwait(&folder->wanted, &folder->lock, &until);
            continue;
        }
        folder->first = pending->next;
        if (folder->first == NULL)
            folder->last = &folder->first;
        if (pending->branch->state == BRANCH_CLOSED)
            open_branch(folder, pending->branch);
        folder_unlock(folder);
        pending->go(pending, mount_if_open(pending->branch));
        branch_release(pending->branch);
        free(pending);
        folder_lock(folder);
    }
    folder_unlock(folder);
    return NULL;
}

void branch_proceed(struct pending *pending)
{
    struct branch *branch = pending->branch;
    struct folder *folder = branch->folder;
    bool waits;

    folder_lock(folder);
    if (branch->state == BRANCH_FAILED && branch->users == 1 &&
        seconds_now() - branch->used >= RETRY_SECONDS)
        branch->state = BRANCH_CLOSED;
    waits = branch->state == BRANCH_CLOSED;
    if (waits) {
        *folder->last = pending;
        folder->last = &pending->next;
        pthread_cond_signal(&folder->wanted);
    }
    folder_unlock(folder);
    if (waits)
        return;
    pending->go(pending, mount_if_open(branch));
    branch_release(branch);
    free(pending);
}

size_t folder_count(struct folder *folder)
{
    size_t count = 0;

    folder_lock(folder);
    for (struct branch *branch = folder->branches; branch != NULL; branch = branch->next)
        if (branch->users > 0)
            count += request_count(&branch->mount);
    folder_unlock(folder);
    return count;
}

/* Branches are added in front, by this thread alone, and stay. */
void folder_look(struct folder *folder)
{
    for (struct branch *branch = folder->branches; branch != NULL; branch = branch->next)
        if (request_count(&branch->mount))
            request_look(&branch->mount);
}

int folder_create(struct mount *mount, const struct mount_dumps *dumps,
                  struct folder **out) LOCKS_UNCHECKED
{
    struct folder *folder = calloc(1, sizeof(*folder));

    if (folder == NULL || nodes_create(folder) != 0) {
        free(folder);
        return -ENOMEM;
    }
    folder->mount = mount;
    folder->dumps = *dumps;
    folder->last = &folder->first;
    clock_gettime(CLOCK_REALTIME, &folder->time);
    pthread_mutex_init(&folder->lock, NULL);
    thread_condition_init(&folder->wanted);
    *out = folder;
    return 0;
}

int folder_start(struct folder *folder)
{
    int status = thread_start(&folder->thread, run, folder);

    folder->has_thread = status == 0;
    return status;
}

/* The thread has ended. */
static void refuse_pending(struct folder *folder) LOCKS_UNCHECKED
{
    for (struct pending *pending = folder->first, *next; pending != NULL; pending = next) {
        next = pending->next;
        fuse_reply_err(pending->fuse, EINTR);
        free(pending);
    }
    folder->first = NULL;
}

void folder_end(struct folder *folder)
{
    folder_lock(folder);
    folder->ended = true;
    pthread_cond_signal(&folder->wanted);
    folder_unlock(folder);
    if (folder->has_thread)
        pthread_join(folder->thread, NULL);
    folder->has_thread = false;
    refuse_pending(folder);
    folder_lock(folder);
    for (struct branch *branch = folder->branches; branch != NULL; branch = branch->next)
        if (branch->state == BRANCH_OPEN)
            close_branch(folder, branch);
    folder_unlock(folder);
}

void folder_destroy(struct folder **folder)
{
    struct folder *ending = *folder;

    *folder = NULL;
    if (ending == NULL)
        return;
    for (struct branch *branch = ending->branches, *next; branch != NULL; branch = next) {
        next = branch->next;
        destroy_branch(branch);
    }
    pthread_cond_destroy(&ending->wanted);
    pthread_mutex_destroy(&ending->lock);
    nodes_destroy(ending);
    free(ending);
}
