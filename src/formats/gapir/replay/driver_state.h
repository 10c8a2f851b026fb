/*
 * What the null driver remembers: objects by their handles, and readbacks. For
 * driver.c and framebuffer_shape.c alone.
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_DRIVER_STATE_H
#define GPUDUMPFS_GAPIR_REPLAY_DRIVER_STATE_H

#include "formats/gapir/decode/pixels.h"
#include "formats/gapir/replay/model.h"
#include "formats/gapir/replay/vm.h"

enum {
    GAPIR_READBACKS = 16,        /* the latest are remembered */
    GAPIR_OBJECTS_MAX = 1 << 20, /* images, buffers and memories that are remembered */
};

enum gapir_object_kind { GAPIR_IMAGE, GAPIR_BUFFER, GAPIR_DEVICE_MEMORY };

/* What a handle stands for, as far as readbacks need to know. */
struct gapir_object {
    uint64_t handle;
    enum gapir_object_kind kind;
    uint32_t format, width, height; /* image */
    uint64_t size;                  /* buffer, memory */
    uint64_t memory, offset;        /* buffer: what it is bound to; 0: nothing */
    uint32_t window;                /* memory: where it is mapped */
    uint64_t mapped_from;           /* memory: the offset where the window begins */
    bool mapped;
};

/* Pixels that a GPU would have written to memory. */
struct gapir_readback {
    const struct gapir_format *format; /* NULL: unknown; the post may tell it */
    uint32_t width, height, stride;
    bool opengl;
    uint64_t address; /* GL: where to */
    uint64_t buffer;  /* Vulkan: where to … */
    uint64_t offset;  /* … and from which byte on */
};

struct gapir_driver {
    const struct gapir_model *model;
    uint64_t next_handle;
    uint32_t next_name; /* of a GL object */
    uint32_t pack_alignment, pack_row_length;
    struct gapir_object *objects; /* by rising handle */
    uint32_t object_count, object_room;
    struct gapir_readback readbacks[GAPIR_READBACKS]; /* the newest at readback_count - 1, modulo */
    uint64_t readback_count;
};

/* The object of a handle; NULL: there is none of that kind. */
struct gapir_object *gapir_driver_object(const struct gapir_driver *driver, uint64_t handle,
                                         enum gapir_object_kind kind);

/* Remembers the handle that is given out next; NULL when it cannot. */
struct gapir_object *gapir_driver_add_object(struct gapir_driver *driver,
                                             enum gapir_object_kind kind);

/* Memory of the program, as the calls' structures lie in it; false: not readable. */
bool gapir_peek32(const struct gapir_vm *vm, uint64_t address, uint32_t *value);
bool gapir_peek64(const struct gapir_vm *vm, uint64_t address, uint64_t *value);

#endif
