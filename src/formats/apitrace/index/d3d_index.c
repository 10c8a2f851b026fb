/* SPDX-License-Identifier: MIT */
#include "base/string.h"
#include "formats/apitrace/index/object_index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Kinds of resources by the beginning of the method's name; longer beginnings precede those that
 * they contain.
 */
static const struct kind {
    const char *word, *name;
} kinds[] = {
    {"CreateTexture1D", "texture1d"},
    {"CreateTexture2D", "texture2d"},
    {"CreateTexture3D", "texture3d"},
    {"CreateVolumeTexture", "texture3d"},
    {"CreateCubeTexture", "cube"},
    {"CreateTexture", "texture2d"},
    {"CreateBuffer", "buffer"},
    {"CreateVertexBuffer", "vertex-buffer"},
    {"CreateIndexBuffer", "index-buffer"},
    {"CreateRenderTargetView", "render-target-view"},
    {"CreateDepthStencilView", "depth-stencil-view"},
    {"CreateShaderResourceView", "shader-resource-view"},
    {"CreateUnorderedAccessView", "unordered-access-view"},
    {"CreateRenderTarget", "render-target"},
    {"CreateDepthStencilSurface", "depth-stencil"},
    {"CreateOffscreenPlainSurface", "surface"},
};

/* What arguments and members of a description state, by name. */
static const struct field {
    const char *name;
    enum apitrace_resource_field field;
} fields[] = {
    {"Width", APITRACE_RESOURCE_WIDTH},
    {"EdgeLength", APITRACE_RESOURCE_WIDTH},
    {"Height", APITRACE_RESOURCE_HEIGHT},
    {"Depth", APITRACE_RESOURCE_DEPTH},
    {"MipLevels", APITRACE_RESOURCE_LEVELS},
    {"Levels", APITRACE_RESOURCE_LEVELS},
    {"ArraySize", APITRACE_RESOURCE_LAYERS},
    {"ByteWidth", APITRACE_RESOURCE_BYTES},
    {"Length", APITRACE_RESOURCE_BYTES},
    {"Usage", APITRACE_RESOURCE_USAGE},
    {"BindFlags", APITRACE_RESOURCE_BIND},
    {"Count", APITRACE_RESOURCE_SAMPLES}, /* of SampleDesc */
    {"MultiSample", APITRACE_RESOURCE_SAMPLES},
};

static const char *kind_of(const char *function)
{
    const char *method = strstr(function, "::");

    for (size_t n = 0; method != NULL && n < sizeof(kinds) / sizeof(kinds[0]); n++)
        if (string_begins(method + 2, kinds[n].word))
            return kinds[n].name;
    return "unknown";
}

/* Takes the value of that name, if it is a known field. */
static void take_value(struct apitrace_resource *resource, const char *name,
                       const struct apitrace_value *value)
{
    int64_t integer = 0;

    if (!apitrace_value_integer(value, &integer))
        return;
    if (strcmp(name, "Format") == 0) {
        const struct apitrace_constant *constant =
            value->type == APITRACE_ENUM ? apitrace_enum_find(value->enumeration, integer) : NULL;

        resource->format = constant != NULL ? constant->name.bytes : NULL;
    }
    for (size_t n = 0; n < sizeof(fields) / sizeof(fields[0]); n++)
        if (strcmp(name, fields[n].name) == 0) {
            resource->values[fields[n].field] = (uint64_t)integer;
            resource->known |= 1U << fields[n].field;
        }
}

/*
 * Takes the members of a description, and of its SampleDesc. The reader is after the description's
 * head.
 */
static void take_members(struct apitrace_call *call, const struct apitrace_struct *structure,
                         bool nested, struct apitrace_resource *resource)
{
    for (uint32_t n = 0; n < structure->member_count && call->reader.status == 0; n++) {
        struct apitrace_value value;

        apitrace_read_value(&call->reader, call->definitions, &value);
        take_value(resource, structure->members[n].bytes, &value);
        if (value.type == APITRACE_STRUCT && !nested &&
            strcmp(structure->members[n].bytes, "SampleDesc") == 0)
            take_members(call, value.structure, true, resource);
        else
            apitrace_skip_rest(&call->reader, call->definitions, &value);
    }
}

static void take_arguments(struct apitrace_call *call, struct apitrace_resource *resource)
{
    uint32_t description = apitrace_call_named(call, "pDesc", "pDesc1", NULL);
    struct apitrace_value value;

    for (size_t n = 0; n < sizeof(fields) / sizeof(fields[0]); n++)
        if (apitrace_call_argument(call, apitrace_call_named(call, fields[n].name, NULL), &value))
            take_value(resource, fields[n].name, &value);
    if (apitrace_call_argument(call, apitrace_call_named(call, "Format", NULL), &value))
        take_value(resource, "Format", &value);
    if (apitrace_call_argument(call, description, &value) && value.type == APITRACE_STRUCT)
        take_members(call, value.structure, false, resource);
}

static int look_at(struct apitrace_call *call, struct apitrace_d3d_followed *followed)
{
    struct apitrace_d3d_index *index = followed->index;
    struct apitrace_resource resource = {
        .number = (uint32_t)call->record->number, .gone = UINT32_MAX, .lost = UINT32_MAX};
    uint32_t made;

    made = apitrace_call_named(call, "ppBuffer", "ppTexture1D", "ppTexture2D", "ppTexture3D",
                               "ppRTView", "ppDepthStencilView", "ppSRView", "ppUAView",
                               "ppRTView1", "ppSRView1", "ppUAView1", "ppTexture", "ppCubeTexture",
                               "ppVolumeTexture", "ppVertexBuffer", "ppIndexBuffer", "ppSurface",
                               "ppRenderTargetView", "ppShaderResourceView", NULL);
    resource.kind = kind_of(call->function->name.bytes);
    resource.object = (uint64_t)apitrace_call_integer(call, made, 0);
    resource.of = (uint64_t)apitrace_call_integer_named(call, "pResource", 0);
    take_arguments(call, &resource);
    apitrace_d3d_settle(&resource);
    if (apitrace_grow(&index->resources, index->resource_count, &index->resource_room,
                      sizeof(*index->resources), &index->memory) < 0)
        return -ENOMEM;
    index->resources[index->resource_count++] = resource;
    return apitrace_d3d_made(followed, call);
}

static int follow(struct apitrace_call *call, uint32_t number,
                  struct apitrace_d3d_followed *followed)
{
    int status = apitrace_call_read(call, number);

    if (status < 0 || call->function == NULL)
        return status;
    switch (call->function->semantic) {
    case APITRACE_CREATE_D3D_RESOURCE:
        status = look_at(call, followed);
        break;
    case APITRACE_UPDATE_D3D_RESOURCE:
        status = apitrace_d3d_updated(followed, call);
        break;
    case APITRACE_MAP_D3D_RESOURCE:
        status = apitrace_d3d_mapped(followed, call);
        break;
    case APITRACE_UNMAP_D3D_RESOURCE:
        status = apitrace_d3d_unmapped(followed, call);
        break;
    case APITRACE_COPY_D3D_RESOURCE:
        status = apitrace_d3d_copied(followed, call);
        break;
    case APITRACE_GET_D3D_SURFACE:
        status = apitrace_d3d_surface(followed, call);
        break;
    default:
        status = apitrace_d3d_written(followed, call);
        break;
    }
    return status < 0 ? status : apitrace_call_status(call);
}

/* Bytes of the lists, and of the maps that are needed while calls are followed. */
static uint64_t memory_of(const struct apitrace_d3d_followed *followed,
                          const struct apitrace_object_index *out)
{
    return out->memory.taken + out->d3d.memory.taken + apitrace_map_bytes(&followed->handles) +
           apitrace_map_bytes(&followed->contents);
}

int apitrace_find_resources(const struct apitrace_index *index, uint64_t max_memory,
                            struct problems *problems, const struct cancel *cancel,
                            struct apitrace_object_index *out)
{
    const struct apitrace_notes *notes = &index->notes[APITRACE_NOTE_RESOURCES];
    struct apitrace_d3d_followed *followed = calloc(1, sizeof(*followed));
    struct apitrace_call call;
    int status = 0;

    if (followed == NULL)
        return -ENOMEM;
    followed->index = &out->d3d;
    followed->cancel = cancel;
    followed->steps_max = apitrace_d3d_steps_max(index->stream.size);
    apitrace_call_init(&call, index, cancel);
    for (uint64_t n = 0; n < notes->count && status == 0; n++) {
        status = follow(&call, notes->numbers[n], followed);
        if (status == 0 && memory_of(followed, out) > max_memory) {
            problems_add(problems, PROBLEM_ERROR, PROBLEM_NOWHERE, notes->numbers[n],
                         "resources take more than max-memory allows: the rest is not shown");
            break;
        }
    }
    if (followed->beyond)
        problems_add(problems, PROBLEM_WARNING, PROBLEM_NOWHERE, followed->beyond_at,
                     "resources are copied completely more often than is allowed for a trace of "
                     "this size: the contents that such copies leave from here on are unknown");
    apitrace_d3d_followed_clear(followed);
    free(followed);
    apitrace_call_clear(&call);
    apitrace_d3d_finish(&out->d3d);
    return status == -EIO ? 0 : status; /* of a damaged file, what was found is shown */
}
