/* SPDX-License-Identifier: MIT */
/*
 * Several dumps in one mount. Each is a branch: a tree of its own, served like the mount of one
 * dump, except for inode numbers: the kernel knows these as nodes, one for each pair of a branch
 * and an inode that it has looked up. A request about a closed dump waits for one of the threads
 * that open dumps, which then carries it out. Inode numbers stay valid while a dump is closed,
 * since those of a tree mean the same whenever it is opened.
 */
#include "fuse/folder.h"

#include "base/clock.h"
#include "base/fnv.h"
#include "base/process.h"
#include "base/thread.h"
#include "fuse/request.h"
#include "source/filewatch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    IDLE_SECONDS = 60, /* seconds after which an unused dump is closed */
    RETRY_SECONDS = 5, /* seconds after which a dump that could not be opened is tried again */
    DUMPS_MAX = 256,   /* maximum number of dumps in use at the same time */
    BUCKETS = 64,      /* initial number of buckets of the hash table of names */
};

/*
 * Returns a salt for inode numbers that depends on the name alone, so it is the same in every
 * mount.
 */
static uint64_t hash_name(const char *name)
{
    return nodes_hash(fnv1a(name, strlen(name)));
}

void branch_hold(struct branch *branch)
{
    folder_lock(branch->folder);
    branch_hold_locked(branch);
    folder_unlock(branch->folder);
}

void branch_release(struct branch *branch)
{
    folder_lock(branch->folder);
    branch->users--;
    branch->folder->users--;
    branch->used = clock_ms() / 1000;
    folder_unlock(branch->folder);
}

static struct branch *create_branch(struct folder *folder, const char *name,
                                    const struct stat *file) LOCKS_UNCHECKED
{
    struct branch *branch = calloc(1, sizeof(*branch));

    if (branch == NULL || (branch->name = strdup(name)) == NULL) {
        free(branch);
        return NULL;
    }
    branch->folder = folder;
    branch->file = *file;
    branch->message = (struct text)TEXT_INIT;
    branch->last = &branch->first;
    branch->mount.branch = branch;
    branch->mount.salt = hash_name(name);
    branch->mount.options = folder->mount->options;
    atomic_init(&branch->mount.modes, modes_of_file(folder->mount->options, file));
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

static struct branch **bucket_of(const struct folder *folder, const char *name)
{
    return &folder->names[hash_name(name) & (folder->name_buckets - 1)];
}

/* The first branch of a bucket is the newest. */
static void put_in_bucket(struct folder *folder, struct branch *branch)
{
    struct branch **bucket = bucket_of(folder, branch->name);

    branch->next_in_bucket = *bucket;
    *bucket = branch;
}

/*
 * Rebuilds the hash table with at least as many buckets as branches, if there is memory for them.
 */
static void make_buckets(struct folder *folder)
{
    struct branch *branches = NULL, *next;
    size_t count = folder->name_buckets;
    struct branch **names;

    while (count < folder->branch_count)
        count *= 2;
    names = calloc(count, sizeof(*names));
    if (names != NULL) {
        free(folder->names);
        folder->names = names;
        folder->name_buckets = count;
    } else {
        memset(folder->names, 0, folder->name_buckets * sizeof(*names));
    }
    for (struct branch *branch = folder->branches; branch != NULL; branch = next) {
        next = branch->next; /* reversed, so that the newest is put in last */
        branch->next = branches;
        branches = branch;
    }
    folder->branches = NULL;
    for (struct branch *branch = branches; branch != NULL; branch = next) {
        next = branch->next;
        branch->next = folder->branches;
        folder->branches = branch;
        put_in_bucket(folder, branch);
    }
}

/*
 * Frees the branches that are not used: the kernel knows no inode of theirs, they have neither a
 * request nor an open file, and no tree. A dump that is being recorded makes a branch with each
 * look at it. The next sweep comes when there are twice as many branches as are left, so that each
 * new branch costs little.
 */
static void sweep(struct folder *folder) REQUIRES(lock_of_folder)
{
    for (struct branch **link = &folder->branches, *branch; (branch = *link) != NULL;) {
        if (branch->users > 0 || branch->nodes > 0 || branch->state == BRANCH_OPEN ||
            branch->state == BRANCH_OPENING) {
            link = &branch->next;
            continue;
        }
        *link = branch->next;
        folder->branch_count--;
        destroy_branch(branch);
    }
    make_buckets(folder);
    folder->sweep_at = 2 * folder->branch_count + BUCKETS;
}

/* Returns whether the branch is of this file. An open branch has a tree. */
static bool is_of(struct branch *branch, const struct stat *file) REQUIRES(lock_of_folder)
{
    if (branch->folder->dumps.root != NULL)
        return true;
    if (branch->stale || !filewatch_is_same(&branch->file, file))
        return false;
    return branch->state != BRANCH_OPEN || dump_check_files(tree_dump(branch->mount.tree)) == 0;
}

/* Finds the branch of a name and file. A branch of that name with another file becomes stale. */
static struct branch *find_branch(struct folder *folder, const char *name, const struct stat *file)
    REQUIRES(lock_of_folder)
{
    struct branch *branch = *bucket_of(folder, name);

    for (; branch != NULL; branch = branch->next_in_bucket) {
        if (strcmp(branch->name, name) != 0)
            continue;
        if (is_of(branch, file))
            break;
        if (!atomic_exchange(&branch->stale, true))
            pthread_cond_signal(&folder->wanted);
    }
    return branch;
}

int branch_by_name(struct folder *folder, const char *name, struct branch **out)
{
    struct branch *branch;
    struct stat file;
    int status = folder->dumps.find(folder->dumps.context, name, &file);

    *out = NULL;
    if (status != 0)
        return status;
    folder_lock(folder);
    branch = find_branch(folder, name, &file);
    if (branch == NULL && folder->branch_count >= folder->sweep_at)
        sweep(folder);
    if (branch == NULL && (branch = create_branch(folder, name, &file)) != NULL) {
        branch->next = folder->branches;
        folder->branches = branch;
        folder->branch_count++;
        put_in_bucket(folder, branch);
    }
    folder_unlock(folder);
    *out = branch;
    return branch != NULL ? 0 : -ENOMEM;
}

enum branch_state branch_state_by_name(struct folder *folder, const char *name)
{
    enum branch_state state = BRANCH_CLOSED;
    struct branch *branch;
    struct stat file;

    if (folder->dumps.find(folder->dumps.context, name, &file) != 0)
        return state;
    folder_lock(folder);
    branch = find_branch(folder, name, &file);
    if (branch != NULL)
        state = branch->state;
    folder_unlock(folder);
    return state;
}

/* The threads that open and close dumps; they release the lock while they do so. */

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

/*
 * Returns the open branch that was not used for the longest time, and for at least that many
 * seconds unless its file is another one by now; NULL if there is none.
 */
static struct branch *find_idle(const struct folder *folder, int64_t seconds)
    REQUIRES(lock_of_folder)
{
    struct branch *found = NULL;

    if (folder->dumps.root != NULL)
        return NULL;
    for (struct branch *branch = folder->branches; branch != NULL; branch = branch->next)
        if (branch->state == BRANCH_OPEN && branch->users == 0 &&
            (branch->stale || clock_ms() / 1000 - branch->used >= seconds) &&
            (found == NULL || branch->used < found->used))
            found = branch;
    return found;
}

/*
 * Opens the file of the branch, and no other, since what the kernel keeps about its inodes comes
 * from that file. The lock is not held.
 */
static int open_file(const struct folder *folder, struct branch *branch, struct text *message,
                     void **dump, struct tree **tree)
{
    const struct mount_dumps *dumps = &folder->dumps;
    int status = branch->stale ? -ESTALE
                               : dumps->open(dumps->context, branch->name, &branch->file,
                                             &branch->cancel, message, dump, tree);

    if (status == -ESTALE)
        branch->stale = true;
    if (status != 0 || dumps->root != NULL ||
        filewatch_is_same(&branch->file, &tree_dump(*tree)->source->status))
        return status;
    dumps->close(dumps->context, *dump);
    branch->stale = true;
    return -ESTALE;
}

/* No other thread touches the branch meanwhile, since its state says that it is being opened. */
static int open_counted(struct folder *folder, struct branch *branch, struct text *message,
                        void **dump, struct tree **tree) REQUIRES(lock_of_folder)
{
    struct branch *idle;
    int status;

    while (folder->open >= folder->dumps.max_open && (idle = find_idle(folder, 0)) != NULL)
        close_branch(folder, idle);
    if (folder->open >= DUMPS_MAX) {
        text_add(message, "too many dumps are in use");
        return -ENFILE;
    }
    folder->open++;
    folder_unlock(folder);
    status = open_file(folder, branch, message, dump, tree);
    folder_lock(folder);
    folder->open -= status != 0;
    return status;
}

static void open_branch(struct folder *folder, struct branch *branch) REQUIRES(lock_of_folder)
{
    struct text message = TEXT_INIT;
    struct tree *tree = NULL;
    void *dump = NULL;
    int status = open_counted(folder, branch, &message, &dump, &tree);

    branch->state = status == 0 ? BRANCH_OPEN : status == -EINTR ? BRANCH_CLOSED : BRANCH_FAILED;
    text_clear(&branch->message);
    branch->message = message;
    text_add_char(&branch->message, '\n');
    branch->used = clock_ms() / 1000;
    branch->dump = dump;
    if (tree != NULL)
        branch->mount.modes &= modes_of_dump(branch->mount.options, tree_dump(tree));
    branch->mount.tree = tree;
}

/* The caller holds the branch, so its state does not change meanwhile. */
static struct mount *mount_if_open(struct branch *branch) LOCKS_UNCHECKED
{
    return branch->state == BRANCH_OPEN ? &branch->mount : NULL;
}

static void go_on(struct pending *pending)
{
    pending->go(pending, mount_if_open(pending->branch));
    branch_release(pending->branch);
    free(pending);
}

/* Carries out the requests that wait for the branch, in the order in which they came. */
static void go_on_with_all(struct folder *folder, struct branch *branch) REQUIRES(lock_of_folder)
{
    struct pending *next = branch->first, *pending;
    unsigned count = 0;

    branch->first = NULL;
    branch->last = &branch->first;
    folder_unlock(folder);
    while ((pending = next) != NULL) {
        next = pending->next;
        go_on(pending);
        count++;
    }
    folder_lock(folder);
    /* Only after the branch counts them; otherwise the reader thread would sleep. */
    folder->waiting -= count;
}

static void put_to_open(struct folder *folder, struct branch *branch) REQUIRES(lock_of_folder)
{
    branch->state = BRANCH_OPENING;
    branch->next_to_open = NULL;
    cancel_init(&branch->cancel, &folder->cancel);
    *folder->last_to_open = branch;
    folder->last_to_open = &branch->next_to_open;
    pthread_cond_signal(&folder->wanted);
}

static struct branch *next_to_open(struct folder *folder) REQUIRES(lock_of_folder)
{
    struct branch *branch = folder->to_open;

    if (branch == NULL)
        return NULL;
    folder->to_open = branch->next_to_open;
    if (folder->to_open == NULL)
        folder->last_to_open = &folder->to_open;
    return branch;
}

static void close_idle(struct folder *folder) REQUIRES(lock_of_folder)
{
    struct branch *idle;

    while ((idle = find_idle(folder, folder->open > folder->dumps.max_open ? 0 : IDLE_SECONDS)) !=
           NULL)
        close_branch(folder, idle);
}

static void *run(void *context)
{
    struct folder *folder = context;

    folder_lock(folder);
    while (!folder->ended) {
        struct branch *branch = next_to_open(folder);
        struct timespec until;

        if (branch == NULL) {
            close_idle(folder);
            clock_gettime(CLOCK_MONOTONIC, &until);
            until.tv_sec++;
            if (folder->to_open != NULL || folder->ended)
                continue;
            if (folder->open > 0)
                pthread_cond_timedwait(&folder->wanted, &folder->lock, &until);
            else
                pthread_cond_wait(&folder->wanted, &folder->lock);
            continue;
        }
        open_branch(folder, branch);
        if (branch->state == BRANCH_CLOSED && branch->first != NULL && !folder->ended)
            put_to_open(folder, branch); /* a request came after all others had gone */
        else if (branch->state != BRANCH_CLOSED)
            go_on_with_all(folder, branch);
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
        clock_ms() / 1000 - branch->used >= RETRY_SECONDS)
        branch->state = BRANCH_CLOSED;
    if (branch->state == BRANCH_CLOSED)
        put_to_open(folder, branch);
    waits = branch->state == BRANCH_OPENING;
    if (waits) {
        *branch->last = pending;
        branch->last = &pending->next;
        folder->waiting++;
    }
    folder_unlock(folder);
    if (!waits)
        go_on(pending);
}

/* The threads whose requests wait for a branch. */
struct requesters {
    pid_t *list;
    size_t count;
};

/* Without memory for the list, none is found. */
static void find_requesters(struct folder *folder, const struct branch *branch,
                            struct requesters *out) EXCLUDES(lock_of_folder)
{
    size_t room;

    *out = (struct requesters){.list = NULL};
    folder_lock(folder);
    room = branch->first != NULL ? folder->waiting : 0;
    if (room > 0)
        out->list = malloc(room * sizeof(*out->list));
    for (const struct pending *pending = branch->first; pending != NULL && out->list != NULL;
         pending = pending->next)
        out->list[out->count++] = pending->requester;
    folder_unlock(folder);
}

/*
 * Judging reads a file of /proc for each thread, so it is done without the lock, which answers
 * need.
 */
static void keep_dying(struct requesters *requesters)
{
    size_t count = 0;

    for (size_t i = 0; i < requesters->count; i++)
        if (process_is_dying(requesters->list[i]))
            requesters->list[count++] = requesters->list[i];
    requesters->count = count;
}

static bool is_among(const struct requesters *requesters, pid_t requester)
{
    for (size_t i = 0; i < requesters->count; i++)
        if (requesters->list[i] == requester)
            return true;
    return false;
}

/*
 * Takes the waiting requests of these threads or, if `dying` is NULL, all. If none is left, cancels
 * the opening.
 */
static struct pending *take_pending(struct folder *folder, struct branch *branch,
                                    const struct requesters *dying) EXCLUDES(lock_of_folder)
{
    struct pending *taken = NULL, **link, *pending;

    folder_lock(folder);
    link = &branch->first;
    while ((pending = *link) != NULL) {
        if (dying != NULL && !is_among(dying, pending->requester)) {
            link = &pending->next;
            continue;
        }
        *link = pending->next;
        pending->next = taken;
        taken = pending;
        folder->waiting--;
    }
    branch->last = link;
    if (taken != NULL && branch->first == NULL)
        cancel_raise(&branch->cancel);
    folder_unlock(folder);
    return taken;
}

static struct pending *take_dying(struct folder *folder, struct branch *branch)
{
    struct requesters dying;
    struct pending *taken;

    find_requesters(folder, branch, &dying);
    keep_dying(&dying);
    taken = dying.count > 0 ? take_pending(folder, branch, &dying) : NULL;
    free(dying.list);
    return taken;
}

static void refuse_dying(struct folder *folder, bool all)
{
    for (struct branch *branch = folder->branches; branch != NULL; branch = branch->next) {
        struct pending *taken =
                           all ? take_pending(folder, branch, NULL) : take_dying(folder, branch),
                       *next;

        for (; taken != NULL; taken = next) {
            next = taken->next;
            fuse_reply_err(taken->fuse, EINTR);
            branch_release(branch);
            free(taken);
        }
    }
}

size_t folder_count(struct folder *folder)
{
    size_t count;

    folder_lock(folder);
    count = folder->waiting;
    for (struct branch *branch = folder->users > 0 ? folder->branches : NULL; branch != NULL;
         branch = branch->next)
        if (branch->users > 0)
            count += request_count(&branch->mount);
    folder_unlock(folder);
    return count;
}

size_t folder_ahead(struct folder *folder)
{
    size_t count = 0;

    folder_lock(folder);
    for (struct branch *branch = folder->users > 0 ? folder->branches : NULL; branch != NULL;
         branch = branch->next)
        if (branch->users > 0 && branch->state == BRANCH_OPEN)
            count += tree_drawing_ahead(branch->mount.tree);
    folder_unlock(folder);
    return count;
}

/* Only this thread adds and removes branches, so the list needs no lock. */
int64_t folder_reply_early(struct folder *folder, int64_t now)
{
    int64_t first = -1;

    for (struct branch *branch = folder->branches; branch != NULL; branch = branch->next) {
        int64_t left =
            request_count(&branch->mount) ? request_reply_early(&branch->mount, now) : -1;

        if (left >= 0 && (first < 0 || left < first))
            first = left;
    }
    return first;
}

void folder_look(struct folder *folder, bool all)
{
    for (struct branch *branch = folder->branches; branch != NULL; branch = branch->next)
        if (request_count(&branch->mount))
            request_look(&branch->mount, all);
    refuse_dying(folder, false);
}

int folder_create(struct mount *mount, const struct mount_dumps *dumps,
                  struct folder **out) LOCKS_UNCHECKED
{
    struct folder *folder = calloc(1, sizeof(*folder));
    struct branch **names = calloc(BUCKETS, sizeof(*names));

    if (folder == NULL || names == NULL || nodes_create(folder) != 0) {
        free(folder);
        free(names);
        return -ENOMEM;
    }
    folder->mount = mount;
    folder->dumps = *dumps;
    mount->modes = modes_of_file(mount->options, &dumps->folder);
    folder->last_to_open = &folder->to_open;
    cancel_init(&folder->cancel, NULL);
    folder->names = names;
    folder->name_buckets = folder->sweep_at = BUCKETS;
    clock_gettime(CLOCK_REALTIME, &folder->time);
    pthread_mutex_init(&folder->lock, NULL);
    thread_condition_init(&folder->wanted);
    *out = folder;
    return 0;
}

int folder_start(struct folder *folder)
{
    int status = 0;

    while (status == 0 && folder->thread_count < OPENERS) {
        status = thread_start(&folder->threads[folder->thread_count], run, folder);
        folder->thread_count += status == 0;
    }
    return folder->thread_count > 0 ? 0 : status;
}

static bool is_root(const struct folder *folder, const struct branch *branch)
{
    return folder->dumps.root != NULL && strcmp(branch->name, folder->dumps.root) == 0;
}

/* Closes the root's branch, which may need the others, or all others. */
static void close_all(struct folder *folder, bool root) REQUIRES(lock_of_folder)
{
    for (struct branch *branch = folder->branches; branch != NULL; branch = branch->next)
        if (branch->state == BRANCH_OPEN && is_root(folder, branch) == root)
            close_branch(folder, branch);
}

void folder_end(struct folder *folder)
{
    cancel_raise(&folder->cancel);
    folder_lock(folder);
    folder->ended = true;
    pthread_cond_broadcast(&folder->wanted);
    folder_unlock(folder);
    while (folder->thread_count > 0)
        pthread_join(folder->threads[--folder->thread_count], NULL);
    refuse_dying(folder, true);
    folder_lock(folder);
    close_all(folder, true);
    close_all(folder, false);
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
    for (struct folder_file *file; (file = ending->files) != NULL;)
        files_close(ending, &file);
    pthread_cond_destroy(&ending->wanted);
    pthread_mutex_destroy(&ending->lock);
    nodes_destroy(ending);
    free(ending->names);
    free(ending);
}
