/* SPDX-License-Identifier: MIT */
/*
 * What GAPIR payloads draw with Vulkan, in the graphics worker: bit-exact pictures, and what is
 * refused
 */
#include "config.h"

#include "base/bytes.h"
#include "formats/gapir/replay/worker_protocol.h"
#include "glworker/core/confine.h"
#include "tests/formats/apitrace/pictures.h"
#include "tests/formats/gapir/shown.h"
#include "tests/formats/gapir/vk_draws.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"
#include "worker/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PIXELS = VK_SCENE_WIDTH * VK_SCENE_HEIGHT };

/* Layouts of images */
enum { LAYOUT_TARGET = 7, LAYOUT_PRESENT = 1000001002 };

static unsigned suspect_nothing(const struct breadcrumb *breadcrumb,
                                uint64_t names[BREADCRUMB_SUBJECTS])
{
    (void)breadcrumb, (void)names;
    return 0;
}

/* Skips the test unless there is a Vulkan driver, which is looked for once. */
static void need_vulkan(void)
{
    static const struct session_kind kind = {.suspects = suspect_nothing};
    const struct worker_params params = {.vulkan = true};
    struct message_writer head = {.bytes = NULL};
    struct worker *worker = NULL;
    static int status = 1;
    struct session session;

    if (status == 1) {
        assert_int_equal(worker_create(&params, &worker), 0);
        session_init(&session, &kind, worker, NULL, NULL);
        assert_int_equal(worker_acquire(worker, NULL), 0);
        message_write_u32(&head, 0);
        status = session_reset(&session, GAPIR_MESSAGE_RESET, &head, NULL);
        worker_release(worker);
        worker_destroy(&worker);
    }
    if (status == -ENODEV)
        support_skip_driver();
    assert_int_equal(status, 0);
}

/*
 * The process has applied the last layer of its confinement before it gets a call, like any other
 * worker.
 */
static void the_process_is_confined(void **state)
{
    const unsigned wanted = CONFINE_PRIVILEGES | CONFINE_LOADING | CONFINE_SYSTEM_CALLS;
    const struct worker_params params = {.vulkan = true};
    const struct worker_request request = {.kind = MESSAGE_HELLO, .max_reply = 4};
    struct worker_reply reply = {.payload = NULL};
    struct worker *worker = NULL;

    (void)state;
    need_vulkan();
    assert_int_equal(worker_create(&params, &worker), 0);
    assert_int_equal(worker_acquire(worker, NULL), 0);
    assert_int_equal(worker_call(worker, &request, NULL, &reply), 0);
    worker_release(worker);
    assert_int_equal(bytes_le32(reply.payload->data) & wanted, wanted);
    blob_unref(&reply.payload);
    worker_destroy(&worker);
}

/* A payload that was written and opened */
struct drawn {
    char *folder;
    struct shown shown;
};

static void open_scene(struct vk_scene *scene, const char *option, struct drawn *out)
{
    out->folder = vk_scene_write(scene);
    shown_open(out->folder, option, &out->shown);
}

static void close_scene(struct drawn *drawn)
{
    shown_close(&drawn->shown);
    support_remove(&drawn->folder);
}

/* Returns a picture as RGBA8, rows from the top. */
static uint8_t *pixels_of(const struct drawn *drawn, const char *path)
{
    unsigned width, height;
    size_t size;
    char *png = walk_read(drawn->shown.tree, path, &size);
    uint8_t *pixels = apitrace_decode(png, size, &width, &height);

    assert_int_equal(width, VK_SCENE_WIDTH);
    assert_int_equal(height, VK_SCENE_HEIGHT);
    free(png);
    return pixels;
}

static void expect_colour(const uint8_t *pixels, unsigned x, unsigned y, const uint8_t colour[4])
{
    assert_memory_equal(pixels + ((size_t)y * VK_SCENE_WIDTH + x) * 4, colour, 4);
}

static void clear_image(struct vk_scene *scene)
{
    vk_scene_begin(scene);
    vk_scene_record(scene);
    vk_scene_clear(scene, 0.2F, 0.4F, 0.6F, 1.0F);
    vk_scene_post(scene, LAYOUT_TARGET);
}

static void draw_triangle(struct vk_scene *scene)
{
    vk_scene_begin(scene);
    vk_draw_triangle(scene);
    vk_scene_post(scene, VK_TRIANGLE_LAYOUT);
}

static void run_compute(struct vk_scene *scene)
{
    vk_scene_begin(scene);
    vk_draw_compute(scene);
    vk_scene_post(scene, VK_COMPUTE_LAYOUT);
}

static void clears_are_drawn(void **state)
{
    static const uint8_t colour[] = {51, 102, 153, 255};
    struct vk_scene scene;
    struct drawn drawn;

    (void)state;
    need_vulkan();
    clear_image(&scene);
    open_scene(&scene, NULL, &drawn);
    uint8_t *pixels = pixels_of(&drawn, "by-frame/000000/image.png");
    shown_expect(&drawn.shown, "by-frame/000000/drawing.txt", "\nnotes: 0\n");
    shown_expect(&drawn.shown, "frames.tsv", "\tmesa\tpost\n");
    for (unsigned n = 0; n < PIXELS; n++)
        expect_colour(pixels, n % VK_SCENE_WIDTH, n / VK_SCENE_WIDTH, colour);
    free(pixels);
    close_scene(&drawn);
}

/* No pixel centre is on the edge of the triangle: 6x + 8y is never odd. */
static void triangles_are_drawn(void **state)
{
    static const uint8_t orange[] = {255, 128, 0, 255}, black[] = {0, 0, 0, 255};
    struct vk_scene scene;
    struct drawn drawn;

    (void)state;
    need_vulkan();
    draw_triangle(&scene);
    open_scene(&scene, NULL, &drawn);
    uint8_t *pixels = pixels_of(&drawn, "by-frame/000000/image.png");
    shown_expect(&drawn.shown, "by-frame/000000/drawing.txt", "\nnotes: 0\n");
    for (unsigned y = 0; y < VK_SCENE_HEIGHT; y++)
        for (unsigned x = 0; x < VK_SCENE_WIDTH; x++)
            expect_colour(pixels, x, y, 6 * x + 8 * y < 377 ? orange : black);
    free(pixels);
    close_scene(&drawn);
}

/* What a compute shader wrote, and a frame before it to which a reader goes back */
static void compute_shaders_write(void **state)
{
    static const uint8_t colour[] = {51, 102, 153, 255};
    struct vk_scene scene;
    struct drawn drawn;

    (void)state;
    need_vulkan();
    clear_image(&scene);
    vk_draw_compute(&scene);
    vk_scene_post(&scene, VK_COMPUTE_LAYOUT);
    open_scene(&scene, NULL, &drawn);
    uint8_t *pixels = pixels_of(&drawn, "by-frame/000001/image.png");
    for (unsigned n = 0; n < PIXELS; n++) {
        uint32_t wanted = 0xff000000 | n * VK_COMPUTE_STEP;
        assert_memory_equal(pixels + (size_t)4 * n, &wanted, 4);
    }
    free(pixels);
    pixels = pixels_of(&drawn, "by-frame/000000/image.png");
    expect_colour(pixels, 0, 0, colour);
    free(pixels);
    shown_expect(&drawn.shown, "by-frame/000001/drawing.txt", "\nnotes: 0\n");
    close_scene(&drawn);
}

/* Calls with nonsensical arguments are refused, each with a reason; the picture is still drawn. */
static void nonsense_is_refused(void **state)
{
    static const uint8_t colour[] = {51, 102, 153, 255};
    static const char *const told[] = {
        "vkCreateBuffer: pCreateInfo points to memory that the replay does not have",
        "vkBindImageMemory: 12288 bytes at offset 4096 do not fit into memory of 12288 bytes",
        "vkDestroyImage: image is not a known object",
        "vkAllocateMemory: it allocates 1099511627776 bytes of device memory, and all memory may "
        "have "
        "1073741824 bytes",
        "vkCreateShaderModule: pCode points to memory that the replay does not have",
        "vkQueuePresentKHR: there is no such swapchain",
        "vkCmdCopyBuffer: pRegions points to memory that the replay does not have",
        NULL};
    uint32_t info;
    struct vk_scene scene;
    struct drawn drawn;

    (void)state;
    need_vulkan();
    vk_scene_begin(&scene);
    info = vk_scene_put(&scene, "VkMemoryAllocateInfo", "allocationSize=1099511627776");
    vk_scene_call(&scene, "vkCreateBuffer", "$%d &65500 0 &%d", VK_SLOT_DEVICE, VK_SLOT_FREE);
    vk_scene_call(&scene, "vkBindImageMemory", "$%d $%d $%d 4096", VK_SLOT_DEVICE, VK_SLOT_IMAGE,
                  VK_SLOT_IMAGE_MEMORY);
    vk_scene_call(&scene, "vkDestroyImage", "$%d $%d 0", VK_SLOT_DEVICE, VK_SLOT_BUFFER);
    vk_scene_call(&scene, "vkAllocateMemory", "$%d &%u 0 &%d", VK_SLOT_DEVICE, info, VK_SLOT_FREE);
    info = vk_scene_put(&scene, "VkShaderModuleCreateInfo", "codeSize=65536 pCode=&512");
    vk_scene_call(&scene, "vkCreateShaderModule", "$%d &%u 0 &%d", VK_SLOT_DEVICE, info,
                  VK_SLOT_FREE);
    info = vk_scene_put(&scene, "VkPresentInfoKHR",
                        "swapchainCount=1 pSwapchains=&%d pImageIndices=&512", VK_SLOT_COUNT);
    vk_scene_call(&scene, "vkQueuePresentKHR", "$%d &%u", VK_SLOT_QUEUE, info);
    vk_scene_record(&scene);
    vk_scene_call(&scene, "vkCmdCopyBuffer", "$%d $%d $%d 70000 &512", VK_SLOT_COMMANDS,
                  VK_SLOT_BUFFER, VK_SLOT_BUFFER);
    vk_scene_clear(&scene, 0.2F, 0.4F, 0.6F, 1.0F);
    vk_scene_post(&scene, LAYOUT_TARGET);
    open_scene(&scene, NULL, &drawn);
    uint8_t *pixels = pixels_of(&drawn, "by-frame/000000/image.png");
    expect_colour(pixels, 3, 3, colour);
    free(pixels);
    for (const char *const *line = told; *line != NULL; line++)
        shown_expect(&drawn.shown, "by-frame/000000/drawing.txt", *line);
    shown_expect(&drawn.shown, "by-frame/000000/drawing.txt", "\nnotes: 7\n");
    shown_expect(&drawn.shown, "problems.txt", "vkDestroyImage: image is not a known object");
    close_scene(&drawn);
}

/*
 * Arguments that cannot be passed on, since their size is unknown, are reported, and the call is
 * not made.
 */
static void what_leads_nowhere_is_refused(void **state)
{
    static const char *const told[] = {
        "vkUpdateDescriptorSetWithTemplate: the size of what pData points to is unknown",
        "vkUpdateDescriptorSetWithTemplateKHR: the size of what pData points to is unknown",
        "vkAllocateMemory: the size of what pHostPointer points to is unknown",
        "vkImportSemaphoreFdKHR: it imports an object of another process",
        "vkEnumeratePhysicalDeviceGroups: device groups are not supported",
        "vkQueueSubmit: pSubmits is null",
        "\nnotes: 6\n",
        NULL};
    uint32_t info;
    struct vk_scene scene;
    struct drawn drawn;

    (void)state;
    need_vulkan();
    vk_scene_begin(&scene);
    vk_scene_call(&scene, "vkUpdateDescriptorSetWithTemplate", "$%d 1 1 &512", VK_SLOT_DEVICE);
    vk_scene_call(&scene, "vkUpdateDescriptorSetWithTemplateKHR", "$%d 1 1 &512", VK_SLOT_DEVICE);
    info = vk_scene_put(&scene, "VkImportMemoryHostPointerInfoEXT",
                        "handleType=128 "
                        "pHostPointer=&512");
    info = vk_scene_put(&scene, "VkMemoryAllocateInfo", "pNext=&%u allocationSize=4096", info);
    vk_scene_call(&scene, "vkAllocateMemory", "$%d &%u 0 &%d", VK_SLOT_DEVICE, info, VK_SLOT_FREE);
    info = vk_scene_put(&scene, "VkImportSemaphoreFdInfoKHR", "semaphore=1 handleType=1 fd=0");
    vk_scene_call(&scene, "vkImportSemaphoreFdKHR", "$%d &%u", VK_SLOT_DEVICE, info);
    vk_scene_call(&scene, "vkEnumeratePhysicalDeviceGroups", "$%d &%d &512", VK_SLOT_INSTANCE,
                  VK_SLOT_COUNT);
    vk_scene_call(&scene, "vkQueueSubmit", "$%d 2 0 0", VK_SLOT_QUEUE);
    vk_scene_record(&scene);
    vk_scene_clear(&scene, 0.2F, 0.4F, 0.6F, 1.0F);
    vk_scene_post(&scene, LAYOUT_TARGET);
    open_scene(&scene, NULL, &drawn);
    free(pixels_of(&drawn, "by-frame/000000/image.png"));
    for (const char *const *line = told; *line != NULL; line++)
        shown_expect(&drawn.shown, "by-frame/000000/drawing.txt", *line);
    close_scene(&drawn);
}

/* The queue is found for any recorded family and index. */
static void queues_may_be_asked_for_by_a_structure(void **state)
{
    static const uint8_t colour[] = {51, 102, 153, 255};
    const uint64_t name = 0x7770;
    uint32_t info;
    struct vk_scene scene;
    struct drawn drawn;

    (void)state;
    need_vulkan();
    vk_scene_begin(&scene);
    info = vk_scene_put(&scene, "VkDeviceQueueInfo2", "flags=1 queueFamilyIndex=3 queueIndex=5");
    build_inline(&scene.build, VK_SLOT_QUEUE, (const uint8_t *)&name, sizeof(name));
    vk_scene_call(&scene, "vkGetDeviceQueue2", "$%d &%u &%d", VK_SLOT_DEVICE, info, VK_SLOT_QUEUE);
    vk_scene_record(&scene);
    vk_scene_clear(&scene, 0.2F, 0.4F, 0.6F, 1.0F);
    vk_scene_post(&scene, LAYOUT_TARGET);
    open_scene(&scene, NULL, &drawn);
    uint8_t *pixels = pixels_of(&drawn, "by-frame/000000/image.png");
    shown_expect(&drawn.shown, "by-frame/000000/drawing.txt", "\nnotes: 0\n");
    expect_colour(pixels, 3, 3, colour);
    free(pixels);
    close_scene(&drawn);
}

/* A wait that times out is not a success; all waits together take longer than one message may. */
static void fences_that_never_come_are_told(void **state)
{
    enum { WAITS = 6 }; /* two seconds each */
    static const uint8_t colour[] = {51, 102, 153, 255};
    uint32_t info;
    struct vk_scene scene;
    struct drawn drawn;

    (void)state;
    need_vulkan();
    vk_scene_begin(&scene);
    info = vk_scene_put(&scene, "VkFenceCreateInfo", "flags=0");
    vk_scene_call(&scene, "vkCreateFence", "$%d &%u 0 &%d", VK_SLOT_DEVICE, info, VK_SLOT_FREE);
    vk_scene_call(&scene, "vkWaitForFences", "$%d 1 &%d 1 0", VK_SLOT_DEVICE, VK_SLOT_FREE);
    for (unsigned n = 0; n < WAITS; n++)
        vk_scene_call(&scene, "vkWaitForFences", "$%d 1 &%d 1 -1", VK_SLOT_DEVICE, VK_SLOT_FREE);
    vk_scene_record(&scene);
    vk_scene_clear(&scene, 0.2F, 0.4F, 0.6F, 1.0F);
    vk_scene_post(&scene, LAYOUT_TARGET);
    open_scene(&scene, NULL, &drawn);
    uint8_t *pixels = pixels_of(&drawn, "by-frame/000000/image.png");
    expect_colour(pixels, 3, 3, colour);
    free(pixels);
    shown_expect(&drawn.shown, "by-frame/000000/drawing.txt",
                 "vkWaitForFences: its fences were not signalled within two seconds");
    shown_expect(&drawn.shown, "by-frame/000000/drawing.txt", "\nnotes: 6\n");
    close_scene(&drawn);
}

/* Reads the first byte of a file. Returns 0 or -errno. */
static int read_byte(struct tree *tree, const char *path)
{
    struct tree_file *file = NULL;
    struct tree_window window = {0};
    uint64_t inode;
    int status = tree_find(tree, path, true, &inode);

    if (status == 0)
        status = tree_open(tree, inode, &file);
    if (status == 0)
        status = tree_read(file, 0, 1, NULL, &window);
    blob_unref(&window.blob);
    if (file != NULL)
        tree_close(&file);
    return status;
}

/* Slots for presenting */
enum {
    SLOT_SURFACE = VK_SLOT_FREE,
    SLOT_SWAPCHAIN = VK_SLOT_FREE + 8,
    SLOT_IMAGES = VK_SLOT_FREE + 16,
    SLOT_DRAWN = VK_SLOT_FREE + 32,
    SLOT_ACQUIRED = VK_SLOT_FREE + 40,
    SLOT_INDEX = VK_SLOT_FREE + 48,
};

/* Creates a swapchain of two B8G8R8A8 images, and two semaphores. */
static void make_swapchain(struct vk_scene *scene)
{
    uint32_t info = vk_scene_room(scene, 40); /* for a window system that does not exist */

    vk_scene_call(scene, "vkCreateXcbSurfaceKHR", "$%d &%u 0 &%d", VK_SLOT_INSTANCE, info,
                  SLOT_SURFACE);
    info = vk_scene_put(scene, "VkSwapchainCreateInfoKHR",
                        "surface=$%d minImageCount=2 imageFormat=44 imageExtent.width=%d "
                        "imageExtent.height=%d imageArrayLayers=1 imageUsage=0x12 preTransform=1 "
                        "compositeAlpha=1 presentMode=2",
                        SLOT_SURFACE, VK_SCENE_WIDTH, VK_SCENE_HEIGHT);
    vk_scene_call(scene, "ReplayCreateSwapchain", "$%d &%u 0 &%d", VK_SLOT_DEVICE, info,
                  SLOT_SWAPCHAIN);
    build_inline(&scene->build, VK_SLOT_COUNT, "\2\0\0\0", 4);
    vk_scene_call(scene, "vkGetSwapchainImagesKHR", "$%d $%d &%d &%d", VK_SLOT_DEVICE,
                  SLOT_SWAPCHAIN, VK_SLOT_COUNT, SLOT_IMAGES);
    info = vk_scene_put(scene, "VkSemaphoreCreateInfo", "flags=0");
    vk_scene_call(scene, "vkCreateSemaphore", "$%d &%u 0 &%d", VK_SLOT_DEVICE, info, SLOT_DRAWN);
    vk_scene_call(scene, "vkCreateSemaphore", "$%d &%u 0 &%d", VK_SLOT_DEVICE, info, SLOT_ACQUIRED);
}

/* Acquires, clears and presents an image. */
static void present_colour(struct vk_scene *scene, unsigned image, float red, float green)
{
    uint32_t stage = vk_scene_bytes(scene, "\0\0\1\0", 4), info;

    build_copy(&scene->build, VK_SLOT_IMAGE, SLOT_IMAGES + 8 * image, 8);
    build_inline(&scene->build, SLOT_INDEX, (const uint8_t[]){(uint8_t)image, 0, 0, 0}, 4);
    vk_scene_call(scene, "toggleVirtualSwapchainReturnAcquiredImage", "&%d", SLOT_SWAPCHAIN);
    vk_scene_call(scene, "vkAcquireNextImageKHR", "$%d $%d -1 $%d 0 &%d", VK_SLOT_DEVICE,
                  SLOT_SWAPCHAIN, SLOT_ACQUIRED, SLOT_INDEX);
    vk_scene_record(scene);
    vk_scene_clear(scene, red, green, 0.6F, 1.0F);
    vk_scene_layout(scene, LAYOUT_TARGET, LAYOUT_PRESENT);
    vk_scene_call(scene, "vkEndCommandBuffer", "$%d", VK_SLOT_COMMANDS);
    info = vk_scene_put(scene, "VkSubmitInfo",
                        "commandBufferCount=1 pCommandBuffers=&%d waitSemaphoreCount=1 "
                        "pWaitSemaphores=&%d pWaitDstStageMask=&%u signalSemaphoreCount=1 "
                        "pSignalSemaphores=&%d",
                        VK_SLOT_COMMANDS, SLOT_ACQUIRED, stage, SLOT_DRAWN);
    vk_scene_call(scene, "vkQueueSubmit", "$%d 1 &%u 0", VK_SLOT_QUEUE, info);
    info = vk_scene_put(scene, "VkPresentInfoKHR",
                        "waitSemaphoreCount=1 pWaitSemaphores=&%d swapchainCount=1 "
                        "pSwapchains=&%d pImageIndices=&%d",
                        SLOT_DRAWN, SLOT_SWAPCHAIN, SLOT_INDEX);
    vk_scene_call(scene, "vkQueuePresentKHR", "$%d &%u", VK_SLOT_QUEUE, info);
    build_op(&scene->build, GAPIR_LABEL, ++scene->label);
}

static void present_twice(struct vk_scene *scene)
{
    vk_scene_begin(scene);
    make_swapchain(scene);
    present_colour(scene, 0, 0.2F, 0.4F);
    present_colour(scene, 1, 0.8F, 0.0F);
}

/* Frames that end with vkQueuePresentKHR show the presented image. */
static void presented_images_are_shown(void **state)
{
    static const uint8_t first[] = {51, 102, 153, 255}, second[] = {204, 0, 153, 255};
    struct vk_scene scene;
    struct drawn drawn;

    (void)state;
    need_vulkan();
    present_twice(&scene);
    vk_scene_call(&scene, "vkDestroySwapchainKHR", "$%d $%d 0", VK_SLOT_DEVICE, SLOT_SWAPCHAIN);
    open_scene(&scene, NULL, &drawn);
    for (unsigned frame = 2; frame-- > 0;) {
        uint8_t *pixels = pixels_of(&drawn, frame == 0 ? "frames/000000.png" : "frames/000001.png");

        for (unsigned n = 0; n < PIXELS; n++)
            expect_colour(pixels, n % VK_SCENE_WIDTH, n / VK_SCENE_WIDTH,
                          frame == 0 ? first : second);
        free(pixels);
    }
    shown_expect(&drawn.shown, "by-frame/000000/drawing.txt", "\nnotes: 0\n");
    shown_expect(&drawn.shown, "by-frame/000001/drawing.txt", "\nnotes: 0\n");
    shown_expect(&drawn.shown, "by-frame/000000/info.txt", "\nformat: VK_FORMAT_B8G8R8A8_UNORM\n");
    shown_expect(&drawn.shown, "frames.tsv", "\tVK_FORMAT_B8G8R8A8_UNORM\t-\t-\tmesa\tpresent\n");
    close_scene(&drawn);
}

/* Presenting something that is not an image is reported, and has no picture. */
static void presenting_nonsense_is_told(void **state)
{
    static const char *const told[] = {
        "vkDestroyImage: it destroys an image of a swapchain",
        "vkBindImageMemory: images of swapchains have memory already",
        "vkQueuePresentKHR: there is no image 7", "\nnotes: 3\n", NULL};
    struct vk_scene scene;
    struct drawn drawn;
    uint32_t info;

    (void)state;
    need_vulkan();
    vk_scene_begin(&scene);
    make_swapchain(&scene);
    vk_scene_call(&scene, "vkDestroyImage", "$%d $%d 0", VK_SLOT_DEVICE, SLOT_IMAGES);
    vk_scene_call(&scene, "vkBindImageMemory", "$%d $%d $%d 0", VK_SLOT_DEVICE, SLOT_IMAGES,
                  VK_SLOT_IMAGE_MEMORY);
    build_inline(&scene.build, SLOT_INDEX, "\7\0\0\0", 4);
    info = vk_scene_put(&scene, "VkPresentInfoKHR",
                        "swapchainCount=1 pSwapchains=&%d pImageIndices=&%d", SLOT_SWAPCHAIN,
                        SLOT_INDEX);
    vk_scene_call(&scene, "vkQueuePresentKHR", "$%d &%u", VK_SLOT_QUEUE, info);
    build_op(&scene.build, GAPIR_LABEL, ++scene.label);
    open_scene(&scene, NULL, &drawn);
    for (const char *const *line = told; *line != NULL; line++)
        shown_expect(&drawn.shown, "by-frame/000000/drawing.txt", *line);
    assert_int_equal(read_byte(drawn.shown.tree, "by-frame/000000/image.png"), -EIO);
    close_scene(&drawn);
}

/*
 * A second instance, with a device of its own: objects of one are unknown to the other, and
 * destroying a device destroys its objects.
 */
static void devices_are_apart(void **state)
{
    enum { FIRST_DEVICE = VK_SLOT_FREE, FIRST_BUFFER = VK_SLOT_FREE + 8 };
    static const uint8_t colour[] = {51, 102, 153, 255};
    struct vk_scene scene;
    struct drawn drawn;

    (void)state;
    need_vulkan();
    vk_scene_begin(&scene);
    build_copy(&scene.build, FIRST_DEVICE, VK_SLOT_DEVICE, 8);
    build_copy(&scene.build, FIRST_BUFFER, VK_SLOT_BUFFER, 8);
    vk_scene_more(&scene);
    vk_scene_call(&scene, "vkDestroyBuffer", "$%d $%d 0", VK_SLOT_DEVICE, FIRST_BUFFER);
    vk_scene_call(&scene, "vkDestroyDevice", "$%d 0", FIRST_DEVICE);
    vk_scene_call(&scene, "vkDestroyBuffer", "$%d $%d 0", FIRST_DEVICE, FIRST_BUFFER);
    vk_scene_record(&scene);
    vk_scene_clear(&scene, 0.2F, 0.4F, 0.6F, 1.0F);
    vk_scene_post(&scene, LAYOUT_TARGET);
    open_scene(&scene, NULL, &drawn);
    uint8_t *pixels = pixels_of(&drawn, "by-frame/000000/image.png");
    expect_colour(pixels, 3, 3, colour);
    free(pixels);
    shown_expect(&drawn.shown, "by-frame/000000/drawing.txt",
                 "vkDestroyBuffer: buffer is not a known object");
    shown_expect(&drawn.shown, "by-frame/000000/drawing.txt",
                 "vkDestroyBuffer: device is not a known object");
    shown_expect(&drawn.shown, "by-frame/000000/drawing.txt", "\nnotes: 2\n");
    close_scene(&drawn);
}

/*
 * The contents of the program's own memory are not shown in place of what should have been posted.
 */
static void posts_that_nobody_has_are_errors(void **state)
{
    uint32_t info;
    struct vk_scene scene;
    struct drawn drawn;

    (void)state;
    need_vulkan();
    vk_scene_begin(&scene);
    vk_scene_record(&scene);
    vk_scene_clear(&scene, 0.2F, 0.4F, 0.6F, 1.0F);
    vk_scene_post(&scene, LAYOUT_TARGET);
    info = vk_scene_put(&scene, "VkMemoryAllocateInfo", "allocationSize=1099511627776");
    vk_scene_call(&scene, "vkAllocateMemory", "$%d &%u 0 &%d", VK_SLOT_DEVICE, info, VK_SLOT_FREE);
    vk_scene_call(&scene, "vkMapMemory", "$%d $%d 0 %d 0 &%d", VK_SLOT_DEVICE, VK_SLOT_FREE,
                  VK_SCENE_BYTES, VK_SLOT_MAPPED);
    vk_scene_post_mapped(&scene);
    open_scene(&scene, "gapir-framebuffer=64x48:R8G8B8A8_UNORM", &drawn);
    assert_int_equal(read_byte(drawn.shown.tree, "by-frame/000001/image.png"), -EIO);
    assert_int_equal(read_byte(drawn.shown.tree, "posts/000001.bin"), -EIO);
    assert_int_equal(read_byte(drawn.shown.tree, "posts/000000.bin"), 0);
    free(pixels_of(&drawn, "by-frame/000000/image.png"));
    shown_expect(&drawn.shown, "by-frame/000001/drawing.txt",
                 "POST: the driver does not have the posted data");
    shown_expect(&drawn.shown, "problems.txt", "POST: the driver does not have the posted data");
    close_scene(&drawn);
}

/* The program writes the first and the last pixel; all pixels between are those of the driver. */
static void writes_to_mapped_memory_leave_the_rest(void **state)
{
    static const uint8_t colour[] = {51, 102, 153, 255}, stored[] = {1, 2, 3, 4};
    struct vk_scene scene;
    struct drawn drawn;

    (void)state;
    need_vulkan();
    vk_scene_begin(&scene);
    vk_scene_map(&scene);
    vk_scene_record(&scene);
    vk_scene_clear(&scene, 0.2F, 0.4F, 0.6F, 1.0F);
    vk_scene_read_back(&scene, LAYOUT_TARGET);
    vk_scene_store(&scene, 0, 0x04030201);
    vk_scene_store(&scene, VK_SCENE_BYTES - 4, 0x04030201);
    vk_scene_post_mapped(&scene);
    open_scene(&scene, NULL, &drawn);
    uint8_t *pixels = pixels_of(&drawn, "by-frame/000000/image.png");
    shown_expect(&drawn.shown, "by-frame/000000/drawing.txt", "\nnotes: 0\n");
    expect_colour(pixels, 0, 0, stored);
    expect_colour(pixels, VK_SCENE_WIDTH - 1, VK_SCENE_HEIGHT - 1, stored);
    for (unsigned n = 1; n < PIXELS - 1; n++)
        expect_colour(pixels, n % VK_SCENE_WIDTH, n / VK_SCENE_WIDTH, colour);
    free(pixels);
    close_scene(&drawn);
}

/* What the program copies out of mapped memory is what the driver has there. */
static void copies_out_of_mapped_memory_are_drawn(void **state)
{
    static const uint8_t colour[] = {51, 102, 153, 255}, stored[] = {1, 2, 3, 4};
    struct vk_scene scene;
    struct drawn drawn;
    uint32_t copy;

    (void)state;
    need_vulkan();
    vk_scene_begin(&scene);
    copy = vk_scene_room(&scene, VK_SCENE_BYTES);
    vk_scene_map(&scene);
    vk_scene_record(&scene);
    vk_scene_clear(&scene, 0.2F, 0.4F, 0.6F, 1.0F);
    vk_scene_read_back(&scene, LAYOUT_TARGET);
    vk_scene_store(&scene, 4, 0x04030201);
    build_typed(&scene.build, GAPIR_LOAD_V, GAPIR_ABSOLUTE_POINTER, VK_SLOT_MAPPED);
    build_push(&scene.build, GAPIR_VOLATILE_POINTER, copy);
    build_op(&scene.build, GAPIR_COPY, VK_SCENE_BYTES);
    build_post(&scene.build, GAPIR_VOLATILE_POINTER, copy, VK_SCENE_BYTES);
    build_op(&scene.build, GAPIR_LABEL, ++scene.label);
    open_scene(&scene, NULL, &drawn);
    uint8_t *pixels = pixels_of(&drawn, "by-frame/000000/image.png");
    shown_expect(&drawn.shown, "frames.tsv", "\tmesa\tpost\n");
    expect_colour(pixels, 1, 0, stored);
    for (unsigned n = 2; n < PIXELS; n++)
        expect_colour(pixels, n % VK_SCENE_WIDTH, n / VK_SCENE_WIDTH, colour);
    free(pixels);
    close_scene(&drawn);
}

/* Reads a file that may be there or give an error of its own; the mount must go on. */
static void try_read(struct tree *tree, const char *path)
{
    int status = read_byte(tree, path);

    assert_true(status == 0 || status == -EIO || status == -ENOENT);
}

/* Changes random bits of the payload's words: pictures may differ, or be missing. */
static void damage_stays_in_the_worker(void **state)
{
    enum { PAYLOADS = 12, CHANGES = 6 };
    static void (*const damaged[])(struct vk_scene *) = {clear_image, draw_triangle, run_compute,
                                                         present_twice};
    const char *told = getenv("GPUDUMPFS_MUTATIONS"), *seed = getenv("GPUDUMPFS_MUTATION_SEED");
    const unsigned payloads = told != NULL ? (unsigned)atoi(told) : PAYLOADS;
    uint64_t random = seed != NULL ? strtoull(seed, NULL, 10) : 77;

    (void)state;
    need_vulkan();
    for (unsigned n = 0; n < payloads; n++) {
        struct vk_scene scene;
        struct drawn drawn;

        damaged[n % COUNT_OF(damaged)](&scene);
        for (unsigned i = 0; i < CHANGES; i++)
            scene.build.words[support_random(&random) % scene.build.count] ^=
                UINT32_C(1) << support_random(&random) % 20;
        open_scene(&scene, NULL, &drawn);
        try_read(drawn.shown.tree, "by-frame/000000/image.png");
        try_read(drawn.shown.tree, "by-frame/000000/drawing.txt");
        try_read(drawn.shown.tree, "posts/000000.bin");
        try_read(drawn.shown.tree, "problems.txt");
        close_scene(&drawn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_process_is_confined),
        cmocka_unit_test(clears_are_drawn),
        cmocka_unit_test(triangles_are_drawn),
        cmocka_unit_test(compute_shaders_write),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(what_leads_nowhere_is_refused),
        cmocka_unit_test(queues_may_be_asked_for_by_a_structure),
        cmocka_unit_test(fences_that_never_come_are_told),
        cmocka_unit_test(presented_images_are_shown),
        cmocka_unit_test(presenting_nonsense_is_told),
        cmocka_unit_test(devices_are_apart),
        cmocka_unit_test(posts_that_nobody_has_are_errors),
        cmocka_unit_test(writes_to_mapped_memory_leave_the_rest),
        cmocka_unit_test(copies_out_of_mapped_memory_are_drawn),
        cmocka_unit_test(damage_stays_in_the_worker),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
