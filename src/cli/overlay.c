/* SPDX-License-Identifier: MIT */
/*
 * The dump with its edits is a separate dump: the original's bytes with some of them replaced. It
 * is indexed and replayed like any other, so everything that the mount shows is correct without
 * further care. Each save makes another such dump, an edition, and the former one ends when it is
 * no longer used.
 */
#include "cli/overlay.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "tree/inode.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    LINE_MAX_BYTES = 1 << 20,
    EDITIONS_MAX = 8, /* maximum number of editions, while files of older ones are open */
    UNUSED_MS = 500,  /* milliseconds between two looks for unused editions */
    /*
     * The same soon after a save, since an unused edition would go on with its work in the
     * background. It then doubles with each look, up to UNUSED_MS.
     */
    UNUSED_SOON_MS = 5,
    /* Milliseconds between two scans of the folder if changes are not reported. */
    UNWATCHED_MS = 1000,
    /* Milliseconds before a failure is tried again. They double with each failure in a row. */
    AGAIN_MS = 1000,
    AGAINS_MAX = 6, /* number of failures in a row after which that delay grows no more */
};

/* A dump with edits. The program's own dump has none, and is not an edition. */
struct edition {
    struct format_dump dump;
    struct text listing; /* .gpudumpfs/overlay.txt, with a NUL */
    struct tree *tree;
    struct edition *next;
};

struct overlay {
    struct overlay_folder folder;
    struct program *program;
    struct mount *mount;
    unsigned threads;
    struct edition *editions;
    size_t edition_count;
    bool is_behind;    /* the edition shown is older than what was last read of the folder */
    unsigned failures; /* number of attempts in a row that did not show all of the folder */
    int64_t again_ms;  /* if there are failures: time of clock_ms() at which to try again */
    int told;          /* the failure that was logged last; 0: none since everything was shown */
    int woken;         /* an eventfd that is written to make the thread end */
    pthread_t thread;
    bool has_thread;
    struct cancel cancel;
};

int overlay_create(const char *path, struct overlay **out)
{
    struct overlay *overlay = calloc(1, sizeof(*overlay));
    int status = overlay == NULL ? -ENOMEM : overlay_folder_open(path, &overlay->folder);

    *out = NULL;
    if (status == 0) {
        overlay->woken = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        status = overlay->woken < 0 ? -errno : 0;
        if (status != 0)
            overlay_folder_close(&overlay->folder);
    }
    if (status != 0) {
        free(overlay);
        return status;
    }
    cancel_init(&overlay->cancel, NULL);
    *out = overlay;
    return 0;
}

void overlay_destroy(struct overlay **overlay)
{
    if (*overlay == NULL)
        return;
    overlay_end(*overlay);
    overlay_folder_close(&(*overlay)->folder);
    close((*overlay)->woken);
    free(*overlay);
    *overlay = NULL;
}

const char *overlay_path(const struct overlay *overlay)
{
    return overlay->folder.path;
}

/* Files and what they replace. */

struct lines {
    const char *at;
    size_t left;
    uint64_t number;
    bool too_long;
};

static int next_line(void *context, const char **line, size_t *length)
{
    struct lines *lines = context;
    const char *end;

    if (lines->left == 0)
        return 0;
    end = memchr(lines->at, '\n', lines->left);
    *line = lines->at;
    *length = end == NULL ? lines->left : (size_t)(end - lines->at);
    lines->number++;
    lines->too_long = *length > LINE_MAX_BYTES;
    if (lines->too_long)
        return -EINVAL;
    lines->left -= *length + (end != NULL);
    lines->at += *length + (end != NULL);
    return 1;
}

__attribute__((format(printf, 2, 3))) static void refuse(struct overlay_file *file,
                                                         const char *format, ...)
{
    struct text text = TEXT_INIT;
    va_list arguments;

    va_start(arguments, format);
    text_vprintf(&text, format, arguments);
    va_end(arguments);
    text_add_char(&text, '\0');
    free(file->problem);
    file->problem = strdup(text_status(&text) == 0 ? text.bytes : "out of memory");
    text_clear(&text);
    text_clear(&file->edit.bytes);
}

static void refuse_text(struct overlay_file *file, const struct lines *lines,
                        const struct format_text_error *error)
{
    if (lines->too_long)
        refuse(file, "%" PRIu64 ":1: the line has more than %d bytes", lines->number,
               LINE_MAX_BYTES);
    else if (error->column == 0)
        refuse(file, "%s", error->message);
    else
        refuse(file, "%" PRIu64 ":%zu: %s", lines->number > 0 ? lines->number : 1, error->column,
               error->message);
}

static void edit_bytes(struct overlay *overlay, struct overlay_file *file, uint64_t inode,
                       const uint8_t *bytes, size_t size)
{
    struct lines lines = {.at = (const char *)bytes, .left = size};
    const struct format_lines reading = {next_line, &lines};
    const struct format_edited edited = {.rule = inode_rule(inode),
                                         .key = inode_key(inode),
                                         .bytes = bytes,
                                         .size = size,
                                         .lines = &reading,
                                         .cancel = &overlay->cancel};
    struct format_text_error error = {0};
    int status = overlay->program->dump.format->ops->edit(tree_dump(overlay->program->tree),
                                                          &edited, &file->edit, &error);

    overlay->folder.is_incomplete |= status == -ENOMEM;
    file->settled = file->settled && status != -ENOMEM;
    if (status == -EINVAL)
        refuse_text(file, &lines, &error);
    else if (status == -ENOTSUP)
        refuse(file, "this file of the mount cannot be edited");
    else if (status != 0)
        refuse(file, "%s", strerror(-status));
}

/* Finds out what a file that is new or changed replaces, or why it replaces nothing. */
static void read_file(struct overlay *overlay, struct overlay_file *file)
{
    uint64_t inode;
    uint8_t *bytes;
    size_t size;
    int status = tree_find(overlay->program->tree, file->path, false, &inode);

    file->known = true;
    if (status != 0) {
        refuse(file, "the mount has no file of that name");
        return;
    }
    status = overlay_file_read(&overlay->folder, file, &bytes, &size);
    if (status == -EFBIG)
        refuse(file, "the file is larger than 64 MiB");
    else if (status != 0)
        refuse(file, "%s", strerror(-status));
    else
        edit_bytes(overlay, file, inode, bytes, size);
    free(bytes);
}

/* Sorts by offset; at the same offset, the edit that replaces most comes first. */
static int by_place(const void *one, const void *other)
{
    const struct format_edit *first = &(*(struct overlay_file *const *)one)->edit;
    const struct format_edit *second = &(*(struct overlay_file *const *)other)->edit;

    if (first->offset != second->offset)
        return first->offset < second->offset ? -1 : 1;
    return first->size == second->size ? 0 : first->size > second->size ? -1 : 1;
}

/* The result of reading the folder after a save. */
struct changes {
    struct overlay_file **used; /* files in use, sorted by_place() */
    size_t count;
    struct text problems; /* each with a NUL at its end, since names may contain line feeds */
};

static void tell(struct changes *changes, const struct overlay_file *file, const char *problem)
{
    bool is_place = problem[0] >= '0' && problem[0] <= '9';

    text_printf(&changes->problems, "overlay: %s:%s%s%c", file->path, is_place ? "" : " ", problem,
                0);
}

/* Leaves out an edit that overlaps another one which begins before it. */
static void leave_out_doubles(struct changes *changes)
{
    size_t kept = 0;

    if (changes->count > 0)
        qsort(changes->used, changes->count, sizeof(struct overlay_file *), by_place);
    for (size_t i = 0; i < changes->count; i++) {
        struct overlay_file *file = changes->used[i];
        const struct overlay_file *before = kept > 0 ? changes->used[kept - 1] : NULL;

        if (before != NULL && before->edit.offset + before->edit.size > file->edit.offset) {
            struct text problem = TEXT_INIT;

            text_printf(&problem, "the part that it replaces is already replaced by %s%c",
                        before->path, 0);
            tell(changes, file,
                 text_status(&problem) == 0 ? problem.bytes
                                            : "the part that it replaces is edited twice");
            text_clear(&problem);
        } else {
            changes->used[kept++] = file;
        }
    }
    changes->count = kept;
}

/*
 * Leaves out a file for which there is no room. That depends on the other files, so it is looked at
 * again after the next save.
 */
static void leave_out_large(struct changes *out, struct overlay_file *file)
{
    tell(out, file, "with it, all edits together are larger than 256 MiB");
    file->known = file->settled = false;
    text_clear(&file->edit.bytes);
}

/* Collects the files of the folder, which has been read. */
static int gather(struct overlay *overlay, struct changes *out)
{
    struct overlay_folder *folder = &overlay->folder;
    uint64_t size = 0;

    out->used = calloc(folder->count + 1, sizeof(struct overlay_file *));
    if (out->used == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < folder->count; i++) {
        struct overlay_file *file = &folder->files[i];

        if (!file->known)
            read_file(overlay, file);
        if (file->problem == NULL && file->edit.bytes.length > OVERLAY_SIZE_MAX - size) {
            leave_out_large(out, file);
            continue;
        }
        size += file->edit.bytes.length;
        if (file->problem != NULL)
            tell(out, file, file->problem);
        else
            out->used[out->count++] = file;
    }
    if (folder->is_too_much)
        text_printf(&out->problems, "overlay: more than %d names: the others are ignored%c",
                    OVERLAY_FILES, 0);
    leave_out_doubles(out);
    return 0;
}

static void clear_changes(struct changes *changes)
{
    free(changes->used);
    text_clear(&changes->problems);
}

/* Editions. */

static void add_problems(struct problems *problems, const struct text *told)
{
    for (size_t at = 0; at < told->length; at += strlen(told->bytes + at) + 1)
        problems_add(problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE, "%s",
                     told->bytes + at);
}

static void write_listing(const struct changes *changes, struct text *out)
{
    for (size_t i = 0; i < changes->count; i++) {
        const struct overlay_file *file = changes->used[i];

        text_add_escaped(out, file->path, strlen(file->path));
        text_printf(out, ": %zu bytes instead of %" PRIu64 " at 0x%08" PRIX64 "\n",
                    file->edit.bytes.length, file->edit.size, file->edit.offset);
    }
    text_add_char(out, '\0');
}

static int place_edits(struct overlay *overlay, const struct changes *changes,
                       struct format_placed *out)
{
    const struct format_edit **edits = calloc(changes->count + 1, sizeof(*edits));
    int status;

    *out = (struct format_placed){0};
    if (edits == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < changes->count; i++)
        edits[i] = &changes->used[i]->edit;
    status = format_place_edits(tree_dump(overlay->program->tree),
                                overlay->program->dump.format->ops, edits, changes->count, out);
    free(edits);
    return status;
}

static int open_edited(struct overlay *overlay, const struct changes *changes, struct text *message,
                       struct format_dump *out)
{
    const struct program *program = overlay->program;
    struct source_params params = program_source_params(&program->options);
    struct format_placed placed;
    int status = place_edits(overlay, changes, &placed);
    const struct format_origin origin = {tree_dump(program->tree), placed.edits, placed.count};

    params.cancel = &overlay->cancel;
    if (status == 0)
        status = format_open_edited(&program->dump, &origin, &program->options.common, &params,
                                    message, out);
    format_placed_clear(&placed);
    return status;
}

static void destroy_edition(struct edition *edition)
{
    tree_destroy(&edition->tree);
    format_close(&edition->dump);
    text_clear(&edition->listing);
    free(edition);
}

/* Removes from the dump's modes what a file or folder does not permit. */
static void narrow_modes(struct stat *dump, const struct stat *part)
{
    bool is_folder = S_ISDIR(part->st_mode);
    mode_t others = is_folder ? S_IROTH | S_IXOTH : S_IROTH;
    mode_t members = is_folder ? S_IRGRP | S_IXGRP : S_IRGRP;
    bool for_others = (part->st_mode & others) == others;

    if (!for_others)
        dump->st_mode &= ~(mode_t)S_IROTH;
    if ((part->st_mode & members) != members || (!for_others && part->st_gid != dump->st_gid))
        dump->st_mode &= ~(mode_t)S_IRGRP;
}

/*
 * Restricts the dump's modes: a user that may not read the files must see neither what they edit
 * nor what is wrong with them.
 */
static void heed_modes(const struct overlay_folder *folder, struct stat *dump)
{
    for (size_t i = 0; folder->count > 0 && i < folder->folder_count; i++)
        narrow_modes(dump, &folder->folders[i]);
    for (size_t i = 0; i < folder->count; i++)
        if (folder->files[i].status.st_mode != 0)
            narrow_modes(dump, &folder->files[i].status);
}

/* Opens the dump with all edits; if that is no dump any more, without any. */
static int open_edition(struct overlay *overlay, struct changes *changes, struct text *message,
                        struct edition *edition)
{
    int status = open_edited(overlay, changes, message, &edition->dump);

    if ((status == -ENOEXEC || status == -EPROTO) && changes->count > 0) {
        for (size_t i = 0; i < changes->count; i++)
            tell(changes, changes->used[i],
                 "with all edits, this is not a dump that can be opened");
        changes->count = 0;
        text_clear(message);
        status = open_edited(overlay, changes, message, &edition->dump);
    }
    if (status == 0) {
        heed_modes(&overlay->folder, &edition->dump.source->status);
        write_listing(changes, &edition->listing);
    }
    return status;
}

/* Returns whether to log a failure: it differs from the one that was logged last. */
static bool is_news(struct overlay *overlay, int status)
{
    if (status == 0 || status == overlay->told)
        return false;
    overlay->told = status;
    return true;
}

static int make_edition(struct overlay *overlay, struct changes *changes, struct edition **out)
{
    struct edition *edition = calloc(1, sizeof(*edition));
    struct text message = TEXT_INIT;
    int status = -ENOMEM;

    *out = NULL;
    if (edition == NULL)
        return status;
    status = open_edition(overlay, changes, &message, edition);
    if (status == 0)
        status = text_status(&edition->listing);
    if (status == 0)
        status = text_status(&changes->problems);
    if (status == 0) {
        edition->dump.dump->overlay = edition->listing.bytes;
        add_problems(edition->dump.problems, &changes->problems);
        status = format_tree(&edition->dump, overlay->threads, &edition->tree);
    }
    if (status != -EINTR && is_news(overlay, status))
        log_write(LOG_ERR, "overlay: the saved edits cannot be shown: %s",
                  message.length > 0 && text_status(&message) == 0 ? message.bytes
                                                                   : strerror(-status));
    text_clear(&message);
    if (status != 0) {
        destroy_edition(edition);
        return status;
    }
    edition->next = overlay->editions;
    overlay->editions = edition;
    overlay->edition_count++;
    *out = edition;
    return 0;
}

/*
 * Makes an edition of what the folder holds now. *out is NULL if that is already shown, or on
 * failure.
 */
static int make_next(struct overlay *overlay, struct edition **out)
{
    struct changes changes = {.problems = TEXT_INIT};
    bool changed;
    int status = overlay_folder_read(&overlay->folder, &changed);

    *out = NULL;
    changed |= overlay->is_behind;
    if (status == 0 && changed)
        status = gather(overlay, &changes);
    if (is_news(overlay, status))
        log_write(LOG_ERR, "overlay: %s: %s", overlay->folder.path, strerror(-status));
    else if (status == 0 && changed)
        status = make_edition(overlay, &changes, out);
    clear_changes(&changes);
    return status;
}

/*
 * Destroys editions whose trees are no longer used. The program's own tree stays, since edits are
 * made from it.
 */
static void end_unused(struct overlay *overlay)
{
    struct tree *tree;

    while ((tree = mount_take_unused(overlay->mount)) != NULL) {
        struct edition **link = &overlay->editions;

        while (*link != NULL && (*link)->tree != tree)
            link = &(*link)->next;
        if (*link != NULL) {
            struct edition *ended = *link;

            *link = ended->next;
            overlay->edition_count--;
            destroy_edition(ended);
        }
    }
}

/* Destroys the newest edition, which was never shown. */
static void drop_newest(struct overlay *overlay)
{
    struct edition *newest = overlay->editions;

    overlay->editions = newest->next;
    overlay->edition_count--;
    destroy_edition(newest);
}

static void note_outcome(struct overlay *overlay, int status)
{
    overlay->is_behind = status != 0;
    if (status == 0)
        overlay->told = 0;
    if ((status == 0 || status == -EINTR) && !overlay->folder.is_incomplete) {
        overlay->failures = 0;
        return;
    }
    if (overlay->failures < AGAINS_MAX)
        overlay->failures++;
    overlay->again_ms = clock_ms() + ((int64_t)AGAIN_MS << (overlay->failures - 1));
}

/*
 * Shows the next edition. If there are too many, first waits until files of an older one are
 * closed.
 */
static void show_next(struct overlay *overlay)
{
    struct edition *edition;
    int status;

    while (overlay->edition_count >= EDITIONS_MAX && !cancel_requested(&overlay->cancel)) {
        (void)overlay_folder_wait(&overlay->folder, UNUSED_MS, overlay->woken);
        end_unused(overlay);
    }
    status = make_next(overlay, &edition);
    if (status == 0 && edition != NULL) {
        status = mount_replace(overlay->mount, edition->tree);
        if (is_news(overlay, status))
            log_write(LOG_ERR, "overlay: the saved edits cannot be shown: %s", strerror(-status));
        if (status != 0)
            drop_newest(overlay);
    }
    note_outcome(overlay, status);
}

/* Returns how long to wait for a change, in milliseconds; -1: for ever. */
static int choose_wait(const struct overlay *overlay, int unused)
{
    const int wait = overlay->edition_count > 1 ? unused : -1;
    int64_t left = overlay->folder.is_unwatched ? UNWATCHED_MS : -1;

    if (overlay->failures > 0)
        left = overlay->again_ms - clock_ms() > 0 ? overlay->again_ms - clock_ms() : 0;
    return left >= 0 && (wait < 0 || wait > left) ? (int)left : wait;
}

/* Returns whether to read the folder although no change was reported. */
static bool is_due(const struct overlay *overlay)
{
    return overlay->failures > 0 ? clock_ms() >= overlay->again_ms : overlay->folder.is_unwatched;
}

static void *run(void *context)
{
    struct overlay *overlay = context;
    int unused = UNUSED_MS;

    while (!cancel_requested(&overlay->cancel)) {
        bool changed =
            overlay_folder_wait(&overlay->folder, choose_wait(overlay, unused), overlay->woken);

        if (cancel_requested(&overlay->cancel))
            break;
        if (changed || is_due(overlay))
            show_next(overlay);
        unused = changed ? UNUSED_SOON_MS : unused < UNUSED_MS / 2 ? unused * 2 : UNUSED_MS;
        end_unused(overlay);
    }
    return NULL;
}

int overlay_begin(struct overlay *overlay, struct program *program, unsigned threads,
                  struct tree **tree)
{
    struct edition *first = NULL;
    int status;

    program->dump.dump->overlay = "";
    if (program_make_tree(program, threads) != PROGRAM_OK)
        return -ENOMEM;
    overlay->program = program;
    overlay->threads = threads;
    status = make_next(overlay, &first);
    note_outcome(overlay, status);
    *tree = first != NULL ? first->tree : program->tree;
    return status;
}

int overlay_start(struct overlay *overlay, struct mount *mount, struct tree *tree)
{
    int status = mount_replace(mount, tree);

    if (status != 0)
        return status;
    overlay->mount = mount;
    status = thread_start(&overlay->thread, run, overlay);
    overlay->has_thread = status == 0;
    return status;
}

void overlay_end(struct overlay *overlay)
{
    cancel_raise(&overlay->cancel);
    (void)eventfd_write(overlay->woken, 1);
    if (overlay->has_thread)
        pthread_join(overlay->thread, NULL);
    overlay->has_thread = false;
    while (overlay->editions != NULL) {
        struct edition *next = overlay->editions->next;

        destroy_edition(overlay->editions);
        overlay->editions = next;
    }
    overlay->edition_count = 0;
}
