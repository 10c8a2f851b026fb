/* SPDX-License-Identifier: MIT */
/*
 * What a format is: a row in one list (formats.m4), and its operations. cli/ knows formats only
 * through this header. A format may include tree/ and the folders below formats/
 * (docs/architecture.md), but never another format.
 */
#ifndef GPUDUMPFS_FORMATS_FORMAT_H
#define GPUDUMPFS_FORMATS_FORMAT_H

#include "config.h"

#include "source/edited.h"
#include "tree/tree.h"

#include <stddef.h>

/*
 * The dump from which edits made another dump. The edited dump has the same options and is closed
 * first, so it may use what is known of the original.
 */
struct format_origin {
    struct dump *dump;
    const struct source_edit *edits; /* in the form that source/edited.h requires */
    size_t count;
};

/*
 * What a dump is opened from, and with which parameters. All pointers are borrowed, and none is
 * NULL unless noted.
 */
struct format_opening {
    const struct source *source;   /* a file or a folder; outlives the dump */
    const struct options *options; /* outlives the dump */
    /* For source_open_sibling(). `cancel` and `progress` in it also apply to the opening itself. */
    const struct source_params *source_params;
    struct problems *problems; /* outlives the dump; a probe's is destroyed after the probe */
    const struct format_origin *origin; /* NULL if no edits made the dump */
    struct text *message;               /* receives a sentence for the user if opening fails */
};

/* Receives bytes, piece by piece. */
struct format_sink {
    int (*write)(void *context, const void *bytes, size_t length); /* returns 0 or -errno */
    void *context;
};

/* The lines of a text, without their newlines. */
struct format_lines {
    /*
     * Gets the next line, which is valid until the next call. Returns 1, 0 at the end, or -errno.
     */
    int (*next)(void *context, const char **line, size_t *length);
    void *context;
};

enum { FORMAT_MESSAGE_MAX = 200 };

/* The end of a packet, in place of the end of a range of its words. */
#define FORMAT_PACKET_END UINT64_MAX

/* What is wrong with the line that was read last. */
struct format_text_error {
    size_t column; /* in bytes, counted from 1 */
    char message[FORMAT_MESSAGE_MAX];
};

/* An edited file, identified by the rule and the key of its name in the dump's tree. */
struct format_edited {
    unsigned rule;
    uint64_t key;
    const uint8_t *bytes;
    size_t size;
    const struct format_lines *lines; /* the same bytes as lines */
    const struct cancel *cancel;
};

/* A range of a dump's bytes, and the bytes that replace it. */
struct format_edit {
    uint64_t offset, size;
    struct text bytes;
    /*
     * The offset of the packet's header if the edit replaces nothing and inserts its bytes within a
     * packet, which is parted there. 0 if no packet is parted.
     */
    uint64_t parted;
};

/* Edits to apply, in the form that source/edited.h requires. */
struct format_placed {
    struct source_edit *edits;
    size_t count;
    struct text *texts; /* bytes that `edits` points to where they were put together */
    size_t text_count;
};

/* A picture of a dump that is being reduced: rows of width * 3 bytes, the top row first. */
struct format_picture {
    uint32_t width, height;
    const uint8_t *rgb;
};

/*
 * How a dump is made smaller while it keeps a property. Either `test` or `judge` checks the
 * property.
 */
struct format_reduction {
    uint64_t last_frame; /* frames after it are left out at once; DUMP_NO_FRAME for none */
    /* Another dump of the same format, which is reduced in step. NULL if there is none. */
    struct dump *other;
    /*
     * Checks a candidate, which it is given itself. Returns 1 if the candidate has the property, 0
     * if not, or -errno. NULL: judge() is called instead.
     */
    int (*test)(void *context, const void *dump, size_t size);
    /*
     * Does the same by pictures: it is given the candidate's last picture and that of the other
     * dump (NULL if there is none). Used if `test` is NULL.
     */
    int (*judge)(void *context, const struct format_picture *picture,
                 const struct format_picture *other);
    /* Stores the smallest candidate so far that has the property. Returns 0 or -errno. */
    int (*keep)(void *context, const void *dump, size_t size);
    /*
     * Stores what is left of the other dump; called after keep(). Returns 0 or -errno. May be NULL.
     */
    int (*keep_other)(void *context, const void *dump, size_t size);
    /* Reports that `left` of `count` units ("commands", …) are left after `tries` tries in all. */
    void (*progress)(void *context, const char *units, size_t left, size_t count, uint64_t tries);
    void *context;
    const struct cancel *cancel;
};

/* The operations of a format. NAME_format is defined in the folder of its format. */
struct format_ops {
    /*
     * Whether the format reads containers that source.h leaves packed. If not, such a source is
     * never probed.
     */
    bool takes_packed;

    /*
     * Whether the format reads a source that still grows. If not, a stream is read to its end
     * before open() is called.
     */
    bool grows;

    /*
     * Whether the format never passes the dump's mapped bytes to a system call. Then bytes that an
     * edit moves may be copied when they are first touched (source/edited.h).
     */
    bool edits_later;

    /*
     * Returns how certain it is that the source is of this format, from 0 (it is not) to 100 (a
     * magic number matches), or -ENOMEM. Reads only little of the source.
     */
    int (*probe)(const struct format_opening *opening);

    /*
     * Indexes what listings need. Never fails on a damaged dump whose beginning is usable: it adds
     * problems instead. Returns 0; -EPROTO, with a sentence in `message`, for a bad header or an
     * unknown version; -ENOMEM; -EINTR; or -EAGAIN, as format_open().
     */
    int (*open)(const struct format_opening *opening, struct dump **out);

    /*
     * Names of the files that belong to a dump beside its main file, or within a dump that is a
     * folder. NULL-terminated. NULL if a dump is a single file.
     */
    const char *const *siblings;

    /*
     * Likewise, names of the files of a dump that is a folder as a whole. `*.end` stands for all
     * names that end so.
     */
    const char *const *members;

    const struct option_table *options; /* the format's own options; NULL if it has none */

    const struct rule *rules; /* what the format's tree adds to the common rules */
    size_t rule_count;

    /*
     * The first word of a text to which the format converts a dump so that it can be edited. NULL,
     * like the next two functions, if the format has no text form.
     */
    const char *text_word;
    /* Converts a dump to such a text. Returns 0, the error of the sink, -EINTR or -ENOMEM. */
    int (*disassemble)(struct dump *dump, const struct cancel *cancel,
                       const struct format_sink *sink);
    /*
     * Converts such a text to a dump. Returns 0, the error of the sink or of the lines, -ENOMEM, or
     * -EINVAL, with `error` set, if the text is invalid.
     */
    int (*assemble)(const struct format_lines *lines, const struct format_sink *sink,
                    struct format_text_error *error);

    /*
     * Determines which bytes of the dump an edited file of its tree replaces. NULL if no file may
     * be edited. Returns 0; -ENOTSUP if this file may not be edited; -EINVAL with `error` set,
     * whose column is 0 if no line is to blame; the error of the lines; or -ENOMEM. `out` must be
     * empty before.
     */
    int (*edit)(struct dump *dump, const struct format_edited *edited, struct format_edit *out,
                struct format_text_error *error);

    /*
     * For edits that part packets: appends to `out` the header of a packet that has only the words
     * in [from, to) of the packet whose header is at `packet`. All three are offsets in the dump.
     * If `from` equals `packet`, the words begin with the packet's first word; if `to` is
     * FORMAT_PACKET_END, they end with its last. The new header is as long as the old one. Returns
     * 0, or the error of `out` (text_status()).
     */
    int (*part)(struct dump *dump, uint64_t packet, uint64_t from, uint64_t to, struct text *out);

    /*
     * Leaves out of a dump what it does not need to keep a property. NULL if the format cannot.
     * Returns 0; the error of the reduction's functions; -EINTR; -ENOMEM; -ENODATA if the dump does
     * not have the property; -EXDEV if the other dump is of another format.
     */
    int (*reduce)(struct dump *dump, const struct format_reduction *reduction);
};

/*
 * Implements `edit`, for the .bin files of packets only, in formats whose dumps hold packets
 * verbatim. The new payload must be as long as the old one.
 */
int format_edit_packet(struct dump *dump, const struct format_edited *edited,
                       struct format_edit *out, struct format_text_error *error);

/* The same for packets that are lines, which may have any length. */
int format_edit_line(struct dump *dump, const struct format_edited *edited, struct format_edit *out,
                     struct format_text_error *error);

/*
 * Converts edits to source edits. The edits are in ascending order and do not overlap. Several
 * edits may part the same packet: each of its parts gets a header. `out` borrows the bytes of
 * `edits`. Call format_placed_clear() on `out` even if this fails. Returns 0, -ENOMEM, or the error
 * of `part`.
 */
int format_place_edits(struct dump *dump, const struct format_ops *ops,
                       const struct format_edit *const *edits, size_t count,
                       struct format_placed *out);
void format_placed_clear(struct format_placed *placed);

struct format {
    const char *name;  /* "psx": also the prefix of its own options */
    const char *title; /* "PSX GPU dump" */
    const struct format_ops *ops;
};

/*
 * A build may lack some formats. FORMATS(), which configure generates from the list, has those that
 * are built.
 */
#define FORMAT_DECLARE(name, title) extern const struct format_ops name##_format;
FORMATS(FORMAT_DECLARE)

/* All formats of this build. The last row's name is NULL. */
extern const struct format formats_table[];

/* Adds the option tables of all formats. Returns 0, or -ENOMEM and then clears `options`. */
int format_options_add(struct options *options);

/* Calls options_init() and then format_options_add(). */
int format_options_init(struct options *options);

/*
 * Finds the format with the highest score, or the first in the table among equals. Returns 0;
 * -ENOEXEC if no format recognizes the source; or -ENOMEM. Leaves the opening's `problems` and
 * `message` untouched.
 */
int format_probe(const struct format_opening *opening, const struct format **out);

/*
 * Finds the format that recognizes the beginning of an open file; NULL if there is none or the file
 * cannot be read. Expands nothing on disk. Returns 0 or -ENOMEM.
 */
int format_of_file(const struct source_file *file, const char *path, const struct options *options,
                   const struct format **out);

/* Returns whether `names`, a list of siblings or members, has `name`. NULL is an empty list. */
bool format_names_have(const char *const *names, const char *name);

/* Returns whether a file of this name may be part of a dump that is a folder, of any format. */
bool format_may_be_part(const char *name);

/* Returns the format whose texts begin with this word, or NULL if there is none. */
const struct format *format_of_text(const char *word, size_t length);

/* A dump with all that it borrows. `dump` is NULL once a tree has taken it over. */
struct format_dump {
    const struct format *format;
    struct source *source;
    struct problems *problems;
    struct dump *dump;
};

/*
 * Opens a dump file: its source, format and index; with the option `strict` also finds all its
 * problems. Creates no threads, so it may be called before the fork. Returns 0, or closes
 * everything and returns one of these, with a sentence for the user in `message`:
 *
 *     -ENOEXEC   no format recognizes the file
 *     -EPROTO    a bad header, or an unknown version
 *     -EBADMSG   `strict` is set, and the dump has an error
 *     -EOPNOTSUPP  a file is to be followed, and its format cannot grow
 *     -EINTR     cancelled
 *     others     the file could not be opened, or there is not enough memory
 *
 * If the max_wait_ms of `source` was too short, it returns without a sentence:
 *
 *     -EAGAIN    the first bytes are those of a dump of a known format; nothing is closed, and
 *                format_open_rest() continues
 */
int format_open(const char *path, const struct options *options, const struct source_params *source,
                struct text *message, struct format_dump *out);

/* Continues after -EAGAIN, as format_open() without max_wait_ms. Any one thread may call it. */
int format_open_rest(const struct options *options, const struct source_params *source,
                     struct text *message, struct format_dump *out);

/*
 * Opens a dump with edits of an open one, which must outlive it; a tree may have taken over
 * `original->dump`. Returns what format_open() or source_open_edited() returns, with a sentence in
 * `message` on failure.
 */
int format_open_edited(const struct format_dump *original, const struct format_origin *origin,
                       const struct options *options, const struct source_params *source,
                       struct text *message, struct format_dump *out);

/* Creates the tree, which takes the dump over. `threads` is that of tree_create(). */
int format_tree(struct format_dump *dump, unsigned threads, struct tree **out);

/* Frees what format_open() opened. A tree made from it must be destroyed before. */
void format_close(struct format_dump *dump);

#endif
