/* SPDX-License-Identifier: MIT */
/* Vulkan calls as text: constants by name, structures with their members, chains, lists */
#include "config.h"

#include "formats/gapir/decode/vk_names.h"
#include "tests/formats/gapir/shown.h"
#include "tests/formats/gapir/vk_scene.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

static void need_registry(void)
{
    if (gapir_vk_command_count == 0)
        support_skip("built without the registry of Vulkan");
}

/* Writes and opens the scene as a payload. Checks that calls.txt contains each of `wanted`. */
static void expect_calls(struct vk_scene *scene, const char *option, const char *const *wanted)
{
    char *folder = vk_scene_write(scene);
    struct shown shown;

    shown_open(folder, option, &shown);
    for (; *wanted != NULL; wanted++)
        shown_expect(&shown, "calls.txt", *wanted);
    shown_close(&shown);
    support_remove(&folder);
}

static void structures_have_members(void **state)
{
    static const char *const wanted[] = {
        "replayCreateVkInstance(pCreateInfo=VOL+0x230 "
        "{sType=VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, "
        "pNext=null, flags=0x0, pApplicationInfo=VOL+0x200 "
        "{sType=VK_STRUCTURE_TYPE_APPLICATION_INFO, pNext=null, pApplicationName=null, "
        "applicationVersion=0, pEngineName=null, engineVersion=0, apiVersion=4198400}, "
        "enabledLayerCount=0, ppEnabledLayerNames=null, enabledExtensionCount=0, "
        "ppEnabledExtensionNames=null}, pAllocator=null, pInstance=VOL+0x8 {0x1001}) = "
        "VK_SUCCESS\n",
        "pQueuePriorities=VOL+0x280 {1}}}, enabledLayerCount=0",
        ", imageType=VK_IMAGE_TYPE_2D, format=VK_FORMAT_R8G8B8A8_UNORM, extent={width=64, "
        "height=48, depth=1}, mipLevels=1, arrayLayers=1, samples=VK_SAMPLE_COUNT_1_BIT, "
        "tiling=VK_IMAGE_TILING_OPTIMAL, usage=VK_IMAGE_USAGE_TRANSFER_SRC_BIT | "
        "VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_STORAGE_BIT | "
        "VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, sharingMode=VK_SHARING_MODE_EXCLUSIVE, "
        "queueFamilyIndexCount=0, pQueueFamilyIndices=null, "
        "initialLayout=VK_IMAGE_LAYOUT_UNDEFINED}",
        "imageLayout=VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, pColor=VOL+",
        " {float32={0.25, 0.5, 0.75, 1}}, rangeCount=1, pRanges=VOL+",
        " {{aspectMask=VK_IMAGE_ASPECT_COLOR_BIT, baseMipLevel=0, levelCount=1, "
        "baseArrayLayer=0, layerCount=1}})",
        "srcStageMask=VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, ",
        "commandBufferCount=1, pCommandBuffers=VOL+0x38 {0x1006}, ",
        NULL};
    struct vk_scene scene;

    (void)state;
    need_registry();
    vk_scene_begin(&scene);
    vk_scene_record(&scene);
    vk_scene_clear(&scene, 0.25F, 0.5F, 0.75F, 1.0F);
    vk_scene_post(&scene, 7);
    expect_calls(&scene, NULL, wanted);
}

static void chains_strings_and_counts_that_are_elsewhere(void **state)
{
    static const char *const wanted[] = {
        "pNext=VOL+0x220 {sType=VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, pNext=VOL+0x200 "
        "{sType=VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, pNext=null, "
        "flags=VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT | VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT, "
        "deviceMask=3}, image=0x7, buffer=0x0}, allocationSize=4096, memoryTypeIndex=2}",
        "ppEnabledExtensionNames=VOL+0x300 {CONST+0x0 \"VK_KHR_surface\"}",
        "commandBufferCount=2}, pCommandBuffers=VOL+0x400 {0x1003, 0x1004}) = VK_SUCCESS\n",
        "pCode=CONST+0xa}", NULL};
    struct vk_scene scene = {.build = {.stack_size = 512, .volatile_size = 64 << 10}};
    uint32_t flags, dedicated, info;

    (void)state;
    need_registry();
    flags = vk_scene_put(&scene, "VkMemoryAllocateFlagsInfo", "flags=3 deviceMask=3");
    dedicated = vk_scene_put(&scene, "VkMemoryDedicatedAllocateInfo", "pNext=&%u image=7", flags);
    info = vk_scene_put(&scene, "VkMemoryAllocateInfo",
                        "pNext=&%u allocationSize=4096 memoryTypeIndex=2", dedicated);
    vk_scene_call(&scene, "vkAllocateMemory", "1 &%u 0 &256", info);
    build_push(&scene.build, GAPIR_CONSTANT_POINTER,
               build_constant(&scene.build, "VK_KHR_surface", 15));
    build_op(&scene.build, GAPIR_STORE_V, 0x300);
    scene.used = 0x800;
    info = vk_scene_put(&scene, "VkInstanceCreateInfo",
                        "enabledExtensionCount=1 ppEnabledExtensionNames=&768");
    vk_scene_call(&scene, "vkCreateInstance", "&%u 0 &256", info);
    info =
        vk_scene_put(&scene, "VkCommandBufferAllocateInfo", "commandPool=1 commandBufferCount=2");
    vk_scene_call(&scene, "vkAllocateCommandBuffers", "1 &%u &1024", info);
    /* A pointer beyond memory is not followed. */
    info = vk_scene_put(&scene, "VkShaderModuleCreateInfo", "codeSize=400 pCode=0x20000000000a");
    vk_scene_call(&scene, "vkCreateShaderModule", "1 &%u 0 &256", info);
    expect_calls(&scene, NULL, wanted);
}

/* A chain that leads back to itself, and numbers that no constant has */
static void damage_ends(void **state)
{
    static const char *const wanted[] = {"{...}", "format=-1, ", "samples=0x80000000, ",
                                         "queueFamilyIndexCount=4294967295, "
                                         "pQueueFamilyIndices=VOL+0x8, ",
                                         NULL};
    struct vk_scene scene = {.build = {.stack_size = 512, .volatile_size = 64 << 10}};

    (void)state;
    need_registry();
    vk_scene_put_at(&scene, 0x400, "VkImageCreateInfo",
                    "pNext=&1024 format=-1 samples=0x80000000 queueFamilyIndexCount=-1 "
                    "pQueueFamilyIndices=&8");
    vk_scene_call(&scene, "vkCreateImage", "1 &1024 0 &256");
    expect_calls(&scene, NULL, wanted);
}

/* Structures have another layout there. */
static void four_byte_pointers_are_not_followed(void **state)
{
    static const char *const wanted[] = {"vkCmdClearColorImage(commandBuffer=0x1, image=0x2, "
                                         "imageLayout=VK_IMAGE_LAYOUT_GENERAL, pColor=VOL+0x100, ",
                                         NULL};
    struct vk_scene scene = {.build = {.stack_size = 512, .volatile_size = 4096}};

    (void)state;
    need_registry();
    build_push(&scene.build, GAPIR_UINT32, 1);
    build_push(&scene.build, GAPIR_UINT64, 2);
    build_push(&scene.build, GAPIR_UINT32, 1);
    build_push(&scene.build, GAPIR_VOLATILE_POINTER, 0x100);
    build_push(&scene.build, GAPIR_UINT32, 0);
    build_push(&scene.build, GAPIR_ABSOLUTE_POINTER, 0);
    vk_scene_call_word(&scene, "vkCmdClearColorImage");
    expect_calls(&scene, "gapir-ptrsize=4", wanted);
}

static void tables_are_sorted_and_whole(void **state)
{
    (void)state;
    need_registry();
    for (size_t n = 1; n < gapir_vk_command_count; n++)
        assert_true(strcmp(gapir_vk_commands[n - 1].name, gapir_vk_commands[n].name) < 0);
    for (size_t n = 1; n < gapir_vk_chain_count; n++)
        assert_true(gapir_vk_chain[n - 1].type < gapir_vk_chain[n].type);
    for (size_t n = 0; n < gapir_vk_structure_count; n++) {
        const struct gapir_vk_structure *structure = &gapir_vk_structures[n];

        for (unsigned i = 0; i < structure->count && structure->size > 0; i++) {
            const struct gapir_vk_member *member = &gapir_vk_members[structure->first + i];
            size_t size = member->pointers > 0 ? 8 : gapir_vk_element_size(member);
            assert_true(member->offset + size * member->elements <= structure->size ||
                        member->pointers > 0);
            assert_true(member->counted < structure->count);
        }
    }
    assert_string_equal(gapir_vk_constant_name(gapir_vk_command_find("vkCreateImage")->group, 0),
                        "VK_SUCCESS");
    assert_null(gapir_vk_command_find("vkCmdNothing"));
    assert_null(gapir_vk_chained_find(UINT32_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structures_have_members),
        cmocka_unit_test(chains_strings_and_counts_that_are_elsewhere),
        cmocka_unit_test(damage_ends),
        cmocka_unit_test(four_byte_pointers_are_not_followed),
        cmocka_unit_test(tables_are_sorted_and_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
