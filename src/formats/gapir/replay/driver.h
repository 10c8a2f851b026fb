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

/* Pixels that a GPU would have written to memory. */
struct gapir_readback {
    const struct gapir_format *format; /* NULL: unknown; the post may tell it */
    uint32_t width, height, stride;
    bool opengl;
    uint64_t address; /* GL: where to */
    uint64_t buffer;  /* Vulkan: where to … */
    uint64_t offset;  /* … and from which byte on */
};

/* An image of a swapchain that was presented. */
struct gapir_presented {
    const struct gapir_format *format; /* NULL: nothing that is known */
    uint32_t width, height;
};

/* Windows of GL buffers are known by the buffer's target, those of Vulkan by the memory. */
#define GAPIR_GL_TAG (UINT64_C(1) << 63)

enum { GAPIR_RENDERERS_MAX = 256 };

#define GAPIR_UNBOUND UINT32_MAX

/* A context of GLES, with what it draws on, as the replay's own functions ask for (gapir.md 3.8).
 */
struct gapir_renderer {
    uint32_t id, number;    /* `number`: how many others were created before it */
    uint32_t width, height; /* of its backbuffer */
    uint32_t thread;        /* where it is bound; GAPIR_UNBOUND */
    uint64_t surfaces;      /* how many backbuffers it has had */
};

/* A renderer that the replay has created; NULL: none of that id. */
const struct gapir_renderer *gapir_driver_renderer(const struct gapir_driver *driver, uint32_t id);

/* The one that was bound last; NULL: there is none. */
const struct gapir_renderer *gapir_driver_bound(const struct gapir_driver *driver);

/* What vkQueuePresentKHR() presented last. */
const struct gapir_presented *gapir_driver_presented(const struct gapir_driver *driver);

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

/*
 * Which posts are framebuffers: those that a readback before them fits (gapir.md 3.6).
 */

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
