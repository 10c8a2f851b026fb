/* SPDX-License-Identifier: MIT */
/*
 * A dump whose bytes change while it is read, by writes that leave no trace: stores through a
 * mapping of a file in memory. The results cannot be right; but bytes that are read twice, and
 * differ the second time, must do no harm. Each round opens the dump again, changes it between the
 * tree's answers and by a thread at the same time, walks to some files and reads them. In some
 * rounds the dump is followed, and grows meanwhile. A sanitizer judges.
 *
 *     flicker FOLDER FIRST ROUNDS FILE...   rounds FIRST to FIRST + ROUNDS - 1 of a dump, which is
 *                                           one file, or the folder that several files make up;
 *                                           FOLDER is in memory, and empty
 *
 * With FLICKER_TELLS in the environment it prints which round begins.
 */
#include "config.h"

#include "formats/format.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FILES_MAX = 16,
    WALKS = 60,    /* walks from the root down to a file, in a round */
    DEPTH_MAX = 8, /* depth of folders */
    NAME_ROOM = 256,
    FOLDER_WEIGHT = 4,
    READS = 6, /* reads of a file */
    /*
     * Pauses of the thread between two changes are shorter than 2 to this power, in microseconds.
     */
    PAUSE_BITS = 14,
    GROWTH_PAUSE = 2000, /* microseconds after bytes were appended */
    OPENING_WAIT = 250,  /* such pauses until an opening that waits for more bytes is cancelled */
    MEMORY = 64 << 20,
};

/* A file of the dump: its original bytes, and its copy, with the mapping of that. */
struct victim {
    uint8_t *bytes, *was;
    size_t size;         /* of the original */
    atomic_size_t there; /* of the copy, which may be shorter while it grows */
    int file;
};

static struct victim victims[FILES_MAX];
static unsigned victim_count;
static atomic_bool racing;

static _Noreturn void give_up(const char *what, int status)
{
    fprintf(stderr, "flicker: %s: %s\n", what, strerror(-status));
    exit(1);
}

static uint64_t draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * 0x2545F4914F6CDD1DULL;
}

static uint64_t below(uint64_t *state, uint64_t end)
{
    return draw(state) % end;
}

/* Files. */

static uint8_t *map_file(int file, size_t size)
{
    uint8_t *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

    if (bytes == MAP_FAILED)
        give_up("mmap", -errno);
    return bytes;
}

static void copy_file(const char *from, const char *to)
{
    struct victim *victim = &victims[victim_count];
    struct stat stat;
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = open(to, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (in < 0 || out < 0 || fstat(in, &stat) != 0 || ftruncate(out, stat.st_size) != 0)
        give_up(from, -errno);
    victim->size = (size_t)stat.st_size;
    if (victim->size > 0) {
        victim->was = malloc(victim->size);
        if (victim->was == NULL || read(in, victim->was, victim->size) != stat.st_size)
            give_up(from, -EIO);
        victim->bytes = map_file(out, victim->size);
        victim->file = out;
        victim_count++;
    } else {
        close(out);
    }
    close(in);
}

/* Gives the copy as many of the original's bytes. Those that it keeps are changed only if `anew`.
 */
static void set_size(struct victim *victim, size_t size, bool anew)
{
    size_t kept = anew ? 0 : atomic_load(&victim->there);

    if (ftruncate(victim->file, (off_t)size) != 0)
        give_up("ftruncate", -errno);
    memcpy(victim->bytes + kept, victim->was + kept, size - kept);
    atomic_store(&victim->there, size);
}

static void restore_files(void)
{
    for (unsigned i = 0; i < victim_count; i++)
        set_size(&victims[i], victims[i].size, true);
}

/* Leaves the first file with its beginning, which has bytes. */
static void cut_file(uint64_t *state)
{
    struct victim *victim = &victims[0];

    set_size(victim, 1 + below(state, victim->size), true);
}

/* Appends to the first file. Returns false if it is complete. */
static bool grow_file(uint64_t *state)
{
    struct victim *victim = &victims[0];
    size_t there = atomic_load(&victim->there);

    if (there == victim->size)
        return false;
    set_size(victim, there + 1 + below(state, victim->size - there), false);
    return true;
}

/* Changes. */

static void put(struct victim *victim, size_t at, uint64_t value, size_t size)
{
    size_t there = atomic_load(&victim->there);

    for (size_t i = 0; i < size && at + i < there; i++)
        victim->bytes[at + i] = (uint8_t)(value >> 8 * i);
}

static void move(struct victim *victim, uint64_t *state)
{
    size_t there = atomic_load(&victim->there);
    size_t size = 1 + below(state, 64), from = below(state, there), to = below(state, there);

    for (size_t i = 0; i < size && from + i < there && to + i < there; i++)
        victim->bytes[to + i] = victim->was[from + i];
}

static void change(uint64_t *state)
{
    static const uint64_t values[] = {0,          1,          2,          3,         0x7F, 0x80,
                                      0xFF,       '\n',       ',',        '0',       '9',  0xFFFF,
                                      0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, UINT64_MAX};
    struct victim *victim = &victims[below(state, victim_count)];
    size_t there = atomic_load(&victim->there), at = below(state, there);

    switch (below(state, 6)) {
    case 0:
    case 1:
        victim->bytes[at] ^= (uint8_t)(1u << below(state, 8));
        break;
    case 2:
        victim->bytes[at] ^= 1;
        break;
    case 3:
        put(victim, at & ~(size_t)3, values[below(state, sizeof(values) / sizeof(values[0]))],
            (size_t)1 << below(state, 4));
        break;
    case 4:
        move(victim, state);
        break;
    default: /* restores bytes, some of which were changed */
        memcpy(victim->bytes + at, victim->was + at, there - at < 4096 ? there - at : 4096);
    }
}

static void change_perhaps(uint64_t *state)
{
    if (below(state, 4) == 0)
        change(state);
}

static void *race(void *context)
{
    uint64_t state = *(const uint64_t *)context;
    useconds_t pause = 1u << below(&state, PAUSE_BITS);

    while (atomic_load(&racing)) {
        change(&state);
        usleep(pause);
    }
    return NULL;
}

/* Growth. */

struct growth {
    uint64_t state;
    atomic_bool ended;
    pthread_t thread;
    struct cancel opening; /* raised if the dump needs bytes that have been changed */
};

static void *grow(void *context)
{
    struct growth *growth = context;

    while (!atomic_load(&growth->ended) && grow_file(&growth->state))
        usleep(GROWTH_PAUSE);
    for (unsigned i = 0; i < OPENING_WAIT && !atomic_load(&growth->ended); i++)
        usleep(GROWTH_PAUSE);
    cancel_raise(&growth->opening);
    return NULL;
}

/* The tree. */

struct choice {
    uint64_t *state, inode;
    enum rule_kind kind;
    unsigned seen, weight;
    char name[NAME_ROOM];
};

/* Chooses one of the first entries. Folders are more likely, since there is more below them. */
static bool choose(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                   uint64_t next)
{
    struct choice *choice = context;

    (void)next;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return true;
    choice->seen++;
    choice->weight += kind == RULE_DIRECTORY ? FOLDER_WEIGHT : 1;
    if (below(choice->state, choice->weight) < (kind == RULE_DIRECTORY ? FOLDER_WEIGHT : 1)) {
        choice->inode = inode;
        choice->kind = kind;
        snprintf(choice->name, sizeof(choice->name), "%s", name);
    }
    return choice->seen < 200;
}

static void expect(int status, const char *name)
{
    static const int fine[] = {0, EIO, EFBIG, ENOMEM, ENOENT, ENOTDIR, ESTALE, EINTR};

    for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++)
        if (status == -fine[i])
            return;
    give_up(name, status);
}

static void read_file(struct tree *tree, const struct choice *choice, uint64_t *state)
{
    struct tree_attributes attributes;
    struct tree_file *file = NULL;
    struct tree_window window;
    int status = tree_stat(tree, choice->inode, NULL, &attributes);

    expect(status, choice->name);
    if (status == 0)
        status = tree_open(tree, choice->inode, &file);
    expect(status, choice->name);
    for (unsigned i = 0; status == 0 && i < READS; i++) {
        uint64_t at = i == 0 ? 0 : below(state, attributes.size + 1);

        change_perhaps(state);
        status = tree_read(file, at, 1 << 16, NULL, &window);
        expect(status, choice->name);
        if (status == 0)
            blob_unref(&window.blob);
    }
    if (file != NULL)
        tree_close(&file);
}

/* Reads the history of a pixel, which no listing has, in formats that have such files. */
static void read_pixel(struct tree *tree, uint64_t *state)
{
    struct choice choice = {.state = state};
    int status;

    snprintf(choice.name, sizeof(choice.name), "by-frame/%06u/%spixel/%u,%u.tsv",
             (unsigned)below(state, 4), below(state, 2) == 0 ? "" : "vram-",
             (unsigned)below(state, 320), (unsigned)below(state, 240));
    status = tree_find(tree, choice.name, true, &choice.inode);
    expect(status, choice.name);
    if (status == 0)
        read_file(tree, &choice, state);
}

static void walk(struct tree *tree, uint64_t *state)
{
    uint64_t inode = TREE_ROOT;

    for (unsigned depth = 0; depth < DEPTH_MAX; depth++) {
        struct choice choice = {.state = state};
        struct tree_xattrs xattrs;
        uint64_t cursor = 0;

        change_perhaps(state);
        expect(tree_list(tree, inode, &cursor, choose, &choice), "a listing");
        if (choice.seen == 0)
            return;
        expect(tree_xattrs(tree, choice.inode, &xattrs), choice.name);
        if (choice.kind == RULE_FILE)
            read_file(tree, &choice, state);
        if (choice.kind != RULE_DIRECTORY)
            return;
        inode = choice.inode;
    }
}

static void look_around(struct tree *tree, uint64_t *state)
{
    for (unsigned i = 0; i < WALKS; i++)
        if (below(state, 10) == 0)
            read_pixel(tree, state);
        else
            walk(tree, state);
}

static void open_and_look(const char *path, const struct source_params *params, uint64_t seed,
                          uint64_t *state)
{
    struct options options;
    struct text message = TEXT_INIT;
    struct format_dump dump;
    struct tree *tree = NULL;
    int status;

    if (format_options_init(&options) < 0)
        give_up("options", -ENOMEM);
    options.max_memory = MEMORY;
    status = format_open(path, &options, params, &message, &dump);
    if (status == 0 && (status = format_tree(&dump, seed % 2, &tree)) < 0)
        give_up("a tree", status);
    if (status == 0) {
        look_around(tree, state);
        tree_destroy(&tree);
        format_close(&dump);
    }
    text_clear(&message);
    options_clear(&options);
}

static pthread_t begin_thread(void *(*run)(void *), void *context)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, run, context) != 0)
        give_up("a thread", -EAGAIN);
    return thread;
}

static void play(const char *path, uint64_t seed, bool follows)
{
    uint64_t state = (seed + 1) * 0x9E3779B97F4A7C15ULL, beside = ~state;
    struct growth growth = {.state = ~beside ^ seed};
    struct source_params params = {.follow = follows, .cancel = &growth.opening};
    pthread_t racer;

    restore_files();
    cancel_init(&growth.opening, NULL);
    if (follows) {
        cut_file(&state);
        growth.thread = begin_thread(grow, &growth);
    }
    atomic_store(&racing, seed % 4 != 0);
    racer = begin_thread(race, &beside);
    open_and_look(path, &params, seed, &state);
    atomic_store(&racing, false);
    pthread_join(racer, NULL);
    if (follows) {
        atomic_store(&growth.ended, true);
        pthread_join(growth.thread, NULL);
    }
}

int main(int argc, char **argv)
{
    char path[4096];
    bool is_folder = argc > 5;

    if (argc < 5 || argc - 4 > FILES_MAX)
        return 2;
    for (int i = 4; i < argc; i++) {
        const char *name = strrchr(argv[i], '/');

        snprintf(path, sizeof(path), "%s/%s", argv[1], name == NULL ? argv[i] : name + 1);
        copy_file(argv[i], path);
    }
    if (victim_count == 0)
        give_up("empty files", -ENODATA);
    if (is_folder)
        snprintf(path, sizeof(path), "%s", argv[1]);
    for (uint64_t n = 0, first = strtoull(argv[2], NULL, 10); n < strtoull(argv[3], NULL, 10);
         n++) {
        if (getenv("FLICKER_TELLS") != NULL)
            fprintf(stderr, "round %" PRIu64 "\n", first + n);
        play(path, first + n, !is_folder && (first + n) % 3 == 2);
    }
    return 0;
}
