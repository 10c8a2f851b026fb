/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/object_index.h"

#include "formats/apitrace/collections.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPIR_V_FORMAT = 0x9551,
    LENGTHS_MAX = 256,     /* stated in one call; further strings are taken completely */
    OBJECTS_MAX = 1 << 20, /* that are remembered */
};

/* Stages by glCreateShader's type, and by the target of ARB programs. */
static const struct stage {
    int64_t type;
    const char *name;
} stages[] = {
    {0x8B31, "vert"}, {0x8B30, "frag"}, {0x8DD9, "geom"}, {0x8E88, "tesc"},
    {0x8E87, "tese"}, {0x91B9, "comp"}, {0x8620, "vert"}, {0x8804, "frag"},
    {0x8C26, "geom"}, {0x891E, "tesc"}, {0x891F, "tese"}, {0x90FB, "comp"},
};

static const char *stage_of(int64_t type)
{
    for (size_t n = 0; n < sizeof(stages) / sizeof(stages[0]); n++)
        if (stages[n].type == type)
            return stages[n].name;
    return "unknown";
}

/* Stages of Direct3D by a part of the function's name. They have GLSL's names, as in OpenGL. */
static const struct d3d_stage {
    const char *word, *name;
} d3d_stages[] = {
    {"::CreateVertexShader", "vert"}, {"::CreateHullShader", "tesc"},
    {"::CreateDomainShader", "tese"}, {"::CreateGeometryShader", "geom"},
    {"::CreatePixelShader", "frag"},  {"::CreateComputeShader", "comp"},
};

static const char *d3d_stage_of(const char *function)
{
    for (size_t n = 0; n < sizeof(d3d_stages) / sizeof(d3d_stages[0]); n++)
        if (strstr(function, d3d_stages[n].word) != NULL)
            return d3d_stages[n].name;
    return "unknown";
}

struct finding {
    struct apitrace_call call;
    struct apitrace_object_index *objects;
    struct apitrace_map types; /* with which objects were created, by the objects' names */
};

static const char *object_stage(const struct finding *finding, int64_t name)
{
    uint64_t type = 0;

    apitrace_map_get(&finding->types, (uint64_t)name, 0, &type);
    return stage_of((int64_t)type);
}

static int remember(struct finding *finding, int64_t name, int64_t type)
{
    uint64_t known;

    if (apitrace_map_count(&finding->types) >= OBJECTS_MAX &&
        !apitrace_map_get(&finding->types, (uint64_t)name, 0, &known))
        return 0;
    return apitrace_map_set(&finding->types, (uint64_t)name, 0, (uint64_t)type);
}

/* Receives source text, which is counted or also copied. */
struct sink {
    uint8_t *to; /* NULL: only count */
    uint64_t room, count;
};

/* Takes the bytes of a string that follow, up to `limit` or a NUL. */
static void take_string(struct apitrace_reader *reader, uint64_t length, uint64_t limit,
                        struct sink *sink)
{
    bool ended = false;

    while (length > 0) {
        const uint8_t *bytes, *nul;
        size_t some = apitrace_read_some(reader, length, &bytes), kept;

        if (some == 0)
            return;
        length -= some;
        kept = ended ? 0 : some < limit ? some : (size_t)limit;
        nul = kept > 0 ? memchr(bytes, 0, kept) : NULL;
        if (nul != NULL) {
            kept = (size_t)(nul - bytes);
            ended = true;
        }
        limit -= kept;
        if (sink->to != NULL && kept <= sink->room - sink->count)
            memcpy(sink->to + sink->count, bytes, kept);
        sink->count += kept;
    }
}

static void take_blob(struct apitrace_reader *reader, uint64_t length, uint64_t limit,
                      struct sink *sink)
{
    if (length > limit)
        length = limit;
    while (length > 0) {
        const uint8_t *bytes;
        size_t some = apitrace_read_some(reader, length, &bytes);

        if (some == 0)
            return;
        length -= some;
        if (sink->to != NULL && some <= sink->room - sink->count)
            memcpy(sink->to + sink->count, bytes, some);
        sink->count += some;
    }
}

/*
 * Reads the lengths that a call states. If there is none, or a negative one, it is UINT64_MAX: the
 * complete string.
 */
static void read_lengths(struct apitrace_call *call, uint32_t argument, uint64_t *lengths)
{
    struct apitrace_value value;
    uint64_t count = 0;

    for (unsigned n = 0; n < LENGTHS_MAX; n++)
        lengths[n] = UINT64_MAX;
    if (argument >= call->argument_count || call->arguments[argument] == 0)
        return;
    apitrace_reader_seek(&call->reader, call->arguments[argument]);
    apitrace_read_value(&call->reader, call->definitions, &value);
    if (value.type == APITRACE_ARRAY)
        count = value.number < LENGTHS_MAX ? value.number : (uint64_t)LENGTHS_MAX;
    for (uint64_t n = 0; n < count; n++) {
        int64_t length = -1;

        if (apitrace_read_integer(&call->reader, call->definitions, &length) && length >= 0)
            lengths[n] = (uint64_t)length;
    }
}

/*
 * Takes one string, or blob, at the reader's position. A shader of Direct3D has two forms: a
 * disassembly for humans, and for machines what the program handed over, which is taken.
 */
static void take_one(struct apitrace_call *call, uint64_t limit, struct sink *sink)
{
    struct apitrace_value value;

    apitrace_read_value(&call->reader, call->definitions, &value);
    if (value.type == APITRACE_REPR) {
        apitrace_read_value(&call->reader, call->definitions, &value);
        apitrace_skip_rest(&call->reader, call->definitions, &value);
        apitrace_read_value(&call->reader, call->definitions, &value);
    }
    if (value.type == APITRACE_STRING)
        take_string(&call->reader, value.number, limit, sink);
    else if (value.type == APITRACE_BLOB)
        take_blob(&call->reader, value.number, limit, sink);
    else
        apitrace_skip_rest(&call->reader, call->definitions, &value);
}

/* Takes the strings of glShaderSource, joined. */
static void take_strings(struct apitrace_call *call, uint32_t strings, uint32_t lengths,
                         struct sink *sink)
{
    struct apitrace_value value;
    uint64_t stated[LENGTHS_MAX];

    if (strings >= call->argument_count || call->arguments[strings] == 0)
        return;
    read_lengths(call, lengths, stated);
    apitrace_reader_seek(&call->reader, call->arguments[strings]);
    apitrace_read_value(&call->reader, call->definitions, &value);
    if (value.type != APITRACE_ARRAY) {
        apitrace_reader_seek(&call->reader, call->arguments[strings]);
        take_one(call, stated[0], sink);
        return;
    }
    for (uint64_t n = 0; n < value.number && call->reader.status == 0; n++)
        take_one(call, n < LENGTHS_MAX ? stated[n] : UINT64_MAX, sink);
}

/* Takes everything that a call hands over. */
static void take_all(struct apitrace_call *call, struct sink *sink)
{
    switch (call->function->semantic) {
    case APITRACE_SHADER_SOURCE:
        take_strings(call, apitrace_call_named(call, "string", "strings", NULL),
                     apitrace_call_named(call, "length", NULL), sink);
        break;
    case APITRACE_CREATE_PROGRAM_OF:
        take_strings(call, apitrace_call_named(call, "strings", "string", NULL), UINT32_MAX, sink);
        break;
    case APITRACE_PROGRAM_STRING:
    case APITRACE_NAMED_PROGRAM_STRING:
        take_strings(call, apitrace_call_named(call, "string", NULL), UINT32_MAX, sink);
        break;
    case APITRACE_CREATE_D3D_SHADER:
        take_strings(call, apitrace_call_named(call, "pShaderBytecode", "pFunction", NULL),
                     UINT32_MAX, sink);
        break;
    default:
        take_strings(call, apitrace_call_named(call, "binary", NULL), UINT32_MAX, sink);
    }
}

/* Returns the first shader of glShaderBinary, or the object that a Direct3D call hands out. */
static int64_t first_of(struct apitrace_call *call, uint32_t argument)
{
    struct apitrace_value value;
    int64_t name = 0;

    if (argument >= call->argument_count || call->arguments[argument] == 0)
        return 0;
    apitrace_reader_seek(&call->reader, call->arguments[argument]);
    apitrace_read_value(&call->reader, call->definitions, &value);
    if (value.type == APITRACE_ARRAY && value.number > 0)
        apitrace_read_value(&call->reader, call->definitions, &value);
    apitrace_value_integer(&value, &name);
    return name;
}

/* Sets the object, the stage and the suffix. */
static void describe(struct finding *finding, struct apitrace_shader *shader)
{
    struct apitrace_call *call = &finding->call;
    int64_t object = 0;

    shader->suffix = ".glsl";
    switch (call->function->semantic) {
    case APITRACE_SHADER_SOURCE:
        object = apitrace_call_integer(call, 0, 0);
        shader->stage = object_stage(finding, object);
        break;
    case APITRACE_CREATE_PROGRAM_OF:
        object = apitrace_call_result(call, 0);
        shader->stage = stage_of(apitrace_call_integer(call, 0, 0));
        break;
    case APITRACE_PROGRAM_STRING:
        shader->stage = stage_of(apitrace_call_integer(call, 0, 0));
        shader->suffix = ".asm";
        break;
    case APITRACE_NAMED_PROGRAM_STRING:
        object = apitrace_call_integer(call, 0, 0);
        shader->stage = stage_of(apitrace_call_integer(call, 1, 0));
        shader->suffix = ".asm";
        break;
    case APITRACE_SHADER_BINARY:
        object = first_of(call, 1);
        shader->stage = object_stage(finding, object);
        shader->suffix = apitrace_call_integer(call, 2, 0) == SPIR_V_FORMAT ? ".spv" : ".bin";
        break;
    case APITRACE_CREATE_D3D_SHADER:
        object = first_of(call,
                          apitrace_call_named(call, "ppVertexShader", "ppHullShader",
                                              "ppDomainShader", "ppGeometryShader", "ppPixelShader",
                                              "ppComputeShader", "ppShader", "pHandle", NULL));
        shader->stage = d3d_stage_of(call->function->name.bytes);
        shader->suffix =
            strncmp(call->function->name.bytes, "IDirect3D", 9) == 0 ? ".d3d9" : ".dxbc";
        break;
    default:
        object = apitrace_call_integer(call, 0, 0);
        shader->stage = "program";
        shader->suffix = ".bin";
    }
    shader->object = (uint64_t)object;
}

static int look_at(struct finding *finding, uint32_t number)
{
    struct apitrace_object_index *objects = finding->objects;
    struct apitrace_call *call = &finding->call;
    struct apitrace_shader shader = {.number = number};
    struct sink sink = {0};
    int status = apitrace_call_read(call, number);

    if (status < 0)
        return status;
    if (call->function->semantic == APITRACE_CREATE_SHADER)
        return remember(finding, apitrace_call_result(call, 0), apitrace_call_integer(call, 0, 0));
    describe(finding, &shader);
    take_all(call, &sink);
    shader.bytes = sink.count;
    if (apitrace_grow(&objects->shaders, objects->shader_count, &objects->shader_room,
                      sizeof(*objects->shaders), &objects->memory) < 0)
        return -ENOMEM;
    objects->shaders[objects->shader_count++] = shader;
    return apitrace_call_status(call);
}

static int compare(const void *a, const void *b)
{
    const struct apitrace_shader *left = a, *right = b;

    return left->number < right->number ? -1 : left->number > right->number;
}

int apitrace_find_shaders(const struct apitrace_index *index, uint64_t max_memory,
                          struct problems *problems, const struct cancel *cancel,
                          struct apitrace_object_index *out)
{
    const struct apitrace_notes *notes = &index->notes[APITRACE_NOTE_SHADERS];
    struct finding finding = {.objects = out};
    int status = 0;

    apitrace_call_init(&finding.call, index, cancel);
    for (uint64_t n = 0; n < notes->count && status == 0; n++) {
        status = look_at(&finding, notes->numbers[n]);
        if (status == 0 && out->memory.taken > max_memory) {
            problems_add(problems, PROBLEM_ERROR, PROBLEM_NOWHERE, notes->numbers[n],
                         "shaders take more than max-memory allows: the rest is not shown");
            break;
        }
    }
    apitrace_map_clear(&finding.types);
    apitrace_call_clear(&finding.call);
    if (out->shader_count > 0)
        qsort(out->shaders, (size_t)out->shader_count, sizeof(*out->shaders), compare);
    return status == -EIO ? 0 : status; /* of a damaged file, what was found is shown */
}

int apitrace_shader_read(const struct apitrace_index *index, const struct apitrace_shader *shader,
                         const struct cancel *cancel, struct blob **out)
{
    struct apitrace_call call;
    struct sink sink = {.room = shader->bytes};
    struct blob *blob = NULL;
    int status = blob_create((size_t)shader->bytes, &blob);

    if (status < 0)
        return status;
    sink.to = blob->data;
    apitrace_call_init(&call, index, cancel);
    status = apitrace_call_read(&call, shader->number);
    if (status == 0) {
        take_all(&call, &sink);
        status = apitrace_call_status(&call);
    }
    if (status == 0 && sink.count != shader->bytes)
        status = -EIO;
    apitrace_call_clear(&call);
    if (status < 0)
        blob_unref(&blob);
    *out = blob;
    return status;
}
