/* SPDX-License-Identifier: MIT */
/*
 * What a format is: a row in one list (formats.m4), and operations. cli/ sees formats only through
 * this header; a format includes the rooms below it and tree/, never another format.
 */
#ifndef GPUDUMPFS_FORMATS_FORMAT_H
#define GPUDUMPFS_FORMATS_FORMAT_H

#include "config.h"

#include "source/edited.h"
#include "tree/tree.h"

#include <stddef.h>

/*
 * The dump of which edits have made another one. That has the same options and is closed before it,
 * so it may use what is known of this one.
 */
struct format_origin {
    struct dump *dump;
    const struct source_edit *edits; /* as source/edited.h has them */
    size_t count;
};

/* What a dump is opened from, and with. Everything is borrowed, and never NULL. */
struct format_opening {
    const struct source *source;   /* a file or a folder; outlives the dump */
    const struct options *options; /* outlives the dump */
    /* For source_open_sibling(); its cancel and progress are those of the opening itself. */
    const struct source_params *source_params;
    struct problems *problems;          /* outlives the dump; of a probe, thrown away after it */
    const struct format_origin *origin; /* NULL: it is not made by edits */
    struct text *message;               /* a sentence for the user, when opening fails */
};

/* Where bytes are written to, piece by piece. */
struct format_sink {
    int (*write)(void *context, const void *bytes, size_t length); /* 0 or -errno */
    void *context;
};

/* Lines of a text, without their newlines: 1, 0 at the end, or -errno. One is valid until the next.
 */
struct format_lines {
    int (*next)(void *context, const char **line, size_t *length);
    void *context;
};

enum { FORMAT_MESSAGE_MAX = 200 };

/* Where a packet's words end. */
#define FORMAT_PACKET_END UINT64_MAX

/* What is wrong with the line that was read last. */
struct format_text_error {
    size_t column; /* from 1 on, in bytes */
    char message[FORMAT_MESSAGE_MAX];
};

/* An edited file, by the rule and the key of its name in the dump's tree. */
struct format_edited {
    unsigned rule;
    uint64_t key;
    const uint8_t *bytes;
    size_t size;
    const struct format_lines *lines; /* the same bytes */
    const struct cancel *cancel;
};

/* Bytes of a dump, and what stands in their place. */
struct format_edit {
    uint64_t offset, size;
    struct text bytes;
    /*
     * Nothing is replaced, and the place is within a packet, which is parted there: where its
     * header begins. 0: no packet is.
     */
    uint64_t parted;
};

/* Edits that are in force, as source/edited.h has them. */
struct format_placed {
    struct source_edit *edits;
    size_t count;
    struct text *texts; /* what of `edits` is made of several */
    size_t text_count;
};

/* A picture of a dump that is being reduced: rows of width * 3 bytes, from the top. */
struct format_picture {
    uint32_t width, height;
    const uint8_t *rgb;
};

/* How a dump is made smaller while it keeps a property, which is told by one of two functions. */
struct format_reduction {
    uint64_t last_frame; /* what comes behind it is left out at once; DUMP_NO_FRAME: nothing is */
    /* Another dump of the format, which is reduced in step; NULL: none. */
    struct dump *other;
    /*
     * Whether it has the property: 1, 0 or -errno. Told of the dump itself, or by the last picture
     * of it and of the other one (NULL: there is none).
     */
    int (*test)(void *context, const void *dump, size_t size);
    int (*judge)(void *context, const struct format_picture *picture,
                 const struct format_picture *other);
    /* The smallest so far that has it, and then what is left of the other one. 0 or -errno. */
    int (*keep)(void *context, const void *dump, size_t size);
    int (*keep_other)(void *context, const void *dump, size_t size); /* NULL: is not asked for */
    /* How many of `count` units of a kind ("commands") are left, after so many tries in all. */
    void (*progress)(void *context, const char *units, size_t left, size_t count, uint64_t tries);
    void *context;
    const struct cancel *cancel;
};

/* NAME_format in its format's folder. */
struct format_ops {
    /* Whether it reads containers that source.h leaves packed; if not, it is not asked. */
    bool takes_packed;

    /* Whether it reads a source that still grows; if not, a stream is read to its end before. */
    bool grows;

    /*
     * Whether it gives no system call bytes of the dump as they are mapped, so that those that
     * edits move may be copied when they are touched first (source/edited.h).
     */
    bool edits_later;

    /* How surely the source is of this format: 0 no, 100 by a magic; or -ENOMEM. Reads little. */
    int (*probe)(const struct format_opening *opening);

    /*
     * Indexes what listing needs. Never fails on a damaged dump with a usable
     * beginning: it adds problems. -EPROTO: a bad header or an unknown version,
     * with a sentence in `message`; -ENOMEM, -EINTR.
     */
    int (*open)(const struct format_opening *opening, struct dump **out);

    /* Names of files that are a dump's beside it, or in it; NULL-terminated; NULL: it is one file.
     */
    const char *const *siblings;

    /* The same of a folder that is a dump as a whole; `*.end` stands for all that end so. */
    const char *const *members;

    const struct option_table *options; /* its own; NULL: none */

    const struct rule *rules; /* what its tree adds to the common part */
    size_t rule_count;

    /*
     * A dump as a text that can be edited, and a text as a dump; NULL: it has none. `text_word` is
     * the first word of such a text. 0, what the sink or the lines say, -EINTR, -ENOMEM; of a
     * text that is wrong -EINVAL, with `error` set.
     */
    const char *text_word;
    int (*disassemble)(struct dump *dump, const struct cancel *cancel,
                       const struct format_sink *sink);
    int (*assemble)(const struct format_lines *lines, const struct format_sink *sink,
                    struct format_text_error *error);

    /*
     * What of the dump an edited file of its tree replaces; NULL: nothing of it may be edited. 0,
     * -ENOTSUP: not that file; -EINVAL, with `error` set, its column 0 where no line is to blame;
     * what the lines say; -ENOMEM. `out` is empty before.
     */
    int (*edit)(struct dump *dump, const struct format_edited *edited, struct format_edit *out,
                struct format_text_error *error);

    /*
     * For edits that part packets: the header of a packet that has the words from `from` to `to`
     * alone of that whose header is at `packet`. From `packet` on: all up to there; to
     * FORMAT_PACKET_END: all from there on. As long as that header. Status as a text has it.
     */
    int (*part)(struct dump *dump, uint64_t packet, uint64_t from, uint64_t to, struct text *out);

    /*
     * Leaves out of a dump what it does not need to keep a property; NULL: it cannot. 0, what the
     * functions say, -EINTR, -ENOMEM; -ENODATA: the dump has not got it; -EXDEV: the other dump is
     * of another format.
     */
    int (*reduce)(struct dump *dump, const struct format_reduction *reduction);
};

/*
 * As `edit`, of packets' .bin alone, for formats whose packets stand in the dump as they are: the
 * payload by as many bytes; or, where packets are lines, by any.
 */
int format_edit_packet(struct dump *dump, const struct format_edited *edited,
                       struct format_edit *out, struct format_text_error *error);
int format_edit_line(struct dump *dump, const struct format_edited *edited, struct format_edit *out,
                     struct format_text_error *error);

/*
 * Places edits, which stand in order, and none of which reaches into another: packets that are
 * parted, by one or more of them, get their headers. Bytes of the edits are borrowed. To be cleared
 * in any case. 0, -ENOMEM, or what `part` says.
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

/* A build may lack some formats: those it has are FORMATS(), which configure makes of the list. */
#define FORMAT_DECLARE(name, title) extern const struct format_ops name##_format;
FORMATS(FORMAT_DECLARE)

/* All formats of this build; the last row's name is NULL. */
extern const struct format formats_table[];

/* Adds the tables of all formats. 0 or -ENOMEM, and then none is added. */
int format_options_add(struct options *options);

/* options_init() and that. */
int format_options_init(struct options *options);

/*
 * The format with the highest score, the first in the table among equals. 0,
 * -ENOEXEC when none knows it, -ENOMEM. `problems` and `message` are left alone.
 */
int format_probe(const struct format_opening *opening, const struct format **out);

/*
 * The format as whose dump a file, which is open, begins; nothing of it is expanded on disk. NULL:
 * none, or it cannot be read.
 */
const struct format *format_of_file(const struct source_file *file, const char *path,
                                    const struct options *options);

/* Whether these names of siblings or members have that one; NULL has none. */
bool format_names_have(const char *const *names, const char *name);

/* Whether a file of that name may be a part of a dump that is a folder, of any format. */
bool format_may_be_part(const char *name);

/* The format of a text that begins with this word; NULL: none. */
const struct format *format_of_text(const char *word, size_t length);

/* A dump with all that it borrows. `dump` is NULL once a tree has taken it over. */
struct format_dump {
    const struct format *format;
    struct source *source;
    struct problems *problems;
    struct dump *dump;
};

/*
 * Opens a dump file: source, format, index; with `strict` also all that settling
 * finds. Makes no threads, so it may come before the fork. Failures, each with a
 * sentence for the user in `message`:
 *
 *     -ENOEXEC   no format knows the file
 *     -EPROTO    a bad header, or a version that is not known
 *     -EBADMSG   `strict`, and the dump has an error
 *     -EOPNOTSUPP  a file is to be followed, and its format cannot grow
 *     -EINTR     cancelled
 *     others     the file could not be opened, or memory is short
 *
 * And without a sentence, where source_params have a limit in time that was too short:
 *
 *     -EAGAIN    a dump of a known format, as far as its first bytes tell; nothing is closed, and
 *                format_open_rest() opens it
 */
int format_open(const char *path, const struct options *options, const struct source_params *source,
                struct text *message, struct format_dump *out);

/* After -EAGAIN, as format_open() without that limit; any one thread. */
int format_open_rest(const struct options *options, const struct source_params *source,
                     struct text *message, struct format_dump *out);

/*
 * Opens a dump with edits of one that is open and outlives it; a tree may have taken that one's
 * `dump` over. With the sentences of format_open(), and its statuses or those of
 * source_open_edited().
 */
int format_open_edited(const struct format_dump *original, const struct format_origin *origin,
                       const struct options *options, const struct source_params *source,
                       struct text *message, struct format_dump *out);

/* Makes the tree, which takes the dump over; threads as in tree_create(). */
int format_tree(struct format_dump *dump, unsigned threads, struct tree **out);

/* Frees what format_open() gave; a tree is destroyed before. */
void format_close(struct format_dump *dump);

#endif
