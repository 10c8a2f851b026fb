/* SPDX-License-Identifier: MIT */
#include "base/string.h"
#include "formats/gapir/replay/driver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum match { EXACT, PREFIX, MAKER };

/*
 * The first match counts. MAKER: the name begins with `name`, and the last argument is a pointer.
 */
static const struct {
    const char *name;
    enum match match;
    enum gapir_action action;
} rules[] = {
    {"vkCreateImage", EXACT, GAPIR_ACTION_CREATE_IMAGE},
    {"vkCreateBuffer", EXACT, GAPIR_ACTION_CREATE_BUFFER},
    {"vkCreateGraphicsPipelines", EXACT, GAPIR_ACTION_CREATE_PIPELINES},
    {"vkCreateComputePipelines", EXACT, GAPIR_ACTION_CREATE_PIPELINES},
    {"vkCreateSwapchainKHR", EXACT, GAPIR_ACTION_CREATE_SWAPCHAIN},
    {"ReplayCreateSwapchain", EXACT, GAPIR_ACTION_CREATE_SWAPCHAIN},
    {"vkCreateSharedSwapchainsKHR", EXACT, GAPIR_ACTION_CREATE_SWAPCHAINS},
    {"vkAllocateCommandBuffers", EXACT, GAPIR_ACTION_ALLOCATE_COMMAND_BUFFERS},
    {"vkAllocateDescriptorSets", EXACT, GAPIR_ACTION_ALLOCATE_DESCRIPTOR_SETS},
    {"vkAllocateMemory", EXACT, GAPIR_ACTION_ALLOCATE_MEMORY},
    {"replayCreateRenderer", EXACT, GAPIR_ACTION_CREATE_RENDERER},
    {"replayBindRenderer", EXACT, GAPIR_ACTION_BIND_RENDERER},
    {"replayUnbindRenderer", EXACT, GAPIR_ACTION_UNBIND_RENDERER},
    {"replayChangeBackbuffer", EXACT, GAPIR_ACTION_CHANGE_BACKBUFFER},
    {"replayCreateExternalImage", EXACT, GAPIR_ACTION_EXTERNAL_IMAGE},
    {"replayAllocateImageMemory", EXACT, GAPIR_ACTION_ALLOCATE_IMAGE_MEMORY},
    {"vkBindBufferMemory", EXACT, GAPIR_ACTION_BIND_BUFFER},
    {"vkBindBufferMemory2", EXACT, GAPIR_ACTION_BIND_BUFFERS},
    {"vkBindBufferMemory2KHR", EXACT, GAPIR_ACTION_BIND_BUFFERS},
    {"vkMapMemory", EXACT, GAPIR_ACTION_MAP_MEMORY},
    {"vkUnmapMemory", EXACT, GAPIR_ACTION_UNMAP_MEMORY},
    {"vkFreeMemory", EXACT, GAPIR_ACTION_UNMAP_MEMORY},
    {"vkCmdCopyImageToBuffer", EXACT, GAPIR_ACTION_COPY_IMAGE},
    {"vkEnumeratePhysicalDevices", EXACT, GAPIR_ACTION_ENUMERATE_DEVICES},
    {"replayEnumeratePhysicalDevices", EXACT, GAPIR_ACTION_ENUMERATE_DEVICES},
    {"vkGetDeviceQueue", PREFIX, GAPIR_ACTION_CREATE},
    {"vkGetSwapchainImagesKHR", EXACT, GAPIR_ACTION_SWAPCHAIN_IMAGES},
    {"vkGetBufferMemoryRequirements", EXACT, GAPIR_ACTION_BUFFER_REQUIREMENTS},
    {"vkGetImageMemoryRequirements", EXACT, GAPIR_ACTION_IMAGE_REQUIREMENTS},
    {"vkQueuePresentKHR", EXACT, GAPIR_ACTION_PRESENT},
    {"vkCreate", MAKER, GAPIR_ACTION_CREATE},
    {"vkAllocate", MAKER, GAPIR_ACTION_CREATE},
    {"replayCreate", MAKER, GAPIR_ACTION_CREATE},
    {"replayAllocate", MAKER, GAPIR_ACTION_CREATE},
    {"ReplayCreate", MAKER, GAPIR_ACTION_CREATE},
    {"ReplayAllocate", MAKER, GAPIR_ACTION_CREATE},
    {"glGenerateMipmap", PREFIX, GAPIR_ACTION_NOTHING},
    {"glGenPathsNV", EXACT, GAPIR_ACTION_NEW_NAME},
    {"glGen", MAKER, GAPIR_ACTION_GEN_NAMES},
    {"glCreateShader", PREFIX, GAPIR_ACTION_NEW_NAME},
    {"glCreateProgram", EXACT, GAPIR_ACTION_NEW_NAME},
    {"glCheckFramebufferStatus", PREFIX, GAPIR_ACTION_FRAMEBUFFER_COMPLETE},
    {"glClientWaitSync", PREFIX, GAPIR_ACTION_ALREADY_SIGNALED},
    {"glFenceSync", PREFIX, GAPIR_ACTION_NEW_HANDLE},
    {"glGetShaderiv", EXACT, GAPIR_ACTION_STATUS},
    {"glGetProgramiv", EXACT, GAPIR_ACTION_STATUS},
    {"glGetUniformLocation", EXACT, GAPIR_ACTION_NEW_NUMBER},
    {"glGetUniformBlockIndex", EXACT, GAPIR_ACTION_NEW_NUMBER},
    {"glIs", PREFIX, GAPIR_ACTION_TRUE},
    {"glMapBufferRange", PREFIX, GAPIR_ACTION_MAP_RANGE},
    {"glUnmapBuffer", PREFIX, GAPIR_ACTION_UNMAP_BUFFER},
    {"glPixelStorei", EXACT, GAPIR_ACTION_PIXEL_STORE},
    {"glGetIntegerv", EXACT, GAPIR_ACTION_GET_INTEGER},
    {"glReadPixels", EXACT, GAPIR_ACTION_READ_PIXELS},
    {"glReadnPixels", PREFIX, GAPIR_ACTION_READ_PIXELS},
    {"replayFrameDelimiter", EXACT, GAPIR_ACTION_DELIMITER},
    {"eglSwapBuffersWithDamageKHR", EXACT, GAPIR_ACTION_SWAP},
    {"eglSwapBuffers", EXACT, GAPIR_ACTION_SWAP},
    {"eglGetError", EXACT, GAPIR_ACTION_EGL_SUCCESS},
    {"eglCreate", PREFIX, GAPIR_ACTION_NEW_HANDLE},
    {"eglGetDisplay", EXACT, GAPIR_ACTION_NEW_HANDLE},
};

/*
 * How many arguments an action needs, and what frames.tsv calls the end of a frame that it makes.
 */
static const struct {
    uint8_t arguments;
    const char *frame_end; /* NULL if it does not end a frame */
} actions[GAPIR_ACTIONS] = {
    [GAPIR_ACTION_CREATE] = {1, NULL},
    [GAPIR_ACTION_CREATE_IMAGE] = {4, NULL},
    [GAPIR_ACTION_CREATE_BUFFER] = {4, NULL},
    [GAPIR_ACTION_CREATE_PIPELINES] = {6, NULL},
    [GAPIR_ACTION_CREATE_SWAPCHAIN] = {4, NULL},
    [GAPIR_ACTION_CREATE_SWAPCHAINS] = {5, NULL},
    [GAPIR_ACTION_ALLOCATE_COMMAND_BUFFERS] = {3, NULL},
    [GAPIR_ACTION_ALLOCATE_DESCRIPTOR_SETS] = {3, NULL},
    [GAPIR_ACTION_ALLOCATE_MEMORY] = {4, NULL},
    [GAPIR_ACTION_ALLOCATE_IMAGE_MEMORY] = {4, NULL},
    [GAPIR_ACTION_BIND_BUFFER] = {4, NULL},
    [GAPIR_ACTION_BIND_BUFFERS] = {3, NULL},
    [GAPIR_ACTION_MAP_MEMORY] = {6, NULL},
    [GAPIR_ACTION_UNMAP_MEMORY] = {2, NULL},
    [GAPIR_ACTION_COPY_IMAGE] = {6, NULL},
    [GAPIR_ACTION_ENUMERATE_DEVICES] = {3, NULL},
    [GAPIR_ACTION_SWAPCHAIN_IMAGES] = {4, NULL},
    [GAPIR_ACTION_BUFFER_REQUIREMENTS] = {3, NULL},
    [GAPIR_ACTION_IMAGE_REQUIREMENTS] = {3, NULL},
    [GAPIR_ACTION_GEN_NAMES] = {2, NULL},
    [GAPIR_ACTION_STATUS] = {3, NULL},
    [GAPIR_ACTION_GET_INTEGER] = {2, NULL},
    [GAPIR_ACTION_MAP_RANGE] = {4, NULL},
    [GAPIR_ACTION_UNMAP_BUFFER] = {1, NULL},
    [GAPIR_ACTION_PIXEL_STORE] = {2, NULL},
    [GAPIR_ACTION_READ_PIXELS] = {7, NULL},
    [GAPIR_ACTION_PRESENT] = {0, "present"},
    [GAPIR_ACTION_SWAP] = {0, "swap"},
    [GAPIR_ACTION_DELIMITER] = {0, "delimiter"},
    [GAPIR_ACTION_CREATE_RENDERER] = {1, NULL},
    [GAPIR_ACTION_BIND_RENDERER] = {1, NULL},
    [GAPIR_ACTION_UNBIND_RENDERER] = {1, NULL},
    [GAPIR_ACTION_CHANGE_BACKBUFFER] = {3, NULL},
    [GAPIR_ACTION_EXTERNAL_IMAGE] = {2, NULL},
};

static bool ends_with_pointer(const struct gapir_function *function)
{
    return function->count != 0 &&
           gapir_function_argument(function, function->count - 1u)->type == GAPIR_ANY_POINTER;
}

static bool matches(size_t rule, const struct gapir_function *function)
{
    const char *name = gapir_function_name(function);

    if (rules[rule].match == EXACT)
        return strcmp(name, rules[rule].name) == 0;
    return string_begins(name, rules[rule].name) &&
           (rules[rule].match == PREFIX || ends_with_pointer(function));
}

/* Returns whether a function reports success as its result. */
static bool answers_truth(const struct gapir_function *function)
{
    const char *ctype = gapir_function_result_ctype(function);

    return strcmp(ctype, "EGLBoolean") == 0 || strcmp(ctype, "BOOL") == 0 ||
           strcmp(ctype, "Bool") == 0;
}

static enum gapir_action find_action(const struct gapir_function *function)
{
    for (size_t n = 0; n < sizeof(rules) / sizeof(rules[0]); n++)
        if (matches(n, function))
            return function->count >= actions[rules[n].action].arguments ? rules[n].action
                                                                         : GAPIR_ACTION_NOTHING;
    return answers_truth(function) ? GAPIR_ACTION_TRUE : GAPIR_ACTION_NOTHING;
}

int gapir_model_create(const struct gapir_scan *scan, struct gapir_model *out)
{
    *out = (struct gapir_model){.scan = scan};
    for (unsigned api = 0; api < GAPIR_APIS; api++) {
        if (scan->tables[api] == NULL)
            continue;
        out->actions[api] = calloc(gapir_table_size(scan->tables[api]), 1);
        if (out->actions[api] == NULL) {
            gapir_model_clear(out);
            return -ENOMEM;
        }
    }
    /* Functions that are never called need no action. */
    for (uint32_t n = 0; n < scan->usage_count; n++) {
        uint32_t key = scan->usages[n].key;
        const struct gapir_function *function = gapir_scan_function(scan, key);
        const struct gapir_table *table = scan->tables[gapir_call_api(key)];
        if (function != NULL)
            out->actions[table->api][gapir_table_index(table, function)] =
                (uint8_t)find_action(function);
    }
    return 0;
}

void gapir_model_clear(struct gapir_model *model)
{
    for (unsigned api = 0; api < GAPIR_APIS; api++)
        free(model->actions[api]);
    *model = (struct gapir_model){0};
}

enum gapir_action gapir_model_action(const struct gapir_model *model, unsigned api,
                                     const struct gapir_function *function)
{
    return model->actions[api][gapir_table_index(model->scan->tables[api], function)];
}

const char *gapir_model_frame_end(const struct gapir_model *model, uint32_t word,
                                  const struct gapir_function *function)
{
    return actions[gapir_model_action(model, gapir_call_api(word), function)].frame_end;
}
