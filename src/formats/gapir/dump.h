/*
 * An opened GAPIR payload, as its own files see it. What a view gives the
 * tree is declared in that view's header.
 */
#ifndef GPUDUMPFS_GAPIR_DUMP_H
#define GPUDUMPFS_GAPIR_DUMP_H

#include "cache/index_task.h"
#include "formats/gapir/index.h"
#include "formats/gapir/replay/vm_pool.h"
#include "tree/dump.h"

struct gapir_dump {
    struct dump base;
    struct source *payload;                /* NULL: base.source is the payload */
    struct source *index_file, *data_file; /* NULL: not found */
    struct gapir_replay *replay;
    struct gapir_vm_pool *pool;

    struct index_task pass; /* makes the index, in one step */
    struct gapir_index index;
};

static inline struct gapir_dump *gapir_dump_of(struct dump *dump)
{
    return (struct gapir_dump *)dump;
}

static inline const struct gapir_dump *gapir_dump_of_const(const struct dump *dump)
{
    return (const struct gapir_dump *)dump;
}

/*
 * The index: waits for the run that makes it, or makes it. 0, -EINTR when the
 * reader or the mount goes away, -ENOMEM.
 */
int gapir_dump_index(struct gapir_dump *dump, const struct cancel *cancel,
                     const struct gapir_index **out);

/* The index if it is there already, else NULL. */
const struct gapir_index *gapir_dump_peek(struct gapir_dump *dump);

/* The index, and a frame of it; -ENOENT when there is none of that number. */
int gapir_dump_frame(struct gapir_dump *dump, uint64_t number, const struct cancel *cancel,
                     const struct gapir_index **index, const struct gapir_frame_record **frame);

/* A VM instance after `steps` instructions; -EIO when the payload is refused. To be parked. */
int gapir_dump_take_vm(struct gapir_dump *dump, uint64_t steps, const struct cancel *cancel,
                       struct gapir_vm_instance **out);

/* Digits of the last of `count` numbers, at least `min_digits`. */
unsigned gapir_digits(uint64_t count, unsigned min_digits);

#endif
