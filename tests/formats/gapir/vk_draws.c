/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/formats/gapir/vk_draws.h"

#include "tests/support/support.h"

/* Slots */
enum {
    SLOT_VERTICES = VK_SLOT_FREE,
    SLOT_VERTEX_MEMORY = VK_SLOT_FREE + 8,
    SLOT_VIEW = VK_SLOT_FREE + 16,
    SLOT_PASS = VK_SLOT_FREE + 24,
    SLOT_FRAMEBUFFER = VK_SLOT_FREE + 32,
    SLOT_LAYOUT = VK_SLOT_FREE + 40,
    SLOT_FIRST_SHADER = VK_SLOT_FREE + 48,
    SLOT_SECOND_SHADER = VK_SLOT_FREE + 56,
    SLOT_PIPELINE = VK_SLOT_FREE + 64,
    SLOT_STORAGE = VK_SLOT_FREE + 72,
    SLOT_STORAGE_MEMORY = VK_SLOT_FREE + 80,
    SLOT_SET_LAYOUT = VK_SLOT_FREE + 88,
    SLOT_SETS = VK_SLOT_FREE + 96,
    SLOT_SET = VK_SLOT_FREE + 104,
};

enum { FORMAT_RGBA8 = 37, FORMAT_RG32F = 103, USAGE_VERTICES = 0x80, USAGE_STORAGE = 0x20 | 1 };

/* clang-format off */
/*
 * SPIR-V 1.0, instruction by instruction: the number of words and the opcode, then operands. Ids
 * are numbered in order.
 */
#define OP(code, words) (((uint32_t)(words) << 16) | (code))
#define HEADER(ids)     0x07230203, 0x00010000, 0, ids, 0
#define SHADER_MODEL    OP(17, 2), 1, OP(14, 3), 0, 1
#define MAIN            0x6e69616d, 0
#define CONSTANT_ONE    0x3f800000
#define CONSTANT_HALF   0x3f000000
#define RETURN_AND_END  OP(253, 1), OP(56, 1)

enum { ENTRY = 15, MODE = 16, TYPE_VOID = 19, TYPE_INT = 21, TYPE_FLOAT, TYPE_VECTOR,
       RUNTIME_ARRAY = 29, TYPE_STRUCT = 30, TYPE_POINTER = 32, TYPE_FUNCTION, CONSTANT = 43,
       COMPOSITE, FUNCTION = 54, VARIABLE = 59, LOAD = 61, STORE, CHAIN = 65, DECORATE = 71,
       DECORATE_MEMBER, CONSTRUCT = 80, EXTRACT, MULTIPLY = 132, OR = 197, LABEL = 248 };

/* gl_Position = vec4(input at location 0, 0, 1) */
static const uint32_t vertex_shader[] = {
    HEADER(18), SHADER_MODEL,
    OP(ENTRY, 7), 0, 12, MAIN, 6, 9,
    OP(DECORATE, 4), 6, 11, 0,
    OP(DECORATE, 4), 9, 30, 0,
    OP(TYPE_VOID, 2), 1,
    OP(TYPE_FUNCTION, 3), 2, 1,
    OP(TYPE_FLOAT, 3), 3, 32,
    OP(TYPE_VECTOR, 4), 4, 3, 4,
    OP(TYPE_POINTER, 4), 5, 3, 4,
    OP(VARIABLE, 4), 5, 6, 3,
    OP(TYPE_VECTOR, 4), 7, 3, 2,
    OP(TYPE_POINTER, 4), 8, 1, 7,
    OP(VARIABLE, 4), 8, 9, 1,
    OP(CONSTANT, 4), 3, 10, 0,
    OP(CONSTANT, 4), 3, 11, CONSTANT_ONE,
    OP(FUNCTION, 5), 1, 12, 0, 2,
    OP(LABEL, 2), 13,
    OP(LOAD, 4), 7, 14, 9,
    OP(EXTRACT, 5), 3, 15, 14, 0,
    OP(EXTRACT, 5), 3, 16, 14, 1,
    OP(CONSTRUCT, 7), 4, 17, 15, 16, 10, 11,
    OP(STORE, 3), 6, 17,
    RETURN_AND_END,
};

/* output at location 0 = vec4(1, 0.5, 0, 1) */
static const uint32_t fragment_shader[] = {
    HEADER(13), SHADER_MODEL,
    OP(ENTRY, 6), 4, 11, MAIN, 6,
    OP(MODE, 3), 11, 7,
    OP(DECORATE, 4), 6, 30, 0,
    OP(TYPE_VOID, 2), 1,
    OP(TYPE_FUNCTION, 3), 2, 1,
    OP(TYPE_FLOAT, 3), 3, 32,
    OP(TYPE_VECTOR, 4), 4, 3, 4,
    OP(TYPE_POINTER, 4), 5, 3, 4,
    OP(VARIABLE, 4), 5, 6, 3,
    OP(CONSTANT, 4), 3, 7, 0,
    OP(CONSTANT, 4), 3, 8, CONSTANT_HALF,
    OP(CONSTANT, 4), 3, 9, CONSTANT_ONE,
    OP(COMPOSITE, 7), 4, 10, 9, 8, 7, 9,
    OP(FUNCTION, 5), 1, 11, 0, 2,
    OP(LABEL, 2), 12,
    OP(STORE, 3), 6, 10,
    RETURN_AND_END,
};

/* 64 invocations a group: buffer[id] = id * VK_COMPUTE_STEP | 0xff000000 */
static const uint32_t compute_shader[] = {
    HEADER(22), SHADER_MODEL,
    OP(ENTRY, 6), 5, 15, MAIN, 6,
    OP(MODE, 6), 15, 17, 64, 1, 1,
    OP(DECORATE, 4), 6, 11, 28,
    OP(DECORATE, 4), 7, 6, 4,
    OP(DECORATE_MEMBER, 5), 8, 0, 35, 0,
    OP(DECORATE, 3), 8, 3,
    OP(DECORATE, 4), 10, 34, 0,
    OP(DECORATE, 4), 10, 33, 0,
    OP(TYPE_VOID, 2), 1,
    OP(TYPE_FUNCTION, 3), 2, 1,
    OP(TYPE_INT, 4), 3, 32, 0,
    OP(TYPE_VECTOR, 4), 4, 3, 3,
    OP(TYPE_POINTER, 4), 5, 1, 4,
    OP(VARIABLE, 4), 5, 6, 1,
    OP(RUNTIME_ARRAY, 3), 7, 3,
    OP(TYPE_STRUCT, 3), 8, 7,
    OP(TYPE_POINTER, 4), 9, 2, 8,
    OP(VARIABLE, 4), 9, 10, 2,
    OP(CONSTANT, 4), 3, 11, 0,
    OP(CONSTANT, 4), 3, 12, VK_COMPUTE_STEP,
    OP(CONSTANT, 4), 3, 13, 0xff000000,
    OP(TYPE_POINTER, 4), 14, 2, 3,
    OP(FUNCTION, 5), 1, 15, 0, 2,
    OP(LABEL, 2), 16,
    OP(LOAD, 4), 4, 17, 6,
    OP(EXTRACT, 5), 3, 18, 17, 0,
    OP(MULTIPLY, 5), 3, 19, 18, 12,
    OP(OR, 5), 3, 20, 19, 13,
    OP(CHAIN, 6), 14, 21, 10, 11, 18,
    OP(STORE, 3), 21, 20,
    RETURN_AND_END,
};

/* clang-format on */

static void make_shader(struct vk_scene *scene, const uint32_t *words, size_t size, unsigned slot)
{
    uint32_t code = vk_scene_bytes(scene, words, size);
    uint32_t info =
        vk_scene_put(scene, "VkShaderModuleCreateInfo", "codeSize=%zu pCode=&%u", size, code);

    vk_scene_call(scene, "vkCreateShaderModule", "$%d &%u 0 &%u", VK_SLOT_DEVICE, info, slot);
}

/* What the program writes to mapped memory must be there after unmapping. */
static void make_vertices(struct vk_scene *scene)
{
    static const float vertices[] = {-1, -1, 1, -1, -1, 1};
    uint32_t bytes = vk_scene_bytes(scene, vertices, sizeof(vertices));

    vk_scene_buffer(scene, sizeof(vertices), USAGE_VERTICES, SLOT_VERTICES, SLOT_VERTEX_MEMORY);
    vk_scene_call(scene, "vkMapMemory", "$%d $%d 0 %zu 0 &%d", VK_SLOT_DEVICE, SLOT_VERTEX_MEMORY,
                  sizeof(vertices), VK_SLOT_MAPPED);
    build_push(&scene->build, GAPIR_VOLATILE_POINTER, bytes);
    build_typed(&scene->build, GAPIR_LOAD_V, GAPIR_ABSOLUTE_POINTER, VK_SLOT_MAPPED);
    build_op(&scene->build, GAPIR_COPY, sizeof(vertices));
    vk_scene_call(scene, "vkUnmapMemory", "$%d $%d", VK_SLOT_DEVICE, SLOT_VERTEX_MEMORY);
}

static void make_pass(struct vk_scene *scene)
{
    uint32_t attachment =
        vk_scene_put(scene, "VkAttachmentDescription",
                     "format=%d samples=1 loadOp=1 storeOp=0 stencilLoadOp=2 stencilStoreOp=1 "
                     "finalLayout=%d",
                     FORMAT_RGBA8, VK_TRIANGLE_LAYOUT);
    uint32_t reference = vk_scene_put(scene, "VkAttachmentReference", "layout=2");
    uint32_t subpass = vk_scene_put(scene, "VkSubpassDescription",
                                    "colorAttachmentCount=1 pColorAttachments=&%u", reference);
    uint32_t info = vk_scene_put(scene, "VkRenderPassCreateInfo",
                                 "attachmentCount=1 pAttachments=&%u subpassCount=1 pSubpasses=&%u",
                                 attachment, subpass);

    vk_scene_call(scene, "vkCreateRenderPass", "$%d &%u 0 &%d", VK_SLOT_DEVICE, info, SLOT_PASS);
    info = vk_scene_put(scene, "VkImageViewCreateInfo",
                        "image=$%d viewType=1 format=%d subresourceRange.aspectMask=1 "
                        "subresourceRange.levelCount=1 subresourceRange.layerCount=1",
                        VK_SLOT_IMAGE, FORMAT_RGBA8);
    vk_scene_call(scene, "vkCreateImageView", "$%d &%u 0 &%d", VK_SLOT_DEVICE, info, SLOT_VIEW);
    info = vk_scene_put(scene, "VkFramebufferCreateInfo",
                        "renderPass=$%d attachmentCount=1 pAttachments=&%d width=%d height=%d "
                        "layers=1",
                        SLOT_PASS, SLOT_VIEW, VK_SCENE_WIDTH, VK_SCENE_HEIGHT);
    vk_scene_call(scene, "vkCreateFramebuffer", "$%d &%u 0 &%d", VK_SLOT_DEVICE, info,
                  SLOT_FRAMEBUFFER);
}

static uint32_t put_stages(struct vk_scene *scene)
{
    enum { SIZE = 48 };
    uint32_t name = vk_scene_bytes(scene, "main", 5), stages = vk_scene_room(scene, 2 * SIZE);

    vk_scene_put_at(scene, stages, "VkPipelineShaderStageCreateInfo",
                    "stage=0x1 module=$%d pName=&%u", SLOT_FIRST_SHADER, name);
    vk_scene_put_at(scene, stages + SIZE, "VkPipelineShaderStageCreateInfo",
                    "stage=0x10 module=$%d pName=&%u", SLOT_SECOND_SHADER, name);
    return stages;
}

static uint32_t put_vertex_input(struct vk_scene *scene)
{
    uint32_t binding = vk_scene_put(scene, "VkVertexInputBindingDescription", "stride=8");
    uint32_t attribute =
        vk_scene_put(scene, "VkVertexInputAttributeDescription", "format=%d", FORMAT_RG32F);

    return vk_scene_put(scene, "VkPipelineVertexInputStateCreateInfo",
                        "vertexBindingDescriptionCount=1 pVertexBindingDescriptions=&%u "
                        "vertexAttributeDescriptionCount=1 pVertexAttributeDescriptions=&%u",
                        binding, attribute);
}

static uint32_t put_viewport(struct vk_scene *scene)
{
    uint32_t viewport = vk_scene_put(scene, "VkViewport", "width=%d.0 height=%d.0 maxDepth=1.0",
                                     VK_SCENE_WIDTH, VK_SCENE_HEIGHT);
    uint32_t scissor = vk_scene_put(scene, "VkRect2D", "extent.width=%d extent.height=%d",
                                    VK_SCENE_WIDTH, VK_SCENE_HEIGHT);

    return vk_scene_put(scene, "VkPipelineViewportStateCreateInfo",
                        "viewportCount=1 pViewports=&%u scissorCount=1 pScissors=&%u", viewport,
                        scissor);
}

static void make_graphics_pipeline(struct vk_scene *scene)
{
    uint32_t stages = put_stages(scene), input = put_vertex_input(scene);
    uint32_t assembly = vk_scene_put(scene, "VkPipelineInputAssemblyStateCreateInfo", "topology=3");
    uint32_t viewport = put_viewport(scene);
    uint32_t raster =
        vk_scene_put(scene, "VkPipelineRasterizationStateCreateInfo", "lineWidth=1.0");
    uint32_t samples =
        vk_scene_put(scene, "VkPipelineMultisampleStateCreateInfo", "rasterizationSamples=1");
    uint32_t target =
        vk_scene_put(scene, "VkPipelineColorBlendAttachmentState", "colorWriteMask=15");
    uint32_t blend = vk_scene_put(scene, "VkPipelineColorBlendStateCreateInfo",
                                  "attachmentCount=1 pAttachments=&%u", target);
    uint32_t info = vk_scene_put(
        scene, "VkGraphicsPipelineCreateInfo",
        "stageCount=2 pStages=&%u pVertexInputState=&%u pInputAssemblyState=&%u "
        "pViewportState=&%u pRasterizationState=&%u pMultisampleState=&%u pColorBlendState=&%u "
        "layout=$%d renderPass=$%d basePipelineIndex=-1",
        stages, input, assembly, viewport, raster, samples, blend, SLOT_LAYOUT, SLOT_PASS);

    vk_scene_call(scene, "vkCreateGraphicsPipelines", "$%d 0 1 &%u 0 &%d", VK_SLOT_DEVICE, info,
                  SLOT_PIPELINE);
}

void vk_draw_triangle(struct vk_scene *scene)
{
    uint32_t info = vk_scene_put(scene, "VkPipelineLayoutCreateInfo", "flags=0");
    uint32_t offset = vk_scene_room(scene, 8);
    uint32_t clear = vk_scene_put(scene, "VkClearValue", "color.float32[3]=1.0");

    vk_scene_call(scene, "vkCreatePipelineLayout", "$%d &%u 0 &%d", VK_SLOT_DEVICE, info,
                  SLOT_LAYOUT);
    make_shader(scene, vertex_shader, sizeof(vertex_shader), SLOT_FIRST_SHADER);
    make_shader(scene, fragment_shader, sizeof(fragment_shader), SLOT_SECOND_SHADER);
    make_vertices(scene);
    make_pass(scene);
    make_graphics_pipeline(scene);
    vk_scene_record(scene);
    info = vk_scene_put(scene, "VkRenderPassBeginInfo",
                        "renderPass=$%d framebuffer=$%d renderArea.extent.width=%d "
                        "renderArea.extent.height=%d clearValueCount=1 pClearValues=&%u",
                        SLOT_PASS, SLOT_FRAMEBUFFER, VK_SCENE_WIDTH, VK_SCENE_HEIGHT, clear);
    vk_scene_call(scene, "vkCmdBeginRenderPass", "$%d &%u 0", VK_SLOT_COMMANDS, info);
    vk_scene_call(scene, "vkCmdBindPipeline", "$%d 0 $%d", VK_SLOT_COMMANDS, SLOT_PIPELINE);
    vk_scene_call(scene, "vkCmdBindVertexBuffers", "$%d 0 1 &%d &%u", VK_SLOT_COMMANDS,
                  SLOT_VERTICES, offset);
    vk_scene_call(scene, "vkCmdDraw", "$%d 3 1 0 0", VK_SLOT_COMMANDS);
    vk_scene_call(scene, "vkCmdEndRenderPass", "$%d", VK_SLOT_COMMANDS);
}

/* Creates a descriptor set with the buffer in it. */
static void make_set(struct vk_scene *scene)
{
    uint32_t binding = vk_scene_put(scene, "VkDescriptorSetLayoutBinding",
                                    "descriptorType=7 descriptorCount=1 stageFlags=0x20");
    uint32_t info = vk_scene_put(scene, "VkDescriptorSetLayoutCreateInfo",
                                 "bindingCount=1 pBindings=&%u", binding);

    vk_scene_call(scene, "vkCreateDescriptorSetLayout", "$%d &%u 0 &%d", VK_SLOT_DEVICE, info,
                  SLOT_SET_LAYOUT);
    uint32_t size = vk_scene_put(scene, "VkDescriptorPoolSize", "type=7 descriptorCount=1");
    info = vk_scene_put(scene, "VkDescriptorPoolCreateInfo",
                        "maxSets=1 poolSizeCount=1 pPoolSizes=&%u", size);
    vk_scene_call(scene, "vkCreateDescriptorPool", "$%d &%u 0 &%d", VK_SLOT_DEVICE, info,
                  SLOT_SETS);
    info = vk_scene_put(scene, "VkDescriptorSetAllocateInfo",
                        "descriptorPool=$%d descriptorSetCount=1 pSetLayouts=&%d", SLOT_SETS,
                        SLOT_SET_LAYOUT);
    vk_scene_call(scene, "vkAllocateDescriptorSets", "$%d &%u &%d", VK_SLOT_DEVICE, info, SLOT_SET);
    uint32_t buffer =
        vk_scene_put(scene, "VkDescriptorBufferInfo", "buffer=$%d range=-1", SLOT_STORAGE);
    /* Another list has an invalid pointer, which must not matter. */
    info = vk_scene_put(scene, "VkWriteDescriptorSet",
                        "dstSet=$%d descriptorCount=1 descriptorType=7 pImageInfo=0xbadf00d "
                        "pBufferInfo=&%u",
                        SLOT_SET, buffer);
    vk_scene_call(scene, "vkUpdateDescriptorSets", "$%d 1 &%u 0 0", VK_SLOT_DEVICE, info);
}

static void make_compute_pipeline(struct vk_scene *scene)
{
    uint32_t name = vk_scene_bytes(scene, "main", 5);
    uint32_t info = vk_scene_put(scene, "VkPipelineLayoutCreateInfo",
                                 "setLayoutCount=1 pSetLayouts=&%d", SLOT_SET_LAYOUT);

    vk_scene_call(scene, "vkCreatePipelineLayout", "$%d &%u 0 &%d", VK_SLOT_DEVICE, info,
                  SLOT_LAYOUT);
    make_shader(scene, compute_shader, sizeof(compute_shader), SLOT_FIRST_SHADER);
    info = vk_scene_room(scene, 96);
    vk_scene_put_at(scene, info, "VkComputePipelineCreateInfo",
                    "stage.stage=0x20 stage.module=$%d stage.pName=&%u layout=$%d "
                    "basePipelineIndex=-1 stage.sType=18",
                    SLOT_FIRST_SHADER, name, SLOT_LAYOUT);
    vk_scene_call(scene, "vkCreateComputePipelines", "$%d 0 1 &%u 0 &%d", VK_SLOT_DEVICE, info,
                  SLOT_PIPELINE);
}

void vk_draw_compute(struct vk_scene *scene)
{
    uint32_t region = vk_scene_put(
        scene, "VkBufferImageCopy",
        "imageSubresource.aspectMask=1 imageSubresource.layerCount=1 imageExtent.width=%d "
        "imageExtent.height=%d imageExtent.depth=1",
        VK_SCENE_WIDTH, VK_SCENE_HEIGHT);
    uint32_t barrier =
        vk_scene_put(scene, "VkMemoryBarrier", "srcAccessMask=0x40 dstAccessMask=0x800");

    vk_scene_buffer(scene, VK_SCENE_BYTES, USAGE_STORAGE, SLOT_STORAGE, SLOT_STORAGE_MEMORY);
    make_set(scene);
    make_compute_pipeline(scene);
    vk_scene_record(scene);
    vk_scene_call(scene, "vkCmdBindPipeline", "$%d 1 $%d", VK_SLOT_COMMANDS, SLOT_PIPELINE);
    vk_scene_call(scene, "vkCmdBindDescriptorSets", "$%d 1 $%d 0 1 &%d 0 0", VK_SLOT_COMMANDS,
                  SLOT_LAYOUT, SLOT_SET);
    vk_scene_call(scene, "vkCmdDispatch", "$%d %d 1 1", VK_SLOT_COMMANDS, VK_SCENE_BYTES / 4 / 64);
    vk_scene_call(scene, "vkCmdPipelineBarrier", "$%d 0x800 0x1000 0 1 &%u 0 0 0 0",
                  VK_SLOT_COMMANDS, barrier);
    vk_scene_layout(scene, 0, VK_COMPUTE_LAYOUT);
    vk_scene_call(scene, "vkCmdCopyBufferToImage", "$%d $%d $%d %d 1 &%u", VK_SLOT_COMMANDS,
                  SLOT_STORAGE, VK_SLOT_IMAGE, VK_COMPUTE_LAYOUT, region);
}
