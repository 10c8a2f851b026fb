/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/d3d_images.h"

#include <errno.h>
#include <string.h>

/* Kinds by how a function's name goes on behind its interface; longer words stand first. */
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

/* What arguments, and members of a description, tell by their names. */
static const struct field {
    const char *name;
    enum apitrace_resource_field field;
} fields[] = {
    {"Width", APITRACE_RESOURCE_WIDTH},      {"EdgeLength", APITRACE_RESOURCE_WIDTH},
    {"Height", APITRACE_RESOURCE_HEIGHT},    {"Depth", APITRACE_RESOURCE_DEPTH},
    {"MipLevels", APITRACE_RESOURCE_LEVELS}, {"Levels", APITRACE_RESOURCE_LEVELS},
    {"ArraySize", APITRACE_RESOURCE_LAYERS}, {"ByteWidth", APITRACE_RESOURCE_BYTES},
    {"Length", APITRACE_RESOURCE_BYTES},     {"Usage", APITRACE_RESOURCE_USAGE},
    {"BindFlags", APITRACE_RESOURCE_BIND},
};

static const char *kind_of(const char *function)
{
    const char *method = strstr(function, "::");

    for (size_t n = 0; method != NULL && n < sizeof(kinds) / sizeof(kinds[0]); n++)
        if (strncmp(method + 2, kinds[n].word, strlen(kinds[n].word)) == 0)
            return kinds[n].name;
    return "unknown";
}

/* Takes what a value of that name tells. */
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

/* The members of a description; the reader stands behind its head. */
static void take_members(struct apitrace_call *call, const struct apitrace_struct *structure,
                         struct apitrace_resource *resource)
{
    for (uint32_t n = 0; n < structure->member_count && call->reader.status == 0; n++) {
        struct apitrace_value value;

        apitrace_read_value(&call->reader, call->definitions, &value);
        take_value(resource, structure->members[n].bytes, &value);
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
        take_members(call, value.structure, resource);
}

static int look_at(struct apitrace_call *call, struct apitrace_d3d_followed *followed,
                   struct apitrace_object_index *out)
{
    struct apitrace_resource resource = {.number = (uint32_t)call->record->number};
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
    if (apitrace_grow(&out->resources, out->resource_count, &out->resource_room,
                      sizeof(*out->resources), &out->memory) < 0)
        return -ENOMEM;
    out->resources[out->resource_count++] = resource;
    return apitrace_d3d_made(followed, call, out);
}

static int follow(struct apitrace_call *call, uint32_t number,
                  struct apitrace_d3d_followed *followed, struct apitrace_object_index *out)
{
    int status = apitrace_call_read(call, number);

    if (status < 0 || call->function == NULL)
        return status;
    switch (call->function->semantic) {
    case APITRACE_CREATE_D3D_RESOURCE:
        status = look_at(call, followed, out);
        break;
    case APITRACE_UPDATE_D3D_RESOURCE:
        status = apitrace_d3d_updated(followed, call, out);
        break;
    case APITRACE_MAP_D3D_RESOURCE:
        status = apitrace_d3d_mapped(followed, call, out);
        break;
    default:
        status = apitrace_d3d_written(followed, call, out);
        break;
    }
    return status < 0 ? status : apitrace_call_status(call);
}

int apitrace_find_resources(const struct apitrace_index *index, uint64_t max_memory,
                            struct problems *problems, const struct cancel *cancel,
                            struct apitrace_object_index *out)
{
    const struct apitrace_notes *notes = &index->notes[APITRACE_NOTE_RESOURCES];
    struct apitrace_d3d_followed followed = {.map_count = 0};
    struct apitrace_call call;
    int status = 0;

    apitrace_call_init(&call, index, cancel);
    for (uint64_t n = 0; n < notes->count && status == 0; n++) {
        status = follow(&call, notes->numbers[n], &followed, out);
        if (status == 0 && out->memory.taken > max_memory) {
            problems_add(problems, PROBLEM_ERROR, PROBLEM_NOWHERE, notes->numbers[n],
                         "resources take more than max-memory allows: the rest is not shown");
            break;
        }
    }
    apitrace_d3d_followed_clear(&followed);
    apitrace_call_clear(&call);
    return status == -EIO ? 0 : status; /* a damaged file: what was found is shown */
}
