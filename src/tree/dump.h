/* SPDX-License-Identifier: MIT */
/*
 * What the tree asks of an opened dump, whatever its format: the common part of
 * every mount (metadata, packets, frames) is built on these questions alone. A
 * format embeds struct dump at the head of its own structure and answers through
 * one constant struct dump_ops. Everything here may be called from any thread
 * once the dump is open.
 */
#ifndef GPUDUMPFS_TREE_DUMP_H
#define GPUDUMPFS_TREE_DUMP_H

#include "base/budget.h"
#include "base/metadata.h"
#include "base/problems.h"
#include "base/text.h"
#include "cache/cache.h"
#include "cache/follow.h"
#include "image/picture.h"
#include "source/source.h"
#include "tree/options.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct dump;
struct tree;

#define DUMP_NO_FRAME UINT64_MAX

/* A count that is known only when the dump has settled. */
#define DUMP_NOT_KNOWN UINT64_MAX

/* The container's smallest unit. */
struct dump_packet {
    uint64_t offset; /* of its header in the expanded dump */
    uint64_t data;   /* offset of its payload; without packet_bytes() */
    uint64_t bytes;  /* of its payload, as far as the dump holds it */
    uint64_t frame;  /* DUMP_NO_FRAME: none */
    uint32_t type;
    const char *name;   /* its type as it stands in names: gp0, vsync, type7f; [A-Za-z0-9._-] */
    char name_room[32]; /* where a name that is in no table is kept */
};

struct dump_frame {
    uint64_t first_packet, last_packet; /* inclusive; first > last: no packets */
    uint32_t width, height;             /* 0: a frame without a picture */
    enum picture_colour colour;         /* of the picture; 0: PICTURE_RGB */
    uint8_t significant_bits;           /* of the picture's channels; 0: 8 */
    /* With PICTURE_GREY: what its bytes are indexes of; NULL: they are grey. */
    const struct picture_palette *palette;
};

enum { DUMP_TIMELINE_MAX = 4 };

enum { DUMP_PICTURE_TEXTS = 3, DUMP_GAME_MAX = 64 };

/*
 * The header of a picture of one frame, with the texts that all pictures of that
 * frame carry: Frame, Time and Game, each only if it is known. It points into
 * itself: not to be copied.
 */
struct dump_picture {
    struct picture_header header;
    struct picture_text texts[DUMP_PICTURE_TEXTS];
    char frame[24], time[32], game[DUMP_GAME_MAX + 1];
};

/* Rows of a piece, where a listing does not say. */
enum { DUMP_PIECE_ROWS = 1024 };

/* Texts that are made in pieces, so that none costs memory in proportion to the dump. */
struct dump_listing {
    /* What stands first: a table's line of names, without its end; or `head` appends it. */
    const char *columns;
    int (*head)(struct dump *dump, uint64_t key, struct text *text);

    /*
     * A listing by rows: how many there are of this key, which may wait for an index, and those
     * from `first` up to `end`, which are at most piece_rows (0: DUMP_PIECE_ROWS).
     */
    int (*count)(struct dump *dump, uint64_t key, const struct cancel *cancel, uint64_t *rows);
    int (*rows)(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                const struct cancel *cancel, struct text *text);
    unsigned piece_rows;
    /* As `measure`, for rows. */
    int (*measure_rows)(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                        const struct cancel *cancel, struct text *text);

    /* Or by pieces of its own, which may be asked for in any order and by several threads. */
    int (*pieces)(struct dump *dump, uint64_t key, const struct cancel *cancel, uint64_t *pieces);
    int (*piece)(struct dump *dump, uint64_t key, uint64_t piece, const struct cancel *cancel,
                 struct text *text);
    /*
     * Appends as many bytes as the piece has, where figures that cost a replay may be
     * wrong: for the size. NULL: as `piece`.
     */
    int (*measure)(struct dump *dump, uint64_t key, uint64_t piece, const struct cancel *cancel,
                   struct text *text);
    /*
     * The whole length of a listing without columns and head, where it is known from something
     * that was made before; cheap, never waits. 0, -ENODATA: not yet, -ENOENT. NULL: never.
     */
    int (*length)(struct dump *dump, uint64_t key, uint64_t *length);
};

/* Whether there is one, in a table of a format's own. */
static inline bool dump_listing_exists(const struct dump_listing *listing)
{
    return listing->rows != NULL || listing->pieces != NULL;
}

/*
 * Objects by which two dumps are compared, beside commands and pictures: rows of a table, in the
 * order of their numbers, and files with such numbers at the head of their names.
 */
enum { DUMP_OBJECT_FILES = 3 };
struct dump_objects {
    const char *what;   /* "texture", as one is told; NULL: an array ends here */
    const char *table;  /* its path from the root, or from the frame's folder */
    const char *number; /* the column of the number, … */
    const char *frame;  /* … and that of the frame in which it is made; NULL: none */
    const char *place;  /* all columns that do not tell what it is, with blanks between */
    const char *folder; /* of the files, also in numbered folders there; NULL: none */
    /* Where the numbers are of folders: which files count in them, the first that there is; … */
    const char *files[DUMP_OBJECT_FILES];
    const char *picture; /* … and the one that shows it best, if there is one */
};

/* A part of a picture: two corners, both in it. */
struct dump_area {
    uint32_t x0, y0, x1, y1;
};

/*
 * How it is found which textures of two dumps differ, and which draws sample what differs. Tables
 * are told by their columns; those of a frame and its pictures stand in the frame's folder.
 */
enum { DUMP_SAMPLE_CELLS = 8 };
struct dump_samples {
    /* A row for each texture of the dump, from the root: equal ones have equal identities. */
    const char *catalog, *identity;
    const char *frame; /* the first that samples it */

    /* A row for each texture that a frame samples: its name, and X0,Y0,X1,Y1 of what is sampled. */
    const char *textures, *texture, *area;
    const char *folder; /* of their pictures, NAME.png */

    const char *draws;   /* a row for each draw of a frame, with … */
    const char *command; /* … the number of its line in commands.txt, from 0 on */
    const char
        *cells[DUMP_SAMPLE_CELLS + 1]; /* and the columns that samples() is given; NULL ends them */
    /* Whether a draw samples that texture, and which part of it at the utmost. A pure function. */
    bool (*samples)(const char *const *cells, const char *texture, struct dump_area *area);
};

/* A number of a dump as a whole by which two are compared. */
struct dump_figure {
    const char *name;   /* as it is told; NULL: an array ends here */
    const char *table;  /* its path from the root, with a row for each frame if … */
    const char *column; /* … the greatest of a column is meant, of integers; NULL: its rows */
};

/*
 * Pictures of textures, for find/texture/: files of the rule, a family in a folder, or in each of a
 * family of folders, that stand in the root; in the order in which the textures are made.
 */
struct dump_textures {
    unsigned rule; /* 0: there are none */
    /* The frame in which that of the key is made; DUMP_NO_FRAME: none. Never waits. NULL: none. */
    uint64_t (*frame)(struct dump *dump, uint64_t key);
};

/* Takes bytes that follow each other: 0, or a negative errno, which ends it. */
typedef int dump_sink(void *context, const void *bytes, size_t size);

struct dump_ops {
    /* It has neither packets nor frames nor metadata of its own, and their names are not there. */
    bool made_of_others;

    /*
     * Counts. That of packets is known since open (but see known()), that of frames may be
     * DUMP_NOT_KNOWN. Of
     * a followed dump both are what is shown so far, and known; packet() may say -ENOENT of
     * one below the count that is not shown yet.
     */
    uint64_t (*packets)(const struct dump *dump);
    uint64_t (*frames)(const struct dump *dump);

    /*
     * Of a dump that is read behind its opening: whether what there is to ask of this rule's
     * file or folder is known, 0 or -EAGAIN. Asked before anything else of it, which is asked
     * once `prepare` of the two has been run. Frames below one that is known are known, also while
     * frames() is DUMP_NOT_KNOWN; they have names of as many digits as without those that
     * follow, if they come one by one (`frames_early`). Never waits. NULL: all is known since open,
     * or says -EAGAIN by itself.
     */
    int (*known)(struct dump *dump, unsigned rule, uint64_t key);
    bool frames_early;

    /*
     * The same of whether there is such a file or folder (rule.exists, which may say -EAGAIN then);
     * NULL: as known().
     */
    int (*known_name)(struct dump *dump, unsigned rule, uint64_t key);

    /*
     * Cheap, called for every name that is listed: at most a walk over a thousand packet
     * headers, nothing is formatted. -ENOENT beyond the end, -EAGAIN while not known.
     */
    int (*packet)(struct dump *dump, uint64_t number, struct dump_packet *out);
    int (*frame)(struct dump *dump, uint64_t number, struct dump_frame *out);

    /*
     * A packet's payload, dump_packet's `bytes` long, where it does not stand in the
     * expanded dump as it is. Kept by the cache. NULL: it is the slice at `data`.
     */
    int (*packet_bytes)(struct dump *dump, uint64_t number, const struct cancel *cancel,
                        struct blob **out);

    /*
     * The smallest packet >= from of a frame, for formats where those of a frame are not all
     * from its first to its last: 0, -ENOENT. NULL: they are.
     */
    int (*next_frame_packet)(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *packet);

    /* Appends a frame's time, as in tables; `-` when not known. NULL: there are no times. */
    void (*frame_time)(struct dump *dump, uint64_t frame, struct text *text);

    /*
     * The first frame >= from that has a picture: 0, -ENOENT, -EAGAIN. For formats where
     * few may have one; NULL: frame() is asked for one after the other.
     */
    int (*next_picture)(struct dump *dump, uint64_t from, uint64_t *frame);

    /*
     * Makes known what could not be answered at once: of a directory's rule and key all
     * the names in it, of a file's or link's the size or target (see tree/rule.h). May
     * take long; run by a pool thread, once for all requests at the same time. Needed by
     * formats that answer -EAGAIN somewhere; else NULL.
     */
    int (*prepare)(struct dump *dump, unsigned rule, uint64_t key, const struct cancel *cancel);

    /* metadata.txt and .json; may wait for an index. */
    int (*metadata)(struct dump *dump, const struct cancel *cancel, struct metadata *out);

    /*
     * Returns when all of the dump has been looked at, so that problems.txt is complete.
     * A failure other than -EINTR is told there, below what is known.
     */
    int (*settle)(struct dump *dump, const struct cancel *cancel);

    /*
     * packets.tsv, also of a frame, and frames.tsv. Their first columns are made by
     * tree/tables.h; a format gives the names of those behind, with tabs between, and
     * appends: the rows of packets `first` to `end` - 1, each begun with tables_packet();
     * a frame's cells, each behind a tab. packet_type() writes a packet's type as a word or
     * in the format's own notation; NULL: as a decimal number.
     */
    const char *packet_columns, *frame_columns;
    int (*packet_rows)(struct dump *dump, uint64_t first, uint64_t end, const struct cancel *cancel,
                       struct text *text);
    int (*frame_cells)(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       struct text *text);
    /* Cells as long as those, where figures that take long may be wrong. NULL: as those. */
    int (*measure_frame_cells)(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                               struct text *text);
    void (*packet_type)(struct dump *dump, uint32_t type, struct text *text);

    /*
     * The same as listings of the format's own, where a table is not made of such rows: with
     * next_frame_packet() a frame's packets. Of these and of all that follows: what a format
     * does not have is NULL (of a listing `rows` and `pieces`), and its names are not there.
     */
    struct dump_listing packet_table, frame_packet_table, frame_table;

    /* A packet decoded, key = packet; a frame's commands, key = frame. */
    struct dump_listing packet_text, frame_commands;

    /*
     * How many bytes at the head of a line of commands.txt tell where the command stands:
     * numbers of its packet, call, draw and thread, offset, time. What is left tells what it
     * does, and is what frames are compared by. `*inside` is 0 at a text's first line and the
     * function's own from line to line. A pure function; NULL: lines begin with what they do.
     */
    size_t (*command_place)(const char *line, size_t length, unsigned *inside);

    /*
     * The numbers of packet and draw in that part of a line, DUMP_NOT_KNOWN where there is none.
     * A pure function; NULL: a line begins with its packet's number, and tells no draw.
     */
    void (*command_numbers)(const char *line, size_t length, uint64_t *packet, uint64_t *draw);

    /*
     * A frame's commands as those of two dumps are compared, in no file: a line for each line of
     * commands.txt, without its place; what that leaves out, such as data, is told by a number
     * that is equal where it is, in one process; which of two buffers is drawn and which is
     * displayed does not show; empty lines do not count. Key = frame. None: lines are those of
     * commands.txt.
     */
    struct dump_listing compared_commands;

    /*
     * What else two dumps are compared by: arrays that end with an entry of NULL; and, of a
     * frame, its draws, whose files are what each left. NULL: nothing.
     */
    const struct dump_figure *compared_figures;
    const struct dump_objects *compared_objects;
    const struct dump_objects *compared_draws;

    /* What frames bring in and sample: a folder of a frame's with pictures; textures. NULL: none.
     */
    const char *compared_uploads;
    const struct dump_samples *compared_samples;

    struct dump_textures textures;

    /* Columns of frames.tsv that timeline.png shows, as numbers; none: the tree has none. */
    const char *timeline[DUMP_TIMELINE_MAX];

    /* info.txt, behind the line of its number, and state.txt of a frame. */
    int (*frame_info)(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct text *text);
    int (*frame_state)(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       struct text *text);

    /*
     * The picture of a frame as a PNG, encoded with exactly dump_picture_header()'s
     * header. NULL: no frame has one. Or CACHE_FIRST_STAGE with what finish_picture() makes it of,
     * so that the next picture is drawn while this one is encoded.
     */
    int (*frame_picture)(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct blob **out);
    int (*finish_picture)(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          const struct blob *stage, struct blob **out);
    /* One program draws them, which has to go to each: not for readers that have gone elsewhere. */
    bool drawn_in_turn;

    /* Any picture is made anew in a moment: one that was read in order need not be kept. */
    bool cheap_pictures;

    /*
     * The same at the size of a thumbnail, PICTURE_RGB of these sides, where the picture itself
     * shows nothing when it is shrunk. NULL: it does. 0, or as frame_picture().
     */
    int (*frame_small)(struct dump *dump, uint64_t frame, uint32_t width, uint32_t height,
                       const struct cancel *cancel, struct picture_pixels *out);

    /*
     * A small picture of the whole dump for file managers, of about `size` pixels on its larger
     * side, as a PNG. NULL: it is the first frame on which something is to be seen.
     */
    int (*thumbnail)(struct dump *dump, uint32_t size, const struct cancel *cancel,
                     struct blob **out);

    /*
     * Frames `first` to `last`, both included, as a dump of the same format that shows the same
     * pictures, in memory that does not depend on how many they are. 0, -ENOENT: there are not so
     * many frames, or another -errno, the sink's too. NULL: the format has no such dumps.
     */
    int (*cut)(struct dump *dump, uint64_t first, uint64_t last, const struct cancel *cancel,
               dump_sink *sink, void *context);

    /*
     * The game or program that was recorded, for the pictures' texts: a string that
     * lives as long as the dump, or NULL. The function may be NULL.
     */
    const char *(*game)(const struct dump *dump);

    /*
     * Begins work in the background; called after the fork, once, by tree_create().
     * Not called in a program without threads: settle() and metadata() do the work
     * then. May be NULL.
     */
    void (*start)(struct dump *dump);

    /*
     * Of a followed dump: when a frame ended, in seconds since the recording began; the
     * times of its picture, which viewers look at before they read one again. NULL: as a
     * display of 60 frames a second would have shown them.
     */
    double (*frame_seconds)(const struct dump *dump, uint64_t frame);

    /* Frees the dump; no request is under way any more. */
    void (*close)(struct dump **dump);

    /* One paragraph for README.txt: what this format is, and where to begin. */
    const char *introduction;
};

enum { DUMP_BESIDE_MAX = 2 };

struct dump {
    const struct dump_ops *ops;
    const char *format;                           /* "psx" */
    const struct source *source;                  /* borrowed */
    const struct source *beside[DUMP_BESIDE_MAX]; /* other files that it is read from; NULL: none */
    const struct options *options;                /* borrowed */
    const struct option_table *own_options;       /* the format's; NULL: it has none */
    struct problems *problems;                    /* borrowed */
    struct cache *cache;                          /* borrowed; NULL until the tree is made */
    struct tree *tree;                            /* the same */
    struct cancel cancel;                         /* raised when the mount goes away */
    struct budget budget;                         /* without limits until the tree is made */
    const char
        *overlay; /* borrowed: the edits that it is opened with, as lines; NULL: none can be */
    struct follow *follow;   /* what it shows; NULL: it neither grows nor has grown (follow.md) */
    atomic_bool told_change; /* dump_check_files()'s */
};

/*
 * The numbers of packet and draw in a line of commands.txt as dump_ops.command_numbers has them;
 * without it a line begins with its packet's number, if with any. A pure function.
 */
void dump_command_numbers(const struct dump *dump, const char *line, size_t length,
                          uint64_t *packet, uint64_t *draw);

/*
 * Whether the bytes that the dump was read from are still those of its opening: 0, or -EIO and a
 * problem, for good. Asked after something was made, before it is given away. About a microsecond
 * for each file.
 */
int dump_check_files(struct dump *dump);

/* Whether dump_check_files() has found that they are not. */
bool dump_has_changed(const struct dump *dump);

/* The header of frames/NNNNNN.png. -ENOENT for a frame without a picture. */
int dump_picture_header(struct dump *dump, uint64_t frame, struct dump_picture *out);

/* The same texts for another picture of that frame, whose shape the caller says. */
int dump_picture_init(struct dump *dump, uint64_t frame, uint32_t width, uint32_t height,
                      enum picture_colour colour, uint8_t significant_bits,
                      struct dump_picture *out);

/*
 * What a rule's `size` answers for a picture: 0 and its exact length, -ENODATA with
 * `-o png=small` (only encoding can tell), -EFBIG for a shape that no PNG is made of.
 */
int dump_picture_size(const struct dump *dump, const struct dump_picture *picture, uint64_t *size);

#endif
