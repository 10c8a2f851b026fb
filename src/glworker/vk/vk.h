/* SPDX-License-Identifier: MIT */
/*
 * Making the calls of Vulkan that a GAPIR replay makes (worker.md 7): its memory is mirrored here,
 * what arguments point to is copied out of that, structure by structure with their lengths checked,
 * handles of the replay become those of the driver, and libffi makes the call. One thread; the
 * driver has others.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_VK_H
#define GPUDUMPFS_GLWORKER_VK_VK_H

#include "formats/gapir/decode/vk_names.h"
#include "formats/gapir/replay/worker_protocol.h"
#include "glworker/core/serve.h"
#include "glworker/core/vulkan.h"

extern const struct serve_kind vk_kinds[];

enum {
    VK_ARGUMENTS_MAX = 16,
    VK_BLOCKS_MAX = 8,
    VK_WINDOWS_MAX = 4096,
    VK_SCRATCH_MAX = 64,
    VK_INSTANCES_MAX = 8, /* at one time, as these */
    VK_DEVICES_MAX = 8,
    VK_SWAPCHAINS_MAX = 8,
    VK_SWAPCHAIN_IMAGES_MAX = 8,
};

/* Memory of the replay. */
struct vk_block {
    uint64_t address, size;
    uint8_t *bytes;
};

/* Device memory that the replay has mapped: at which of its addresses, and where it is. */
struct vk_window {
    uint64_t address, size;
    uint64_t memory; /* the replay's handle */
    uint8_t *bytes;
};

/* An object, by the replay's handle. */
struct vk_object {
    uint64_t name, handle;
    uint32_t type;   /* struct gapir_vk_member's, of handles */
    uint64_t size;   /* of memory: bytes */
    VkDevice device; /* that it belongs to; NULL: none */
};

/* An instance, and the one device that it has. */
struct vk_instance {
    VkInstance instance;
    VkPhysicalDevice physical;
};

/* Images that are presented: ours, since there is no window system. */
struct vk_swapchain {
    uint64_t name; /* the replay's; 0: there is none */
    VkDevice device;
    VkImageCreateInfo info;
    VkImage images[VK_SWAPCHAIN_IMAGES_MAX];
    VkDeviceMemory memories[VK_SWAPCHAIN_IMAGES_MAX];
    uint64_t sizes[VK_SWAPCHAIN_IMAGES_MAX]; /* of the memories, bytes */
    uint32_t count;
};

/* What was presented last. */
struct vk_presented {
    VkDevice device;
    VkImage image; /* NULL: nothing */
    VkDeviceMemory memory;
    uint32_t width, height;
};

struct vk_session {
    struct vk_block blocks[VK_BLOCKS_MAX];
    uint32_t block_count;
    struct vk_window windows[VK_WINDOWS_MAX];
    uint32_t window_count;
    struct vk_object *objects; /* by rising name */
    uint32_t object_count, object_room;
    uint64_t bad[GAPIR_BAD_CALLS_MAX];
    uint32_t bad_count;
    struct vk_instance instances[VK_INSTANCES_MAX];
    uint32_t instance_count;
    VkDevice devices[VK_DEVICES_MAX];
    uint32_t device_count;
    struct vk_swapchain swapchains[VK_SWAPCHAINS_MAX];
    struct vk_presented presented;
    VkDevice device;                  /* that the call at hand is of; NULL: of none */
    uint64_t allocated;               /* device memory, bytes */
    uint8_t *scratch[VK_SCRATCH_MAX]; /* what a call's arguments are copied to */
    uint32_t scratch_count;
    uint64_t scratch_left, scratch_bytes;
    const char *name;   /* of the call at hand … */
    uint64_t number;    /* … and its number */
    uint64_t submitted; /* the number of the latest call that submitted work */
    struct message_writer notes;
    uint32_t note_count, note_total;
};

/* The replay's handles of a list, as they were when the arguments were copied. */
struct vk_list {
    const uint64_t *names; /* NULL: there is no such list */
    uint64_t count;
};

/* A call that the registry has. */
struct vk_call {
    const char *name;
    const struct gapir_vk_member *parameters;
    unsigned count;
    bool fails;                            /* its result may be an error … */
    VkResult result;                       /* … and was this */
    const uint64_t *given;                 /* as the replay has them */
    uint64_t values[VK_ARGUMENTS_MAX];     /* as the driver gets them: pointers are real */
    struct vk_list made[VK_ARGUMENTS_MAX]; /* what each argument makes */
    struct vk_list ended;                  /* what vkFree… ends */
};

/* Tells something about the call at hand. False, for callers that give up. */
bool vk_note(struct vk_session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The replay's memory. */

/* False: there is no room for it. */
bool vk_memory_add(struct vk_session *session, uint64_t address, uint64_t size);
void vk_memory_clear(struct vk_session *session);

/* So many bytes at an address; NULL: they are not all there. */
uint8_t *vk_memory_at(const struct vk_session *session, uint64_t address, uint64_t size);

/* A string there, *length bytes before its NUL, which the driver may change; NULL: none. */
const char *vk_memory_text(const struct vk_session *session, uint64_t address, uint64_t *length);

bool vk_memory_map(struct vk_session *session, const struct vk_window *window);
void vk_memory_unmap(struct vk_session *session, uint64_t memory);

/* Zeroed room until the call is over; NULL: too much. */
void *vk_scratch(struct vk_session *session, uint64_t size);
void vk_scratch_clear(struct vk_session *session);

/* Objects. */

struct vk_object *vk_object_find(const struct vk_session *session, uint64_t name);

/* NULL, with a note: there are too many, or the name is one of memory. */
struct vk_object *vk_object_put(struct vk_session *session, uint64_t name, uint64_t handle,
                                uint32_t type);
void vk_object_remove(struct vk_session *session, uint64_t name);

/*
 * The driver's handle of one of the replay's; 0 stays 0. False: there is none of that type, or it
 * belongs to another device than the call at hand.
 */
bool vk_object_handle(const struct vk_session *session, uint32_t type, uint64_t name,
                      uint64_t *handle);

/* The device that an object is, or belongs to; NULL: none. */
VkDevice vk_object_device(const struct vk_session *session, uint64_t name);

/* The type of handles that a command of the registry has for a parameter. */
uint32_t vk_handle_type(const char *command, unsigned parameter);

/* Arguments. */

/* Fills in call->values. False, with a note: the call cannot be made. */
bool vk_copy_arguments(struct vk_session *session, struct vk_call *call);

/* What the call has made has the replay's handles from now on. */
void vk_learn_objects(struct vk_session *session, const struct vk_call *call);

/* Calls. */

/* A function of the driver's; NULL, with a note: it does not have it. */
PFN_vkVoidFunction vk_function(struct vk_session *session, const char *name);

/* Makes a call by libffi. False, with a note: it failed. */
bool vk_make(struct vk_session *session, struct vk_call *call);

/* Carries out a call of the replay's. */
void vk_run(struct vk_session *session, const char *name, const uint64_t *arguments,
            unsigned count);

/* Whether VkResult tells success; else a note tells what it is. */
bool vk_succeeded(struct vk_session *session, const char *function, VkResult result);

/* What is done of a function otherwise than by the registry's tables. */
struct vk_rule {
    const char *name; /* `vkGet*`: all that begin so */
    unsigned count;   /* of arguments, at least */
    /* Does all of it, of arguments as the replay has them; NULL: nothing is done. */
    void (*raw)(struct vk_session *session, const uint64_t *arguments);
    /* Looks at copied arguments, and may change them. False, with a note: it is not called. */
    bool (*check)(struct vk_session *session, struct vk_call *call);
    void (*after)(struct vk_session *session, struct vk_call *call);
    const char *as; /* the name by which it is called */
};

/* NULL: it is called as it is. */
const struct vk_rule *vk_rule_find(const char *name);

/* Rules about instances and devices (device.c), memory (allocate.c). */
bool vk_check_instance(struct vk_session *session, struct vk_call *call);
void vk_after_instance(struct vk_session *session, struct vk_call *call);
bool vk_check_device(struct vk_session *session, struct vk_call *call);
void vk_after_device(struct vk_session *session, struct vk_call *call);
void vk_enumerate_devices(struct vk_session *session, const uint64_t *arguments);
bool vk_check_queue(struct vk_session *session, struct vk_call *call);
bool vk_check_queue_info(struct vk_session *session, struct vk_call *call);
bool vk_check_pool(struct vk_session *session, struct vk_call *call);

void vk_destroy_device(struct vk_session *session, const uint64_t *arguments);

/* Waits until devices do nothing; false, with a note: one is lost. The daemon ends what waits for
 * ever. */
bool vk_device_wait(struct vk_session *session, VkDevice device);
bool vk_devices_wait(struct vk_session *session);
void vk_devices_end(struct vk_session *session);

/* Memory of a device within what a session may have; its bytes count. False, with a note: none. */
bool vk_memory_allocate(struct vk_session *session, VkDevice device, uint64_t size,
                        VkDeviceMemory *memory);
void vk_memory_release(struct vk_session *session, VkDevice device, VkDeviceMemory memory,
                       uint64_t size);

bool vk_check_allocation(struct vk_session *session, struct vk_call *call);
void vk_after_allocation(struct vk_session *session, struct vk_call *call);
void vk_allocate_for_image(struct vk_session *session, const uint64_t *arguments);
bool vk_check_buffer_memory(struct vk_session *session, struct vk_call *call);
bool vk_check_image_memory(struct vk_session *session, struct vk_call *call);
bool vk_check_buffer_memories(struct vk_session *session, struct vk_call *call);
bool vk_check_image_memories(struct vk_session *session, struct vk_call *call);
void vk_map(struct vk_session *session, const uint64_t *arguments);
bool vk_check_unmap(struct vk_session *session, struct vk_call *call);
bool vk_check_free(struct vk_session *session, struct vk_call *call);

/* Swapchains (swapchain.c). */
void vk_create_swapchain(struct vk_session *session, const uint64_t *arguments);
void vk_create_swapchains(struct vk_session *session, const uint64_t *arguments);
void vk_destroy_swapchain(struct vk_session *session, const uint64_t *arguments);
void vk_give_images(struct vk_session *session, const uint64_t *arguments);
void vk_acquire_image(struct vk_session *session, const uint64_t *arguments);
void vk_acquire_image2(struct vk_session *session, const uint64_t *arguments);
void vk_present(struct vk_session *session, const uint64_t *arguments);

/* The images of swapchains are not the replay's to destroy, or to bind. */
bool vk_check_image_end(struct vk_session *session, struct vk_call *call);
bool vk_is_presentable(const struct vk_session *session, VkImage image);

/* Swapchains of a device end before it. */
void vk_swapchains_end(struct vk_session *session, VkDevice device);

/*
 * Rows of what was presented last, from the top, with so many bytes for a pixel. False: nothing was
 * of that size.
 */
bool vk_presented_rows(struct vk_session *session, uint32_t width, uint32_t height,
                       uint32_t pixel_bytes, struct message_writer *rows);

#endif
