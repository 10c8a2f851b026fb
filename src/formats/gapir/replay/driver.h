/* SPDX-License-Identifier: MIT */
#ifndef GPUDUMPFS_FORMATS_GAPIR_REPLAY_DRIVER_H
#define GPUDUMPFS_FORMATS_GAPIR_REPLAY_DRIVER_H

#include "formats/gapir/decode/pixels.h"
#include "formats/gapir/decode/scan.h"
#include "formats/gapir/replay/vm.h"

/*
 * The null driver (gapir.md 3.6): the model, which says how each function is served; the driver
 * itself, which a VM calls; and the shapes of the framebuffers that are posted.
 *
 * The model: how the null driver serves each function that the payload calls. It is chosen by the
 * function's name, once. A model is immutable and shared by all VMs.
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

/* How each function that the payload calls is served. */
struct gapir_model {
    const struct gapir_scan *scan;
    uint8_t *actions[GAPIR_APIS]; /* enum gapir_action, by the function's number in its table */
};

/* returns 0 or -ENOMEM */
int gapir_model_create(const struct gapir_scan *scan, struct gapir_model *out);
void gapir_model_clear(struct gapir_model *model);

/*
 * Returns what frames.tsv calls the end of a frame ("present", "swap", "delimiter") if a CALL of
 * the function ends one, otherwise NULL.
 */
const char *gapir_model_frame_end(const struct gapir_model *model, uint32_t word,
                                  const struct gapir_function *function);

/*
 * Returns how a function is served. The payload must call the function, otherwise the result is
 * GAPIR_ACTION_NOTHING.
 */
enum gapir_action gapir_model_action(const struct gapir_model *model, unsigned api,
                                     const struct gapir_function *function);

/*
 * The null driver stands in for a GPU: it serves a payload's Vulkan and GLES calls (gapir.md 3.6).
 * It pops arguments by the function tables, hands out handles, maps memory windows and answers
 * queries plausibly. It remembers what is read back, so that a POST of a framebuffer can be
 * recognised. It draws nothing. A driver belongs to one VM.
 */

struct gapir_driver;

/* Creates the driver of a new VM. `model` must outlive it. Returns 0 or -ENOMEM. */
int gapir_driver_create(const struct gapir_model *model, struct gapir_driver **out);
void gapir_driver_destroy(struct gapir_driver **driver);

/* Pixels that a GPU would have written to memory. */
struct gapir_readback {
    const struct gapir_format *format; /* NULL if unknown; the post may reveal it */
    uint32_t width, height, stride;
    bool opengl;
    uint64_t address; /* GL: target address */
    uint64_t buffer;  /* Vulkan: handle of the target buffer */
    uint64_t offset;  /* Vulkan: of the first byte in the buffer */
};

/* The swapchain image that was presented. */
struct gapir_presented {
    const struct gapir_format *format; /* NULL if nothing known was presented */
    uint32_t width, height;
};

/*
 * The tag of a window of a GL buffer is the buffer's target with this bit; the tag of a Vulkan
 * window is the memory object.
 */
#define GAPIR_GL_TAG (UINT64_C(1) << 63)

enum { GAPIR_RENDERERS_MAX = 256 };

#define GAPIR_UNBOUND UINT32_MAX

/*
 * A context of GLES and its backbuffer, as the replay's own functions create them (gapir.md 3.8).
 */
struct gapir_renderer {
    uint32_t id, number;    /* `number`: how many renderers with other ids were created before it */
    uint32_t width, height; /* of its backbuffer */
    uint32_t thread;        /* thread in which it is bound, or GAPIR_UNBOUND */
    uint64_t surfaces;      /* how many backbuffers it has had so far */
};

/* Returns the renderer with an id, or NULL if the replay has not created one. */
const struct gapir_renderer *gapir_driver_renderer(const struct gapir_driver *driver, uint32_t id);

/* Returns the renderer that was bound last, in any thread, or NULL if none was bound. */
const struct gapir_renderer *gapir_driver_bound(const struct gapir_driver *driver);

/* Returns what the last vkQueuePresentKHR() presented. Never NULL. */
const struct gapir_presented *gapir_driver_presented(const struct gapir_driver *driver);

/* Returns the latest readback, or NULL if there was none. */
const struct gapir_readback *gapir_driver_readback(const struct gapir_driver *driver);

/* Returns the number of bytes that a readback writes, or 0 if its format is unknown. */
uint64_t gapir_readback_bytes(const struct gapir_readback *readback);

/*
 * Notes a COPY of `size` bytes between two addresses. Only copies from a window to other memory are
 * remembered.
 */
void gapir_driver_note_copy(struct gapir_driver *driver, const struct gapir_vm *vm, uint64_t target,
                            uint64_t source, uint32_t size);

/*
 * Returns where the bytes of a post come from: the location in a window from which they were
 * copied, if such a copy is remembered, otherwise the location of the post.
 */
struct gapir_location gapir_driver_origin(const struct gapir_driver *driver,
                                          const struct gapir_post *post);

/*
 * Framebuffer shapes: a post is a framebuffer if an earlier readback fits it (gapir.md 3.6).
 */

/* The layout of a framebuffer that was posted. */
struct gapir_framebuffer_shape {
    const struct gapir_format *format; /* NULL if the post is not a framebuffer */
    uint32_t width, height;
    uint32_t stride; /* bytes from one row to the next */
    uint32_t offset; /* of the first row within the post */
    bool bottom_up;
};

/*
 * Determines from the readbacks so far what a post shows. Sets out->format to NULL if the post is
 * not a framebuffer.
 */
void gapir_framebuffer_shape_find(const struct gapir_driver *driver, const struct gapir_vm *vm,
                                  const struct gapir_post *post,
                                  struct gapir_framebuffer_shape *out);

#endif
