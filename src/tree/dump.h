/* SPDX-License-Identifier: MIT */
/*
 * What the tree needs to know of an opened dump, of any format: the common part of every mount
 * (metadata, packets, frames) is built on these functions alone. A format embeds struct dump at the
 * beginning of its own structure and implements one constant struct dump_ops. Everything here may
 * be called from any thread once the dump is open.
 *
 * The numbers of packets and frames begin with 0. A key consists of the numbers along a path that
 * distinguish a file from the other files of the same rule (tree/rule.h); of a file with a fixed
 * name in a frame's folder it is the frame's number.
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

/* Stands for a count that will be known only once the dump has settled. */
#define DUMP_NOT_KNOWN UINT64_MAX

/* The smallest unit of the container. */
struct dump_packet {
    uint64_t offset; /* offset of the header, in the expanded dump */
    uint64_t data;   /* offset of the payload; unused if there is packet_bytes() */
    uint64_t bytes;  /* length of the payload, as far as the dump has it */
    uint64_t frame;  /* number of the frame that it belongs to; DUMP_NO_FRAME: none */
    uint32_t type;
    /* The type as it is written in names: gp0, vsync, type7f; [A-Za-z0-9._-]. */
    const char *name;
    char name_room[32]; /* storage for a name that is in no table */
};

struct dump_frame {
    uint64_t first_packet, last_packet; /* inclusive; first > last: the frame has no packets */
    uint32_t width, height;             /* 0: the frame has no picture */
    enum picture_colour colour;         /* of the picture; 0: PICTURE_RGB */
    uint8_t significant_bits;           /* of the picture's channels; 0: 8 */
    /* Of PICTURE_GREY: the palette that its bytes index; NULL: they are grey levels. */
    const struct picture_palette *palette;
};

enum { DUMP_TIMELINE_MAX = 4 };

enum { DUMP_PICTURE_TEXTS = 3, DUMP_GAME_MAX = 64 };

/*
 * The header of a picture of one frame, with the texts that all pictures of the frame carry: Frame,
 * Time and Game, each only if it is known. It points into itself, so it must not be copied.
 */
struct dump_picture {
    struct picture_header header;
    struct picture_text texts[DUMP_PICTURE_TEXTS];
    char frame[24], time[32], game[DUMP_GAME_MAX + 1];
};

/* Rows of a piece, unless the listing has its own number. */
enum { DUMP_PIECE_ROWS = 1024 };

/*
 * A listing: a text that is made in pieces, so that its memory does not grow with the dump. It is
 * made either by rows (`count`, `rows`) or by pieces of its own (`pieces`, `piece`); the other two
 * are NULL. Functions return 0 or -errno.
 */
struct dump_listing {
    /*
     * The beginning of the text: a table's line of column names, without the newline. NULL: none.
     */
    const char *columns;
    /* Appends what else is at the beginning of the text, and is not constant. NULL: nothing. */
    int (*head)(struct dump *dump, uint64_t key, struct text *text);

    /* A listing by rows: stores the number of rows of this key. May wait for an index. */
    int (*count)(struct dump *dump, uint64_t key, const struct cancel *cancel, uint64_t *rows);
    /* Appends the rows from `first` up to but not including `end`, at most piece_rows of them. */
    int (*rows)(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                const struct cancel *cancel, struct text *text);
    unsigned piece_rows; /* 0: DUMP_PIECE_ROWS */
    /*
     * Appends exactly as many bytes as `rows`, but figures in them that cost a replay may be wrong:
     * used to find the size. NULL: as `rows`.
     */
    int (*measure_rows)(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                        const struct cancel *cancel, struct text *text);

    /*
     * A listing by pieces of its own: stores the number of pieces of this key. May wait for an
     * index.
     */
    int (*pieces)(struct dump *dump, uint64_t key, const struct cancel *cancel, uint64_t *pieces);
    /* Appends a piece. Pieces are made in any order, and by several threads at a time. */
    int (*piece)(struct dump *dump, uint64_t key, uint64_t piece, const struct cancel *cancel,
                 struct text *text);
    /*
     * Appends exactly as many bytes as `piece`, but figures in them that cost a replay may be
     * wrong: used to find the size. NULL: as `piece`.
     */
    int (*measure)(struct dump *dump, uint64_t key, uint64_t piece, const struct cancel *cancel,
                   struct text *text);
    /*
     * Stores the length of the complete listing, if it is known from something that was made
     * before; only for listings without `columns` and `head`. Cheap, never waits. Returns 0,
     * -ENODATA if it is not known yet, or -ENOENT. NULL: it is never known.
     */
    int (*length)(struct dump *dump, uint64_t key, uint64_t *length);
};

/* Returns whether a format's table has this listing. */
static inline bool dump_listing_exists(const struct dump_listing *listing)
{
    return listing->rows != NULL || listing->pieces != NULL;
}

/*
 * A kind of objects by which two dumps are compared, besides commands and pictures: the rows of a
 * table, in the order of their numbers, and files whose names begin with these numbers.
 */
enum { DUMP_OBJECT_FILES = 3 };
struct dump_objects {
    const char *what;   /* one of them, as reports call it: "texture"; NULL ends an array */
    const char *table;  /* path of the table, from the root or from the frame's folder */
    const char *number; /* column of the object's number */
    const char *frame;  /* column of the frame in which the object is made; NULL: none */
    /*
     * The columns that say where the object is rather than what it is, and so are not compared;
     * separated by blanks.
     */
    const char *place;
    /* The folder that has the files, or numbered folders with the files. NULL: none. */
    const char *folder;
    /*
     * If an object has a folder rather than a file: names of files in it. The first one that exists
     * is compared.
     */
    const char *files[DUMP_OBJECT_FILES];
    const char *picture; /* if an object has a folder: name of the file that shows the object best;
                            or NULL */
};

/* A part of a picture: two opposite corners, both inclusive. */
struct dump_area {
    uint32_t x0, y0, x1, y1;
};

/*
 * Where to find which textures of two dumps differ, and which draws sample what differs. Columns
 * are given by name; the tables and pictures of a frame are in the frame's folder.
 */
enum { DUMP_SAMPLE_CELLS = 8 };
struct dump_samples {
    /*
     * A table in the root, with a row for each texture of the dump, and its column of identities:
     * equal textures have equal identities.
     */
    const char *catalog, *identity;
    const char *frame; /* column of the first frame that samples the texture */

    /*
     * A table of a frame with a row for each texture that the frame samples; its column of names,
     * and its column of the sampled area as X0,Y0,X1,Y1.
     */
    const char *textures, *texture, *area;
    const char *folder; /* folder of these textures' pictures, NAME.png */

    const char *draws;   /* table with a row for each draw of a frame */
    const char *command; /* column of `draws`: the draw's line in commands.txt, counted from 0 */
    /* Columns of `draws` whose cells are given to samples(); NULL ends them. */
    const char *cells[DUMP_SAMPLE_CELLS + 1];
    /*
     * Returns whether a draw may sample a texture, and stores the largest part of the texture that
     * it may sample. `cells` are those of the draw's row, in the order above. A pure function.
     */
    bool (*samples)(const char *const *cells, const char *texture, struct dump_area *area);
};

/* A number that describes a complete dump, by which two dumps are compared. */
struct dump_figure {
    const char *name;  /* in reports; NULL ends an array */
    const char *table; /* path of the table, from the root */
    /*
     * NULL: the figure is the number of rows. Otherwise it is the greatest integer of this column,
     * and the table has a row for each frame.
     */
    const char *column;
};

/*
 * The pictures of textures, for find/texture/: the files of one rule, which is a family in a
 * folder, or in each folder of a family of folders, below the root; in the order in which the
 * textures are made.
 */
struct dump_textures {
    unsigned rule; /* 0 if there are none */
    /*
     * Returns the frame in which the texture of that key is made, or DUMP_NO_FRAME. Never waits.
     * NULL: no texture is made in a frame.
     */
    uint64_t (*frame)(struct dump *dump, uint64_t key);
};

/* Takes consecutive bytes. Returns 0, or -errno, which ends the writing. */
typedef int dump_sink(void *context, const void *bytes, size_t size);

/*
 * What is known of a dump that is still being read after it was opened, and how the rest becomes
 * known. The protocol, for each file and folder:
 *
 *     1. The tree calls `known`, or `known_name` if it only needs to know whether the name exists.
 *     2. On 0 it calls the other functions about the file or folder.
 *     3. On -EAGAIN, of `known` or of one of these functions, it has a thread of the pool call
 *        `prepare` for the same rule and key (or rule.prepare), once for all requests at the same
 *        time, and begins again. If `prepare` has returned 0, they no longer return -EAGAIN; a
 *        request for which they do fails after some rounds.
 *
 * What is made by the pool may wait: there the tree calls `prepare` itself when a function returns
 * -EAGAIN. A format whose dumps are known completely once they are open has no member of this.
 */
struct dump_readiness_ops {
    /*
     * Set if frames become known one by one: then frame numbers in names do not get more digits
     * because of the frames that follow.
     */
    bool frames_early;

    /*
     * Returns 0 if everything about this rule's file or folder can be answered, otherwise -EAGAIN.
     * Never waits. NULL: everything is known once the dump is open, or the functions return -EAGAIN
     * themselves.
     *
     * All frames below one that is known are known, too, even while frames() is DUMP_NOT_KNOWN.
     */
    int (*known)(struct dump *dump, unsigned rule, uint64_t key);

    /*
     * Returns 0 if it is known whether this rule's file or folder exists at all, otherwise -EAGAIN
     * (rule.exists may still return -EAGAIN). Never waits. NULL: as known().
     */
    int (*known_name)(struct dump *dump, unsigned rule, uint64_t key);

    /*
     * Makes known what could not be answered at once: of a directory, all names in it; of a file or
     * link, its size or target (see tree/rule.h). May take long. Required of formats that return
     * -EAGAIN somewhere, and of those that count frames with DUMP_NOT_KNOWN; otherwise NULL.
     */
    int (*prepare)(struct dump *dump, unsigned rule, uint64_t key, const struct cancel *cancel);
};

/* What packets are if they are neither slices of the dump nor consecutive in a frame. */
struct dump_container_ops {
    /*
     * Makes a packet's payload, `bytes` of struct dump_packet long, if the expanded dump does not
     * contain the payload as such. The cache keeps it. NULL: the payload is the slice at `data`.
     */
    int (*packet_bytes)(struct dump *dump, uint64_t number, const struct cancel *cancel,
                        struct blob **out);

    /*
     * Stores the smallest packet >= from of a frame, in formats where a frame is not simply all
     * packets from its first to its last; these need tables.frame_packet_table as well. Returns 0
     * or -ENOENT. NULL: it is.
     */
    int (*next_frame_packet)(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *packet);
};

/* What the dump says of its recording. None of these functions waits. */
struct dump_recording_ops {
    /*
     * Returns the game or program that was recorded, for the texts of pictures: a string that lives
     * as long as the dump, or NULL. The function may be NULL; dump_game() calls it.
     */
    const char *(*game)(const struct dump *dump);

    /*
     * Appends a frame's time as tables show it; `-` if it is not known. NULL: there are no times.
     */
    void (*frame_time)(struct dump *dump, uint64_t frame, struct text *text);

    /*
     * Of a followed dump: returns when a frame ended, in seconds since the recording began. It
     * becomes the time of the frame's picture, by which viewers decide whether to read it again.
     * NULL: the times are those of 60 frames a second.
     */
    double (*frame_seconds)(const struct dump *dump, uint64_t frame);
};

/*
 * packets.tsv, also of a frame, frames.tsv, and timeline.png. All formats have these tables; only
 * timeline.png is optional. A table is made in one of two ways:
 *
 *     rows       `packet_rows` for both packets.tsv, `frame_cells` for frames.tsv: tree/tables.h
 *                counts the rows and writes the columns that all formats have; the format names
 *                the columns after these, and appends their cells
 *     listings   `packet_table`, `frame_packet_table`, `frame_table`: the complete text is the
 *                format's, and begins with the same columns. For tables that are not made of such
 *                rows, and for a frame's packets if there is container.next_frame_packet. A
 *                listing that exists is used even if there are rows
 */
struct dump_table_ops {
    /*
     * The names of the format's own columns in packets.tsv and in frames.tsv, separated by tabs.
     * NULL: none.
     */
    const char *packet_columns, *frame_columns;
    /*
     * Appends the rows of the packets from `first` to `end` - 1, each begun with tables_packet().
     */
    int (*packet_rows)(struct dump *dump, uint64_t first, uint64_t end, const struct cancel *cancel,
                       struct text *text);
    /*
     * Appends a packet's type as a word or in the format's own notation. NULL: it is written as a
     * decimal number. Only tables_packet() calls this.
     */
    void (*packet_type)(struct dump *dump, uint32_t type, struct text *text);

    /* Appends a frame's cells, each after a tab. */
    int (*frame_cells)(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       struct text *text);
    /*
     * Appends cells of the same length as frame_cells(), but figures in them that take long may be
     * wrong. NULL: as frame_cells().
     */
    int (*measure_frame_cells)(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                               struct text *text);

    struct dump_listing packet_table, frame_packet_table, frame_table;

    /*
     * Columns of frames.tsv, of numbers, that timeline.png shows; none: there is no timeline.png.
     */
    const char *timeline[DUMP_TIMELINE_MAX];
};

/* The texts of packets and frames, and what a line of commands.txt begins with. */
struct dump_text_ops {
    /* A decoded packet; key = packet. */
    struct dump_listing packet;
    /* commands.txt of a frame; key = frame. */
    struct dump_listing commands;

    /*
     * Returns how many bytes at the beginning of a line of commands.txt say where the command is:
     * numbers of its packet, call, draw and thread, its offset, its time. The rest says what the
     * command does, and is what frames are compared by. `*inside` is state that the function keeps
     * from line to line; it is 0 at the first line of a text. A pure function; NULL: lines begin
     * with what the commands do.
     */
    size_t (*command_place)(const char *line, size_t length, unsigned *inside);

    /*
     * Stores the numbers of packet and draw that the beginning of a line of commands.txt has
     * (command_place), DUMP_NOT_KNOWN where there is none. A pure function, which
     * dump_command_numbers() calls; NULL: a line begins with the number of its packet, and has none
     * of a draw.
     */
    void (*command_numbers)(const char *line, size_t length, uint64_t *packet, uint64_t *draw);

    /* Appends a frame's info.txt, after the line with its number. Returns 0 or -errno. */
    int (*frame_info)(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct text *text);
    /* Appends a frame's state.txt. Returns 0 or -errno. */
    int (*frame_state)(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       struct text *text);
};

/*
 * By what two dumps of the format are compared, besides pictures and the lines of commands.txt.
 * Arrays end with an entry whose first member is NULL.
 */
struct dump_compared {
    /*
     * A frame's commands in the form in which two dumps are compared, which no file shows; key =
     * frame. It has a line for each line of commands.txt, without the part that says where the
     * command is. What commands.txt leaves out, such as data, is represented by a number that is
     * equal for equal data within one process. Which of two buffers is drawn and which is displayed
     * makes no difference, and empty lines do not count. No listing: the lines of commands.txt are
     * compared.
     */
    struct dump_listing commands;

    const struct dump_figure *figures;  /* an array; NULL: there are none */
    const struct dump_objects *objects; /* likewise */
    /* The draws of a frame, each with a picture of what it left. NULL: draws are not compared. */
    const struct dump_objects *draws;
    /* A folder of each frame with pictures of what the frame uploads. NULL: none. */
    const char *uploads;
    /* The textures that frames sample. NULL: none. */
    const struct dump_samples *samples;
};

/*
 * The pictures of frames. dump_ops.frame() reports whether a frame has one, and its shape. Without
 * `make` no frame has one (dump_has_pictures()), and of the other members only `next` may be set.
 */
struct dump_picture_ops {
    /*
     * Stores the first frame >= from that has a picture. Returns 0, -ENOENT or -EAGAIN; never
     * waits. For formats where few frames may have one; NULL: the tree calls frame() for one frame
     * after the other.
     */
    int (*next)(struct dump *dump, uint64_t from, uint64_t *frame);

    /*
     * Makes a frame's picture as a PNG, encoded with exactly the header of dump_picture_header().
     * May return CACHE_FIRST_STAGE and a stage in *out, from which finish() makes the picture, so
     * that the next one is drawn while this one is encoded. NULL: no frame has a picture.
     */
    int (*make)(struct dump *dump, uint64_t frame, const struct cancel *cancel, struct blob **out);
    /*
     * Makes the picture from a stage of make(), by any thread. Required of formats whose make()
     * returns CACHE_FIRST_STAGE; otherwise NULL.
     */
    int (*finish)(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                  const struct blob *stage, struct blob **out);

    /*
     * Makes a frame's picture at the size of a thumbnail, PICTURE_RGB with these sides, if the
     * complete picture would show nothing when it is shrunk. Returns 0, or an error as make() does.
     * NULL: shrinking works.
     */
    int (*make_small)(struct dump *dump, uint64_t frame, uint32_t width, uint32_t height,
                      const struct cancel *cancel, struct picture_pixels *out);

    /*
     * Makes a small picture of the complete dump as a PNG, for file managers, with about `size`
     * pixels on its larger side. NULL: it is the first frame on which something can be seen.
     */
    int (*thumbnail)(struct dump *dump, uint32_t size, const struct cancel *cancel,
                     struct blob **out);

    /*
     * All pictures are drawn by one program, which has to advance to each frame: so none are drawn
     * for readers that have left the series.
     */
    bool drawn_in_turn;

    /*
     * Every picture can be made again in a moment, so one that was read in sequence need not be
     * kept.
     */
    bool cheap;
};

/*
 * The operations of a dump. The members at the beginning are required of every format; those after
 * them are optional, and the groups say on what each depends. What a format does not have is NULL
 * (of a listing, `rows` and `pieces`), and the names for it do not exist.
 *
 * Threads: an operation with a `cancel` may take long and wait, and is called by threads of the
 * pool, several at a time, or by the only thread of a program without a pool. It returns -EINTR
 * soon after `cancel` (NULL: never) is raised. The others, except for close(), never wait, since
 * the thread that takes all requests may call them.
 */
struct dump_ops {
    /*
     * Returns the number of packets, which is known once the dump is open (but see
     * readiness.known). Of a followed dump it is what is shown so far; but packet() may return
     * -ENOENT for a number below it that is not shown yet.
     */
    uint64_t (*packets)(const struct dump *dump);
    /*
     * Returns the number of frames; DUMP_NOT_KNOWN as long as it is not known. Of a followed dump
     * it is what is shown so far, and always known.
     */
    uint64_t (*frames)(const struct dump *dump);

    /*
     * Describe a packet or a frame. Cheap, since called for every name that is listed: at most a
     * walk over a thousand packet headers, and no formatting. Return 0, -ENOENT beyond the end, or
     * -EAGAIN if it is not known yet.
     */
    int (*packet)(struct dump *dump, uint64_t number, struct dump_packet *out);
    int (*frame)(struct dump *dump, uint64_t number, struct dump_frame *out);

    /*
     * Fills metadata.txt and metadata.json; may wait for an index. NULL only if made_of_others.
     */
    int (*metadata)(struct dump *dump, const struct cancel *cancel, struct metadata *out);

    /*
     * Returns once all of the dump has been looked at, so that problems.txt is complete. A failure
     * other than -EINTR is itself reported there, after the other lines.
     */
    int (*settle)(struct dump *dump, const struct cancel *cancel);

    /* Frees the dump, when no request is under way any more. */
    void (*close)(struct dump **dump);

    /* Everything from here on is optional, except for `tables`. */

    /* One paragraph for README.txt: what the format is, and where to begin. */
    const char *introduction;

    /*
     * The dump has no packets, frames and metadata of its own, and no names for them: it is made of
     * other dumps, as a comparison is. Then packets() and frames() return 0.
     */
    bool made_of_others;

    /*
     * Starts work in the background; called once, after the fork, by tree_create(). Not called in a
     * program without threads: settle() and metadata() do the work then.
     */
    void (*start)(struct dump *dump);

    /*
     * Writes frames `first` to `last`, both inclusive, as a dump of the same format that shows the
     * same pictures. The memory needed does not depend on the number of frames. Returns 0, -ENOENT
     * if there are fewer frames, or another -errno, for example that of the sink. NULL: the format
     * cannot do this.
     */
    int (*cut)(struct dump *dump, uint64_t first, uint64_t last, const struct cancel *cancel,
               dump_sink *sink, void *context);

    struct dump_readiness_ops readiness;
    struct dump_container_ops container;
    struct dump_recording_ops recording;
    struct dump_table_ops tables;
    struct dump_text_ops texts;
    struct dump_compared compared;
    struct dump_picture_ops pictures;
    struct dump_textures textures;
};

enum { DUMP_BESIDE_MAX = 2 };

struct dump {
    const struct dump_ops *ops;
    const char *format;          /* "psx" */
    const struct source *source; /* borrowed */
    /* Other files that make up the dump; NULL ends them. */
    const struct source *beside[DUMP_BESIDE_MAX];
    const struct options *options;          /* borrowed */
    const struct option_table *own_options; /* the format's; NULL if it has none */
    struct problems *problems;              /* borrowed */
    struct cache *cache;                    /* borrowed; NULL until the tree was made */
    struct tree *tree;                      /* likewise */
    struct cancel cancel;                   /* raised when the mount goes away */
    struct budget budget;                   /* has no limits until the tree was made */
    /* Borrowed; the edits with which the dump was opened, as lines; NULL if it cannot have any. */
    const char *overlay;
    struct follow *follow;   /* what the dump shows; NULL if it never grows (follow.md) */
    atomic_bool told_change; /* whether dump_check_files() has reported a change */
};

/*
 * Stores the numbers of packet and draw in a line of commands.txt, by texts.command_numbers of its
 * operations; without that function, a line begins with the number of its packet, if with any.
 * DUMP_NOT_KNOWN where there is none. A pure function.
 */
void dump_command_numbers(const struct dump *dump, const char *line, size_t length,
                          uint64_t *packet, uint64_t *draw);

/* Returns whether any frame of dumps of this format may have a picture. */
static inline bool dump_has_pictures(const struct dump *dump)
{
    return dump->ops->pictures.make != NULL;
}

/* Returns recording.game of the dump's operations, or NULL if the game is not known. */
static inline const char *dump_game(const struct dump *dump)
{
    return dump->ops->recording.game != NULL ? dump->ops->recording.game(dump) : NULL;
}

/*
 * Checks whether the files that the dump was read from are unchanged since it was opened. Returns
 * 0, or -EIO from the first change on, which is also reported in problems.txt. To be called after
 * something was made and before it is given to a reader. Takes about a microsecond for each file.
 */
int dump_check_files(struct dump *dump);

/* Returns whether dump_check_files() has found a change. */
bool dump_has_changed(const struct dump *dump);

/*
 * Fills the header of frames/NNNNNN.png. Returns 0, -ENOENT for a frame without a picture, or an
 * error of dump_ops.frame().
 */
int dump_picture_header(struct dump *dump, uint64_t frame, struct dump_picture *out);

/*
 * Fills the header of another picture of that frame, with the same texts; the caller supplies the
 * picture's shape. Returns 0, -ENOENT if there is no such frame, or -ENOMEM.
 */
int dump_picture_init(struct dump *dump, uint64_t frame, uint32_t width, uint32_t height,
                      enum picture_colour colour, uint8_t significant_bits,
                      struct dump_picture *out);

/*
 * Computes the size of a picture for `size` of its rule. Returns 0 and the exact length, -ENODATA
 * with `-o png=small` (only encoding can tell), or -EFBIG for a shape of which no PNG can be made.
 */
int dump_picture_size(const struct dump *dump, const struct dump_picture *picture, uint64_t *size);

#endif
