/* SPDX-License-Identifier: MIT */
#ifndef GPUDUMPFS_FORMATS_GAPIR_REPLAY_DRIVER_H
#define GPUDUMPFS_FORMATS_GAPIR_REPLAY_DRIVER_H

#include "formats/gapir/decode/pixels.h"
#include "formats/gapir/decode/scan.h"
#include "formats/gapir/replay/vm.h"

/*
 * Which function of an API the null driver serves how: by its name, found once for
 * each function that the payload calls (gapir.md 3.6). Immutable and shared.
 */

enum gapir_action {
    GAPIR_ACTION_NOTHING,
    GAPIR_ACTION_CREATE,
    GAPIR_ACTION_CREATE_IMAGE,
    GAPIR_ACTION_CREATE_BUFFER,
    GAPIR_ACTION_CREATE_PIPELINES,
    GAPIR_ACTION_CREATE_SWAPCHAIN,
    GAPIR_ACTION_CREATE_SWAPCHAINS,
    GAPIR_ACTION_ALLOCATE_COMMAND_BUFFERS,
    GAPIR_ACTION_ALLOCATE_DESCRIPTOR_SETS,
    GAPIR_ACTION_ALLOCATE_MEMORY,
    GAPIR_ACTION_ALLOCATE_IMAGE_MEMORY,
    GAPIR_ACTION_BIND_BUFFER,
    GAPIR_ACTION_BIND_BUFFERS,
    GAPIR_ACTION_MAP_MEMORY,
    GAPIR_ACTION_UNMAP_MEMORY,
    GAPIR_ACTION_COPY_IMAGE,
    GAPIR_ACTION_ENUMERATE_DEVICES,
    GAPIR_ACTION_SWAPCHAIN_IMAGES,
    GAPIR_ACTION_BUFFER_REQUIREMENTS,
    GAPIR_ACTION_IMAGE_REQUIREMENTS,
    GAPIR_ACTION_GEN_NAMES,
    GAPIR_ACTION_NEW_NAME,
    GAPIR_ACTION_NEW_NUMBER,
    GAPIR_ACTION_NEW_HANDLE,
    GAPIR_ACTION_TRUE,
    GAPIR_ACTION_FRAMEBUFFER_COMPLETE,
    GAPIR_ACTION_ALREADY_SIGNALED,
    GAPIR_ACTION_EGL_SUCCESS,
    GAPIR_ACTION_STATUS,
    GAPIR_ACTION_GET_INTEGER,
    GAPIR_ACTION_MAP_RANGE,
    GAPIR_ACTION_UNMAP_BUFFER,
    GAPIR_ACTION_PIXEL_STORE,
    GAPIR_ACTION_READ_PIXELS,
    GAPIR_ACTION_PRESENT,
    GAPIR_ACTION_SWAP,
    GAPIR_ACTION_DELIMITER,
    GAPIR_ACTION_CREATE_RENDERER,
    GAPIR_ACTION_BIND_RENDERER,
    GAPIR_ACTION_UNBIND_RENDERER,
    GAPIR_ACTION_CHANGE_BACKBUFFER,
    GAPIR_ACTION_EXTERNAL_IMAGE,
    GAPIR_ACTIONS
};

/* What each function that the payload calls does. */
struct gapir_model {
    const struct gapir_scan *scan;
    uint8_t *actions[GAPIR_APIS]; /* by the function's number in its table */
};

int gapir_model_create(const struct gapir_scan *scan, struct gapir_model *out); /* 0, -ENOMEM */
void gapir_model_clear(struct gapir_model *model);

/* How frames.tsv calls the end of a frame that a CALL of a function makes; NULL: it makes none. */
const char *gapir_model_frame_end(const struct gapir_model *model, uint32_t word,
                                  const struct gapir_function *function);

/* How a function that the payload calls is served. */
enum gapir_action gapir_model_action(const struct gapir_model *model, unsigned api,
                                     const struct gapir_function *function);

/*
 * The null driver: what a payload's Vulkan and GLES calls meet instead of a GPU.
 * It pops arguments by the function tables, hands out handles, maps memory
 * windows, answers questions plausibly, and remembers what is read back, so that
 * a POST of a framebuffer is known for one (gapir.md 3.6). It draws nothing. A
 * driver belongs to one VM.
 */

struct gapir_driver;

/* The driver of a new VM. 0 or -ENOMEM. */
int gapir_driver_create(const struct gapir_model *model, struct gapir_driver **out);
void gapir_driver_destroy(struct gapir_driver **driver);

/*
 * What the null driver remembers: objects by their handles, and readbacks. For
 * the null driver and framebuffer_shape.c alone.
 */

enum {
    GAPIR_READBACKS = 16, /* the latest are remembered */
    GAPIR_RENDERERS_MAX = 256,
    GAPIR_BACKBUFFER = 8,        /* its sides before a replay says otherwise */
    GAPIR_OBJECTS_MAX = 1 << 20, /* images, buffers and memories that are remembered */
};

enum gapir_object_kind { GAPIR_IMAGE, GAPIR_BUFFER, GAPIR_DEVICE_MEMORY, GAPIR_SWAPCHAIN };

/* What a handle stands for, as far as readbacks need to know. */
struct gapir_object {
    uint64_t handle;
    enum gapir_object_kind kind;
    uint32_t format, width, height; /* image, swapchain */
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

/* What the program copied out of a window. */
struct gapir_copy {
    uint64_t target, size;
    struct gapir_location source;
};

/* What vkQueuePresentKHR() presented last. */
struct gapir_presented {
    const struct gapir_format *format; /* NULL: nothing that is known */
    uint32_t width, height;
};

/* Windows of GL buffers are known by the buffer's target, those of Vulkan by the memory. */
#define GAPIR_GL_TAG (UINT64_C(1) << 63)

#define GAPIR_UNBOUND UINT32_MAX

/* A context of GLES, with what it draws on, as the replay's own functions ask for (gapir.md 3.8).
 */
struct gapir_renderer {
    uint32_t id;
    uint32_t width, height; /* of its backbuffer */
    uint32_t thread;        /* where it is bound; GAPIR_UNBOUND */
    uint64_t surfaces;      /* how many backbuffers it has had */
};

struct gapir_driver {
    const struct gapir_model *model;
    struct gapir_renderer renderers[GAPIR_RENDERERS_MAX];
    uint32_t renderer_count;
    uint32_t bound;       /* the id of what was bound last */
    uint32_t next_number; /* of a uniform, or a block */
    uint64_t next_handle;
    uint32_t next_name; /* of a GL object */
    uint32_t pack_alignment, pack_row_length;
    struct gapir_object *objects; /* by rising handle */
    uint32_t object_count, object_room;
    struct gapir_readback readbacks[GAPIR_READBACKS]; /* the newest at readback_count - 1, modulo */
    uint64_t readback_count;
    struct gapir_presented presented;
    struct gapir_copy copies[GAPIR_READBACKS]; /* as readbacks */
    uint64_t copy_count;
};

/* A renderer that the replay has created; NULL: none of that id. */
struct gapir_renderer *gapir_driver_renderer(struct gapir_driver *driver, uint32_t id);

/* The latest readback; NULL: there was none. */
const struct gapir_readback *gapir_driver_readback(const struct gapir_driver *driver);

/* Bytes that it is of; 0: its format is not known. */
uint64_t gapir_readback_bytes(const struct gapir_readback *readback);

/* COPY so many bytes from one address to another: those out of windows are remembered. */
void gapir_driver_note_copy(struct gapir_driver *driver, const struct gapir_vm *vm, uint64_t target,
                            uint64_t source, uint32_t size);

/* Where the bytes of a post lie, or lay before they were copied from a window to there. */
struct gapir_location gapir_driver_origin(const struct gapir_driver *driver,
                                          const struct gapir_post *post);

/* The object of a handle; NULL: there is none of that kind. */
struct gapir_object *gapir_driver_object(const struct gapir_driver *driver, uint64_t handle,
                                         enum gapir_object_kind kind);

/*
 * Remembers the handle that is given out next; NULL when there are GAPIR_OBJECTS_MAX, and for want
 * of memory, with which the run of the VM ends.
 */
struct gapir_object *gapir_driver_add_object(struct gapir_driver *driver, struct gapir_vm *vm,
                                             enum gapir_object_kind kind);

/* Writes a number of so many bytes for the program; the second one unless the address is 0. */
enum gapir_fault gapir_poke(struct gapir_vm *vm, uint64_t address, unsigned size, uint64_t value);
enum gapir_fault gapir_poke_optional(struct gapir_vm *vm, uint64_t address, unsigned size,
                                     uint64_t value);

/* Ends a mapping of what is no memory object that is remembered: windows are searched. */
enum gapir_fault gapir_unmap_tagged(struct gapir_vm *vm, uint64_t tag);

/* Remembers what is read back from a framebuffer, in place of the oldest. */
void gapir_driver_add_readback(struct gapir_driver *driver, const struct gapir_readback *readback);

/* Memory of the program, as the calls' structures lie in it; false: not readable. */
bool gapir_peek32(const struct gapir_vm *vm, uint64_t address, uint32_t *value);
bool gapir_peek64(const struct gapir_vm *vm, uint64_t address, uint64_t *value);

/*
 * Which posts are framebuffers: those that a readback before them fits (gapir.md 3.6).
 */

struct gapir_driver;

/* The shape of a framebuffer that was posted. */
struct gapir_framebuffer_shape {
    const struct gapir_format *format; /* NULL: no framebuffer */
    uint32_t width, height;
    uint32_t stride; /* bytes from row to row */
    uint32_t offset; /* of the first row within the post */
    bool bottom_up;
};

/* What a post shows, by the readbacks so far; format NULL when it is no framebuffer. */
void gapir_framebuffer_shape_find(const struct gapir_driver *driver, const struct gapir_vm *vm,
                                  const struct gapir_post *post,
                                  struct gapir_framebuffer_shape *out);

#endif
