/* SPDX-License-Identifier: MIT */
/* Translates DXBC to SPIR-V by vkd3d-shader, and to GLSL by SPIRV-Cross. */
#include "config.h"

#include "glworker/translate/translate.h"

#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_VKD3D

#include <GL/glcorearb.h>
#include <spirv_cross_c.h>
#include <vkd3d_shader.h>

/* Descriptor sets, one for each kind of resource; bindings are D3D's slots. */
enum set {
    SET_CONSTANTS,
    SET_TEXTURES,
    SET_SAMPLERS,
    SET_BUFFERS,
    SET_WRITTEN,
    SET_COUNTERS,
    SETS
};

enum { TEXTURE_SLOTS = 128, SAMPLER_SLOTS = 16, WRITTEN_SLOTS = 8 };

enum { BINDINGS_MAX = TRANSLATE_CONSTANTS + 2 * TEXTURE_SLOTS + SAMPLER_SLOTS + 2 * WRITTEN_SLOTS };

struct interface {
    struct vkd3d_shader_resource_binding bindings[BINDINGS_MAX];
    struct vkd3d_shader_uav_counter_binding counters[WRITTEN_SLOTS];
    struct vkd3d_shader_interface_info info;
};

static void add_bindings(struct interface *interface, enum vkd3d_shader_descriptor_type type,
                         unsigned flags, enum set set, unsigned count)
{
    for (unsigned slot = 0; slot < count; slot++)
        interface->bindings[interface->info.binding_count++] =
            (struct vkd3d_shader_resource_binding){
                .type = type,
                .register_index = slot,
                .shader_visibility = VKD3D_SHADER_VISIBILITY_ALL,
                .flags = flags,
                .binding = {.set = set, .binding = slot, .count = 1},
            };
}

static void init_interface(struct interface *interface)
{
    const unsigned buffer = VKD3D_SHADER_BINDING_FLAG_BUFFER;
    const unsigned image = VKD3D_SHADER_BINDING_FLAG_IMAGE;

    memset(interface, 0, sizeof(*interface));
    interface->info.type = VKD3D_SHADER_STRUCTURE_TYPE_INTERFACE_INFO;
    interface->info.bindings = interface->bindings;
    interface->info.uav_counters = interface->counters;
    add_bindings(interface, VKD3D_SHADER_DESCRIPTOR_TYPE_CBV, buffer, SET_CONSTANTS,
                 TRANSLATE_CONSTANTS);
    add_bindings(interface, VKD3D_SHADER_DESCRIPTOR_TYPE_SRV, image, SET_TEXTURES, TEXTURE_SLOTS);
    add_bindings(interface, VKD3D_SHADER_DESCRIPTOR_TYPE_SRV, buffer, SET_BUFFERS, TEXTURE_SLOTS);
    /* vkd3d-shader looks samplers up with the same flag as images. */
    add_bindings(interface, VKD3D_SHADER_DESCRIPTOR_TYPE_SAMPLER, image, SET_SAMPLERS,
                 SAMPLER_SLOTS);
    add_bindings(interface, VKD3D_SHADER_DESCRIPTOR_TYPE_UAV, buffer, SET_WRITTEN, WRITTEN_SLOTS);
    for (unsigned slot = 0; slot < WRITTEN_SLOTS; slot++)
        interface->counters[interface->info.uav_counter_count++] =
            (struct vkd3d_shader_uav_counter_binding){
                .register_index = slot,
                .shader_visibility = VKD3D_SHADER_VISIBILITY_ALL,
                .binding = {.set = SET_COUNTERS, .binding = slot, .count = 1},
            };
}

/* Stores the last line of `text` that is not empty as the reason. */
static void quote(char reason[WORKER_REASON], const char *what, const char *text)
{
    size_t length = text == NULL ? 0 : strcspn(text, "\n");

    snprintf(reason, WORKER_REASON, "%s%s%.*s", what, length > 0 ? ": " : "",
             (int)(length < 250 ? length : 250), length > 0 ? text : "");
}

static int to_spirv(const uint8_t *bytes, size_t size, struct translation *out,
                    char reason[WORKER_REASON])
{
    static const struct vkd3d_shader_compile_option options[] = {
        {VKD3D_SHADER_COMPILE_OPTION_STRIP_DEBUG, 1}};
    struct interface interface;
    struct vkd3d_shader_compile_info info = {
        .type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO,
        .next = &interface.info,
        .source = {.code = bytes, .size = size},
        .source_type = VKD3D_SHADER_SOURCE_DXBC_TPF,
        .target_type = VKD3D_SHADER_TARGET_SPIRV_BINARY,
        .options = options,
        .option_count = 1,
        .log_level = VKD3D_SHADER_LOG_ERROR,
    };
    struct vkd3d_shader_code code = {.code = NULL};
    char *messages = NULL;
    int status;

    init_interface(&interface);
    status = vkd3d_shader_compile(&info, &code, &messages);
    if (status < 0) {
        quote(reason, "vkd3d-shader refuses it", messages);
        status = status == VKD3D_ERROR_OUT_OF_MEMORY ? -ENOMEM : -EINVAL;
    } else {
        out->spirv = malloc(code.size);
        out->spirv_size = code.size;
        if (out->spirv == NULL)
            status = -ENOMEM;
        else
            memcpy(out->spirv, code.code, code.size);
        vkd3d_shader_free_shader_code(&code);
    }
    vkd3d_shader_free_messages(messages);
    return status < 0 ? status : 0;
}

static unsigned slot_of(spvc_compiler compiler, SpvId id)
{
    return spvc_compiler_get_decoration(compiler, id, SpvDecorationBinding);
}

static void bind(spvc_compiler compiler, SpvId id, unsigned binding)
{
    spvc_compiler_unset_decoration(compiler, id, SpvDecorationDescriptorSet);
    spvc_compiler_set_decoration(compiler, id, SpvDecorationBinding, binding);
}

static uint32_t target_of(spvc_type type)
{
    bool arrayed = spvc_type_get_image_arrayed(type);

    switch (spvc_type_get_image_dimension(type)) {
    case SpvDim1D:
        return arrayed ? GL_TEXTURE_1D_ARRAY : GL_TEXTURE_1D;
    case SpvDim3D:
        return GL_TEXTURE_3D;
    case SpvDimCube:
        return arrayed ? GL_TEXTURE_CUBE_MAP_ARRAY : GL_TEXTURE_CUBE_MAP;
    case SpvDimBuffer:
        return GL_TEXTURE_BUFFER;
    default:
        if (spvc_type_get_image_multisampled(type))
            return arrayed ? GL_TEXTURE_2D_MULTISAMPLE_ARRAY : GL_TEXTURE_2D_MULTISAMPLE;
        return arrayed ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D;
    }
}

static uint32_t texel_of(spvc_compiler compiler, spvc_type type)
{
    spvc_type texel =
        spvc_compiler_get_type_handle(compiler, spvc_type_get_image_sampled_type(type));

    switch (spvc_type_get_basetype(texel)) {
    case SPVC_BASETYPE_INT32:
        return GL_R32I;
    case SPVC_BASETYPE_UINT32:
        return GL_R32UI;
    default:
        return GL_R32F;
    }
}

static int bind_constants(spvc_compiler compiler, spvc_resources resources, enum dxbc_program stage,
                          struct translation *out)
{
    const spvc_reflected_resource *list;
    size_t count, size;

    if (spvc_resources_get_resource_list_for_type(resources, SPVC_RESOURCE_TYPE_UNIFORM_BUFFER,
                                                  &list, &count) != SPVC_SUCCESS)
        return -EINVAL;
    for (size_t i = 0; i < count; i++) {
        unsigned slot = slot_of(compiler, list[i].id);
        spvc_type type = spvc_compiler_get_type_handle(compiler, list[i].base_type_id);

        if (slot >= TRANSLATE_CONSTANTS ||
            spvc_compiler_get_declared_struct_size(compiler, type, &size) != SPVC_SUCCESS ||
            size > 65536)
            return -EINVAL;
        out->constants[slot] = (uint32_t)size;
        bind(compiler, list[i].id, translate_first_constant(stage) + slot);
    }
    return 0;
}

static int add_unit(spvc_compiler compiler, SpvId id, enum dxbc_program stage,
                    const struct translate_unit *unit, struct translation *out)
{
    if (out->unit_count == TRANSLATE_UNITS)
        return -EINVAL;
    bind(compiler, id, translate_first_unit(stage) + out->unit_count);
    out->units[out->unit_count++] = *unit;
    return 0;
}

/* Returns the type of the resource in the list with that id; NULL if there is none. */
static spvc_type type_of(spvc_compiler compiler, const spvc_reflected_resource *list, size_t count,
                         SpvId id)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].id == id)
            return spvc_compiler_get_type_handle(compiler, list[i].base_type_id);
    return NULL;
}

/*
 * Binds textures with their samplers. `fetched` is the dummy sampler of textures that are only
 * fetched.
 */
static int bind_textures(spvc_compiler compiler, spvc_resources resources, SpvId fetched,
                         enum dxbc_program stage, struct translation *out)
{
    const spvc_combined_image_sampler *list;
    const spvc_reflected_resource *images;
    size_t count, image_count;
    int status = 0;

    if (spvc_compiler_get_combined_image_samplers(compiler, &list, &count) != SPVC_SUCCESS ||
        spvc_resources_get_resource_list_for_type(resources, SPVC_RESOURCE_TYPE_SEPARATE_IMAGE,
                                                  &images, &image_count) != SPVC_SUCCESS)
        return -EINVAL;
    for (size_t i = 0; i < count && status == 0; i++) {
        unsigned sampler =
            list[i].sampler_id == fetched ? 0 : slot_of(compiler, list[i].sampler_id);
        spvc_type type = type_of(compiler, images, image_count, list[i].image_id);
        struct translate_unit unit = {
            .slot = (uint8_t)slot_of(compiler, list[i].image_id),
            .sampler = list[i].sampler_id == fetched ? TRANSLATE_NO_SAMPLER : (int8_t)sampler,
            .target = type == NULL ? 0 : target_of(type),
        };

        status = sampler >= SAMPLER_SLOTS || type == NULL
                     ? -EINVAL
                     : add_unit(compiler, list[i].combined_id, stage, &unit, out);
    }
    return status;
}

static int bind_buffers(spvc_compiler compiler, spvc_resources resources, enum dxbc_program stage,
                        struct translation *out)
{
    const spvc_reflected_resource *list;
    size_t count;
    int status = 0;

    if (spvc_resources_get_resource_list_for_type(resources, SPVC_RESOURCE_TYPE_SEPARATE_IMAGE,
                                                  &list, &count) != SPVC_SUCCESS)
        return -EINVAL;
    for (size_t i = 0; i < count && status == 0; i++) {
        spvc_type type = spvc_compiler_get_type_handle(compiler, list[i].base_type_id);
        struct translate_unit unit = {
            .slot = (uint8_t)slot_of(compiler, list[i].id),
            .sampler = TRANSLATE_NO_SAMPLER,
            .buffer = true,
            .target = GL_TEXTURE_BUFFER,
            .texel = texel_of(compiler, type),
        };

        if (target_of(type) == GL_TEXTURE_BUFFER)
            status = add_unit(compiler, list[i].id, stage, &unit, out);
    }
    return status;
}

static int bind_images(spvc_compiler compiler, spvc_resources resources, enum dxbc_program stage,
                       struct translation *out)
{
    const spvc_reflected_resource *list;
    size_t count;

    if (spvc_resources_get_resource_list_for_type(resources, SPVC_RESOURCE_TYPE_STORAGE_IMAGE,
                                                  &list, &count) != SPVC_SUCCESS ||
        count > TRANSLATE_IMAGES)
        return -EINVAL;
    for (size_t i = 0; i < count; i++) {
        spvc_type type = spvc_compiler_get_type_handle(compiler, list[i].base_type_id);

        if (target_of(type) != GL_TEXTURE_BUFFER)
            return -EINVAL;
        out->images[out->image_count] = (struct translate_image){
            .slot = (uint8_t)slot_of(compiler, list[i].id),
            .counter = spvc_compiler_get_decoration(compiler, list[i].id,
                                                    SpvDecorationDescriptorSet) == SET_COUNTERS,
            .texel = texel_of(compiler, type),
        };
        bind(compiler, list[i].id, translate_first_image(stage) + out->image_count++);
    }
    return 0;
}

static int bind_all(spvc_compiler compiler, enum dxbc_program stage, struct translation *out)
{
    spvc_resources resources;
    SpvId fetched = 0;
    int status;

    if (spvc_compiler_build_dummy_sampler_for_combined_images(compiler, &fetched) != SPVC_SUCCESS)
        return -EINVAL;
    if (fetched != 0) {
        spvc_compiler_set_decoration(compiler, fetched, SpvDecorationDescriptorSet, SETS);
        spvc_compiler_set_decoration(compiler, fetched, SpvDecorationBinding, 0);
    }
    if (spvc_compiler_build_combined_image_samplers(compiler) != SPVC_SUCCESS ||
        spvc_compiler_create_shader_resources(compiler, &resources) != SPVC_SUCCESS)
        return -EINVAL;
    status = bind_constants(compiler, resources, stage, out);
    if (status == 0)
        status = bind_textures(compiler, resources, fetched, stage, out);
    if (status == 0)
        status = bind_buffers(compiler, resources, stage, out);
    if (status == 0)
        status = bind_images(compiler, resources, stage, out);
    return status;
}

static int set_options(spvc_compiler compiler, bool flip)
{
    spvc_compiler_options options;

    if (spvc_compiler_create_compiler_options(compiler, &options) != SPVC_SUCCESS)
        return -EINVAL;
    spvc_compiler_options_set_uint(options, SPVC_COMPILER_OPTION_GLSL_VERSION, 450);
    spvc_compiler_options_set_bool(options, SPVC_COMPILER_OPTION_GLSL_ES, false);
    /* Each stage is compiled separately, whatever it is drawn with. */
    spvc_compiler_options_set_bool(options, SPVC_COMPILER_OPTION_GLSL_SEPARATE_SHADER_OBJECTS,
                                   true);
    spvc_compiler_options_set_bool(options, SPVC_COMPILER_OPTION_FLIP_VERTEX_Y, flip);
    return spvc_compiler_install_compiler_options(compiler, options) == SPVC_SUCCESS ? 0 : -EINVAL;
}

static int to_glsl(enum dxbc_program stage, bool flip, struct translation *out,
                   char reason[WORKER_REASON])
{
    spvc_context context = NULL;
    spvc_parsed_ir ir;
    spvc_compiler compiler;
    const char *text;
    int status = -EINVAL;

    if (spvc_context_create(&context) != SPVC_SUCCESS)
        return -ENOMEM;
    if (spvc_context_parse_spirv(context, out->spirv, out->spirv_size / 4, &ir) == SPVC_SUCCESS &&
        spvc_context_create_compiler(context, SPVC_BACKEND_GLSL, ir,
                                     SPVC_CAPTURE_MODE_TAKE_OWNERSHIP, &compiler) == SPVC_SUCCESS)
        status = set_options(compiler, flip);
    if (status == 0)
        status = bind_all(compiler, stage, out);
    if (status == 0 && spvc_compiler_compile(compiler, &text) != SPVC_SUCCESS)
        status = -EINVAL;
    if (status < 0)
        quote(reason, "SPIRV-Cross refuses it", spvc_context_get_last_error_string(context));
    if (status == 0) {
        out->glsl = strdup(text);
        status = out->glsl == NULL ? -ENOMEM : 0;
    }
    spvc_context_destroy(context);
    return status;
}

/* Makes a geometry shader flip y before each vertex that it emits. */
static int flip_emitted(struct translation *out)
{
    static const char emit[] = "EmitVertex();", turn[] = "gl_Position.y = -gl_Position.y;\n    ";
    struct text text = TEXT_INIT;
    const char *from = out->glsl, *found;
    int status;

    while ((found = strstr(from, emit)) != NULL) {
        text_add_bytes(&text, from, (size_t)(found - from));
        text_add(&text, turn);
        text_add(&text, emit);
        from = found + sizeof(emit) - 1;
    }
    text_add(&text, from);
    text_add_char(&text, '\0');
    status = text_status(&text);
    if (status == 0) {
        free(out->glsl);
        out->glsl = strdup(text.bytes);
        status = out->glsl == NULL ? -ENOMEM : 0;
    }
    text_clear(&text);
    return status;
}

int translate_dxbc(const uint8_t *bytes, size_t size, enum dxbc_program stage, bool flip,
                   struct translation *out, char reason[WORKER_REASON])
{
    bool geometry = stage == DXBC_GS;
    int status;

    *out = (struct translation){.glsl = NULL};
    status = to_spirv(bytes, size, out, reason);
    if (status == 0)
        status = to_glsl(stage, flip && !geometry, out, reason);
    if (status == 0 && flip && geometry)
        status = flip_emitted(out);
    if (status == 0)
        out->base_vertex = strstr(out->glsl, "BaseVertex") != NULL;
    return status;
}

#else

int translate_dxbc(const uint8_t *bytes, size_t size, enum dxbc_program stage, bool flip,
                   struct translation *out, char reason[WORKER_REASON])
{
    (void)bytes, (void)size, (void)stage, (void)flip;
    *out = (struct translation){.glsl = NULL};
    snprintf(reason, WORKER_REASON, "built without vkd3d-shader and SPIRV-Cross");
    return -ENOSYS;
}

#endif
