/* SPDX-License-Identifier: MIT */
/*
 * draws/NNNNN/attributes.tsv and mesh.obj: the vertices that a draw fetches, by the input layout
 * that is bound, or as a draw without shaders reads them. Only the first instance is shown, and at
 * most VERTICES_MAX vertices.
 */
#include "formats/aerogpu/views/draw_folder.h"

#include "formats/aerogpu/decode/layout.h"
#include "formats/aerogpu/replay/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES_MAX = 1 << 16, ELEMENTS_MAX = 32, R32G32_FLOAT = 16, R32G32B32A32_FLOAT = 2 };

/* The elements of vertices that are fetched, and which vertices. */
struct mesh {
    struct aerogpu_element elements[ELEMENTS_MAX];
    unsigned element_count;
    struct {
        struct blob *bytes; /* from the binding's offset on; NULL if nothing is bound */
        uint32_t stride;
    } slots[AEROGPU_VERTEX_SLOTS];
    struct blob *indices; /* NULL if there are none */
    bool indexed, wide;
    uint32_t first, count, first_instance, topology;
    int32_t base;
};

static void clear_mesh(struct mesh *mesh)
{
    for (unsigned i = 0; i < AEROGPU_VERTEX_SLOTS; i++)
        blob_unref(&mesh->slots[i].bytes);
    blob_unref(&mesh->indices);
}

/* Sets position and colour, the elements of draws without shaders (aerogpu.md 4.3). */
static void take_plain(struct mesh *mesh)
{
    mesh->elements[0] = (struct aerogpu_element){.semantic_hash = dxbc_semantic_hash("POSITION"),
                                                 .format = R32G32_FLOAT};
    mesh->elements[1] = (struct aerogpu_element){
        .semantic_hash = dxbc_semantic_hash("COLOR"), .format = R32G32B32A32_FLOAT, .offset = 8};
    mesh->element_count = 2;
}

static void take_layout(struct mesh *mesh, const struct aerogpu_machine *machine)
{
    const struct aerogpu_object *object =
        aerogpu_objects_find(&machine->objects, AEROGPU_SPACE_LAYOUT, machine->pipeline.layout);
    struct aerogpu_layout layout;
    struct aerogpu_element element;

    if (machine->pipeline.stages[DXBC_VS].shader == 0) {
        take_plain(mesh);
        return;
    }
    if (object == NULL ||
        !aerogpu_layout_open(object->layout.bytes, object->layout.length, &layout))
        return;
    while (mesh->element_count < ELEMENTS_MAX && aerogpu_layout_next(&layout, &element))
        if (element.slot < AEROGPU_VERTEX_SLOTS)
            mesh->elements[mesh->element_count++] = element;
}

static void take_command(struct mesh *mesh, const struct aerogpu_command *command)
{
    mesh->indexed = command->opcode == AEROGPU_DRAW_INDEXED;
    if (mesh->indexed) {
        mesh->count = aerogpu_u32(command, AEROGPU_AT_DRAW_INDEXED_COUNT);
        mesh->first = aerogpu_u32(command, AEROGPU_AT_DRAW_INDEXED_FIRST);
        mesh->base = aerogpu_i32(command, AEROGPU_AT_DRAW_INDEXED_BASE_VERTEX);
        mesh->first_instance = aerogpu_u32(command, AEROGPU_AT_DRAW_INDEXED_FIRST_INSTANCE);
    } else {
        mesh->count = aerogpu_u32(command, AEROGPU_AT_DRAW_COUNT);
        mesh->first = aerogpu_u32(command, AEROGPU_AT_DRAW_FIRST);
        mesh->first_instance = aerogpu_u32(command, AEROGPU_AT_DRAW_FIRST_INSTANCE);
    }
    if (mesh->count > VERTICES_MAX)
        mesh->count = VERTICES_MAX;
}

static int read_buffers(struct dump *dump, const struct aerogpu_scan_draw *draw,
                        const struct cancel *cancel, struct mesh *mesh)
{
    const struct aerogpu_scan *scan = aerogpu_dump_scanned(aerogpu_dump_of(dump));
    int status = 0;

    for (uint32_t i = 0; status == 0 && i < draw->bound; i++) {
        const struct aerogpu_bound *bound = &scan->bound[draw->first_bound + i];

        if (bound->role == AEROGPU_BOUND_VERTEX)
            status = aerogpu_bound_read(dump, bound, draw->shot.tick, cancel,
                                        &mesh->slots[bound->slot].bytes);
        if (bound->role == AEROGPU_BOUND_INDEX && mesh->indexed)
            status = aerogpu_bound_read(dump, bound, draw->shot.tick, cancel, &mesh->indices);
    }
    return status;
}

static int open_mesh(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                     struct mesh *mesh)
{
    struct aerogpu_dump *aerogpu = aerogpu_dump_of(dump);
    const struct aerogpu_machine *machine = NULL;
    const struct aerogpu_scan_draw *draw = NULL;
    int status = aerogpu_draw_need(dump, folder, cancel, &draw);

    if (status == 0)
        status = aerogpu_replay_enter(aerogpu, draw->shot.tick, cancel, &machine);
    if (status != 0)
        return status;
    take_command(mesh, &aerogpu_replay_player(aerogpu)->command);
    take_layout(mesh, machine);
    mesh->wide = machine->pipeline.index_format == AEROGPU_UINT32;
    mesh->topology = machine->pipeline.topology;
    for (unsigned i = 0; i < AEROGPU_VERTEX_SLOTS; i++)
        mesh->slots[i].stride = machine->pipeline.vertices[i].stride;
    aerogpu_replay_leave(aerogpu);
    return read_buffers(dump, draw, cancel, mesh);
}

/* Gets the vertex of the draw's element `number`. Returns false if it is beyond the indices. */
static bool vertex_of(const struct mesh *mesh, uint32_t number, int64_t *vertex)
{
    uint64_t at = (uint64_t)mesh->first + number, size = mesh->wide ? 4 : 2;

    *vertex = (int64_t)at;
    if (!mesh->indexed)
        return true;
    if (mesh->indices == NULL || !bytes_inside(at * size, size, mesh->indices->size))
        return false;
    *vertex = mesh->wide ? (int64_t)bytes_le32(mesh->indices->data + 4 * at)
                         : (int64_t)bytes_le16(mesh->indices->data + 2 * at);
    *vertex += mesh->base;
    return true;
}

/*
 * Returns the bytes of a vertex's element, or NULL if it is beyond the buffer, where zeros are
 * read.
 */
static const uint8_t *element_of(const struct mesh *mesh, const struct aerogpu_element *element,
                                 const struct aerogpu_attribute *attribute, int64_t vertex)
{
    const struct blob *bytes = mesh->slots[element->slot].bytes;
    uint64_t size = attribute->size == 0 ? 4 : (uint64_t)attribute->size * attribute->count;
    int64_t number = element->instanced ? (int64_t)mesh->first_instance : vertex;
    uint64_t at = 0;

    if (bytes == NULL || number < 0 ||
        !bytes_mul((uint64_t)number, mesh->slots[element->slot].stride, &at) ||
        !bytes_add(at, element->offset, &at) || !bytes_inside(at, size, bytes->size))
        return NULL;
    return bytes->data + at;
}

static double half_of(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value = exponent == 0    ? ldexp(fraction, -24)
                   : exponent == 31 ? (fraction != 0 ? NAN : INFINITY)
                                    : ldexp(1024 + fraction, exponent - 25);

    return (bits & 0x8000) != 0 ? -value : value;
}

static double float_of(const uint8_t *bytes, unsigned size)
{
    uint32_t bits;
    float value;

    if (size == 2)
        return half_of(bytes_le16(bytes));
    bits = bytes_le32(bytes);
    memcpy(&value, &bits, sizeof(value));
    return (double)value;
}

static uint32_t word_of(const uint8_t *bytes, unsigned size)
{
    return size == 1 ? *bytes : size == 2 ? bytes_le16(bytes) : bytes_le32(bytes);
}

/* Returns a component as the shader reads it. */
static double component_of(const struct aerogpu_attribute *attribute, const uint8_t *bytes,
                           unsigned number)
{
    unsigned place = attribute->bgra && number < 3 ? 2 - number : number;
    unsigned size = attribute->size, bits = 8 * size;
    const uint8_t *at = bytes + (size_t)place * size;
    int64_t value;

    if (attribute->component == AEROGPU_COMPONENT_FLOAT)
        return float_of(at, size);
    value = word_of(at, size);
    if (attribute->component == AEROGPU_COMPONENT_UNORM)
        return (double)value / (double)((INT64_C(1) << bits) - 1);
    if (attribute->component == AEROGPU_COMPONENT_UINT)
        return (double)value;
    if (value >> (bits - 1) != 0)
        value -= INT64_C(1) << bits;
    if (attribute->component == AEROGPU_COMPONENT_SINT)
        return (double)value;
    return fmax((double)value / (double)((INT64_C(1) << (bits - 1)) - 1), -1);
}

/* attributes.tsv */

/* Returns how many cells an element has. A packed element has only one, its bits. */
static unsigned cells_of(const struct aerogpu_attribute *attribute)
{
    return attribute == NULL || attribute->size == 0 ? 1 : attribute->count;
}

static void add_head(const struct mesh *mesh, struct text *text)
{
    text_add(text, "number\tvertex");
    for (unsigned i = 0; i < mesh->element_count; i++) {
        const struct aerogpu_element *element = &mesh->elements[i];
        const char *name = aerogpu_semantic_name(element->semantic_hash);
        unsigned cells = cells_of(aerogpu_attribute_find(element->format));

        for (unsigned j = 0; j < cells; j++) {
            text_add_char(text, '\t');
            if (name != NULL)
                text_add(text, name);
            else
                text_printf(text, "0x%08" PRIX32, element->semantic_hash);
            text_printf(text, "%" PRIu32, element->semantic_index);
            if (cells > 1)
                text_printf(text, ".%c", "xyzw"[j]);
        }
    }
    text_add_char(text, '\n');
}

static void add_number(struct text *text, double value)
{
    if (isfinite(value))
        text_printf(text, "\t%.9g", value);
    else
        text_cell_word(text, "-");
}

static void add_element(const struct mesh *mesh, const struct aerogpu_element *element,
                        int64_t vertex, struct text *text)
{
    const struct aerogpu_attribute *attribute = aerogpu_attribute_find(element->format);
    const uint8_t *bytes = attribute == NULL ? NULL : element_of(mesh, element, attribute, vertex);
    unsigned cells = cells_of(attribute);

    for (unsigned i = 0; i < cells; i++)
        if (attribute == NULL)
            text_cell_word(text, "-");
        else if (bytes == NULL)
            text_cell_word(text, "0");
        else if (attribute->size == 0)
            text_cell(text, bytes_le32(bytes));
        else
            add_number(text, component_of(attribute, bytes, i));
}

int aerogpu_draw_attributes_make(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                                 struct blob **out)
{
    struct mesh mesh = {.element_count = 0};
    struct text text = TEXT_INIT;
    int64_t vertex = 0;
    int status = open_mesh(dump, folder, cancel, &mesh);

    if (status == 0)
        add_head(&mesh, &text);
    for (uint32_t i = 0; status == 0 && i < mesh.count; i++) {
        if (!vertex_of(&mesh, i, &vertex))
            break;
        text_add_u64(&text, i);
        text_printf(&text, "\t%" PRId64, vertex);
        for (unsigned j = 0; j < mesh.element_count; j++)
            add_element(&mesh, &mesh.elements[j], vertex, &text);
        text_add_char(&text, '\n');
        status = cancel_requested(cancel) ? -EINTR : text_status(&text);
    }
    clear_mesh(&mesh);
    if (status == 0)
        return text_blob(&text, out);
    text_clear(&text);
    return status;
}

/* mesh.obj */

/*
 * Returns the element with positions: the one of that name, or else the first; NULL if there is
 * none.
 */
static const struct aerogpu_element *position_of(const struct mesh *mesh)
{
    static const char *const names[] = {"POSITION", "SV_POSITION"};

    for (unsigned name = 0; name < sizeof(names) / sizeof(names[0]); name++)
        for (unsigned i = 0; i < mesh->element_count; i++)
            if (mesh->elements[i].semantic_hash == dxbc_semantic_hash(names[name]))
                return &mesh->elements[i];
    return mesh->element_count > 0 ? &mesh->elements[0] : NULL;
}

static void add_vertex(const struct mesh *mesh, const struct aerogpu_element *element,
                       int64_t vertex, struct text *text)
{
    const struct aerogpu_attribute *attribute = aerogpu_attribute_find(element->format);
    const uint8_t *bytes = attribute == NULL ? NULL : element_of(mesh, element, attribute, vertex);

    text_add_char(text, 'v');
    for (unsigned i = 0; i < 3; i++) {
        double value = bytes != NULL && attribute->size != 0 && i < attribute->count
                           ? component_of(attribute, bytes, i)
                           : 0;

        text_printf(text, " %.9g", isfinite(value) ? value : 0);
    }
    text_add_char(text, '\n');
}

/* Writes primitives with the numbers of their vertices, counted from 1: faces, lines or points. */
static void add_primitives(const struct mesh *mesh, uint32_t count, struct text *text)
{
    switch (mesh->topology) {
    case AEROGPU_TRIANGLE_LIST:
        for (uint32_t i = 1; i + 2 <= count; i += 3)
            text_printf(text, "f %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", i, i + 1, i + 2);
        break;
    case AEROGPU_TRIANGLE_STRIP:
        for (uint32_t i = 1; i + 2 <= count; i++)
            text_printf(text, "f %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", i,
                        i % 2 != 0 ? i + 1 : i + 2, i % 2 != 0 ? i + 2 : i + 1);
        break;
    case AEROGPU_TRIANGLE_FAN:
        for (uint32_t i = 2; i + 1 <= count; i++)
            text_printf(text, "f 1 %" PRIu32 " %" PRIu32 "\n", i, i + 1);
        break;
    case AEROGPU_LINE_LIST:
    case AEROGPU_LINE_STRIP:
        for (uint32_t i = 1; i + 1 <= count; i += mesh->topology == AEROGPU_LINE_LIST ? 2 : 1)
            text_printf(text, "l %" PRIu32 " %" PRIu32 "\n", i, i + 1);
        break;
    default:
        for (uint32_t i = 1; i <= count; i++)
            text_printf(text, "p %" PRIu32 "\n", i);
        break;
    }
}

int aerogpu_draw_mesh_make(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                           struct blob **out)
{
    struct mesh mesh = {.element_count = 0};
    const struct aerogpu_element *position;
    struct text text = TEXT_INIT;
    int64_t vertex = 0;
    uint32_t count = 0;
    int status = open_mesh(dump, folder, cancel, &mesh);

    position = position_of(&mesh);
    for (; status == 0 && position != NULL && count < mesh.count; count++) {
        if (!vertex_of(&mesh, count, &vertex))
            break;
        add_vertex(&mesh, position, vertex, &text);
        status = cancel_requested(cancel) ? -EINTR : text_status(&text);
    }
    if (status == 0)
        add_primitives(&mesh, count, &text);
    clear_mesh(&mesh);
    if (status == 0)
        return text_blob(&text, out);
    text_clear(&text);
    return status;
}

int aerogpu_draw_has_vertices(struct dump *dump, uint64_t folder)
{
    const struct aerogpu_scan_draw *draw = NULL;
    int status = aerogpu_draw_find(dump, folder, &draw);

    return status == 0 && !draw->fetches ? -ENOENT : status;
}
