/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/decode/definitions.h"

#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>

enum {
    PAGES = APITRACE_ID_MAX / APITRACE_PAGE_IDS,
    SIGNED_NEGATIVE = 3,
    SIGNED_POSITIVE = 4,
};

int apitrace_definitions_init(struct apitrace_definitions *definitions, uint64_t max_memory)
{
    *definitions = (struct apitrace_definitions){.arena = {.max = max_memory}};
    return apitrace_classes_prepare();
}

static void clear_space(struct apitrace_space *space, const struct apitrace_memory *memory)
{
    for (size_t n = 0; space->pages != NULL && n < PAGES; n++)
        free(space->pages[n]);
    free(space->pages);
    apitrace_free(space->list, memory);
}

void apitrace_definitions_clear(struct apitrace_definitions *definitions)
{
    clear_space(&definitions->functions, &definitions->memory);
    clear_space(&definitions->structs, &definitions->memory);
    clear_space(&definitions->enums, &definitions->memory);
    clear_space(&definitions->bitmasks, &definitions->memory);
    clear_space(&definitions->frames, &definitions->memory);
    apitrace_arena_clear(&definitions->arena);
}

/* Spaces. */

static int space_add(struct apitrace_space *space, uint64_t id, void *definition,
                     struct apitrace_memory *memory)
{
    void ***page;

    if (space->pages == NULL)
        space->pages = calloc(PAGES, sizeof(*space->pages));
    if (space->pages == NULL ||
        apitrace_grow(&space->list, space->count, &space->room, sizeof(*space->list), memory) < 0)
        return -ENOMEM;
    page = &space->pages[id / APITRACE_PAGE_IDS];
    if (*page == NULL)
        *page = calloc(APITRACE_PAGE_IDS, sizeof(**page));
    if (*page == NULL)
        return -ENOMEM;
    (*page)[id % APITRACE_PAGE_IDS] = definition;
    space->list[space->count++] = definition;
    return 0;
}

/* What an id that was read refers to. */
enum standing { FAILED, KNOWN, NEW };

/* Reads an id and looks it up. */
static enum standing read_id(struct apitrace_reader *reader, const struct apitrace_space *space,
                             struct apitrace_definition *head, struct apitrace_definition **known)
{
    uint64_t place = apitrace_reader_position(reader);
    uint64_t id = apitrace_read_number(reader);

    head->position = apitrace_reader_position(reader);
    if (reader->status == 0 && id >= APITRACE_ID_MAX)
        apitrace_reader_fault(reader, place, "id %llu is too large", (unsigned long long)id);
    if (reader->status != 0)
        return FAILED;
    head->id = (uint32_t)id;
    *known = apitrace_space_find(space, id);
    if (*known != NULL)
        return KNOWN;
    if (reader->defines)
        return NEW;
    apitrace_reader_fault(reader, place, "id %llu is not defined", (unsigned long long)id);
    return FAILED;
}

/* Reports that an id was read, and skips its definition if that is here. */
static void meet(struct apitrace_reader *reader, const struct apitrace_definition *definition,
                 uint64_t position)
{
    if (reader->refers != NULL)
        reader->refers(reader->refers_context, definition, position);
    if (definition->position == position)
        apitrace_skip_bytes(reader, definition->bytes);
}

static void *take(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                  uint64_t count, size_t size)
{
    uint64_t bytes = 0;
    void *taken = NULL;

    if (reader->status != 0)
        return NULL;
    if (bytes_mul(count, size, &bytes) && bytes <= SIZE_MAX)
        taken = apitrace_arena_take(&definitions->arena, (size_t)bytes);
    if (taken == NULL)
        apitrace_reader_fail(
            reader, bytes >= definitions->arena.max - definitions->arena.taken ? -EFBIG : -ENOMEM);
    return taken;
}

/* Returns whether any of the bytes is not printable ASCII. */
static bool is_odd(const char *bytes, size_t length)
{
    bool odd = false;

    for (size_t n = 0; n < length; n++)
        odd |= bytes[n] < ' ' || bytes[n] > '~';
    return odd;
}

struct apitrace_name apitrace_read_name(struct apitrace_reader *reader,
                                        struct apitrace_definitions *definitions)
{
    struct apitrace_name name = {.bytes = ""};
    uint64_t length = apitrace_read_count(reader, 1);
    char *bytes;

    if (length > UINT32_MAX - 1)
        apitrace_reader_fault(reader, apitrace_reader_position(reader), "a name is too long");
    bytes = take(reader, definitions, length + APITRACE_NAME_PAD, 1);
    if (bytes == NULL || !apitrace_read_bytes(reader, bytes, (size_t)length))
        return name;
    name.bytes = bytes;
    name.length = (uint32_t)length;
    name.shown = (uint32_t)strlen(bytes);
    if (is_odd(bytes, name.shown))
        atomic_store_explicit(&definitions->odd_names, true, memory_order_relaxed);
    return name;
}

static struct apitrace_name *read_names(struct apitrace_reader *reader,
                                        struct apitrace_definitions *definitions, uint32_t *count)
{
    uint64_t wanted = apitrace_read_count(reader, 1);
    struct apitrace_name *names;

    if (wanted > UINT32_MAX)
        apitrace_reader_fault(reader, apitrace_reader_position(reader), "too many names");
    names = take(reader, definitions, wanted, sizeof(*names));
    if (names == NULL)
        return NULL;
    for (uint64_t n = 0; n < wanted && reader->status == 0; n++)
        names[n] = apitrace_read_name(reader, definitions);
    *count = (uint32_t)wanted;
    return names;
}

/* How the definitions of a space are read, apart from what all have in common. */
struct kind {
    size_t size; /* of a definition, which begins with struct apitrace_definition */
    /* Reads what follows the id into `definition`, which is zeroed. */
    void (*read)(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                 void *definition);
};

static void *define(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                    struct apitrace_space *space, const struct kind *kind,
                    const struct apitrace_definition *head)
{
    struct apitrace_definition *definition = take(reader, definitions, 1, kind->size);

    if (definition == NULL)
        return NULL;
    *definition = *head;
    definition->serial = definitions->count;
    kind->read(reader, definitions, definition);
    definition->bytes = apitrace_reader_position(reader) - head->position;
    if (reader->status == 0 && space_add(space, head->id, definition, &definitions->memory) < 0)
        apitrace_reader_fail(reader, -ENOMEM);
    if (reader->status != 0)
        return NULL;
    definitions->count++;
    return definition;
}

/*
 * Reads an id and returns its definition, which is skipped if it is here, and added if it is new.
 * NULL after a failure.
 */
static void *read_definition(struct apitrace_reader *reader,
                             struct apitrace_definitions *definitions, struct apitrace_space *space,
                             const struct kind *kind)
{
    struct apitrace_definition *known = NULL, head = {0};

    switch (read_id(reader, space, &head, &known)) {
    case NEW:
        return define(reader, definitions, space, kind, &head);
    case KNOWN:
        meet(reader, known, head.position);
        break;
    default:
        break;
    }
    return reader->status == 0 ? known : NULL;
}

/* Functions. */

/* Returns the name with characters that do not fit in a file name replaced (apitrace.md 4.1). */
static const char *packet_name(struct apitrace_reader *reader,
                               struct apitrace_definitions *definitions,
                               const struct apitrace_name *name)
{
    size_t length = name->shown < APITRACE_NAME_SHOWN ? name->shown : (size_t)APITRACE_NAME_SHOWN;
    char *shown;

    if (length == 0)
        return "unnamed";
    shown = take(reader, definitions, length + 1, 1);
    for (size_t n = 0; shown != NULL && n < length; n++) {
        char c = name->bytes[n];
        bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '.' || c == '_' || (c == '-' && n > 0);

        shown[n] = '_';
        if (fits)
            shown[n] = c;
    }
    return shown;
}

/* Returns a name between two constant strings, as in text. */
static struct apitrace_name wrap(struct apitrace_reader *reader,
                                 struct apitrace_definitions *definitions, const char *before,
                                 const struct apitrace_name *name, const char *behind)
{
    size_t first = strlen(before), last = strlen(behind), length = first + name->shown + last;
    struct apitrace_name wrapped = {.bytes = ""};
    char *bytes = take(reader, definitions, length + APITRACE_NAME_PAD, 1);

    if (bytes == NULL)
        return wrapped;
    memcpy(bytes, before, first);
    memcpy(bytes + first, name->bytes, name->shown);
    memcpy(bytes + first + name->shown, behind, last);
    wrapped.bytes = bytes;
    wrapped.length = wrapped.shown = (uint32_t)length;
    return wrapped;
}

static void wrap_names(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                       struct apitrace_function *function)
{
    function->head = wrap(reader, definitions, "", &function->name, "(");
    function->prefixes =
        take(reader, definitions, function->argument_count, sizeof(*function->prefixes));
    for (uint32_t n = 0; n < function->argument_count && reader->status == 0; n++)
        function->prefixes[n] =
            wrap(reader, definitions, n > 0 ? ", " : "", &function->arguments[n], " = ");
}

static void read_function(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                          void *definition)
{
    struct apitrace_function *function = definition;
    int status;

    function->name = apitrace_read_name(reader, definitions);
    function->arguments = read_names(reader, definitions, &function->argument_count);
    if (reader->status == 0 && function->argument_count > APITRACE_ARGUMENTS_MAX)
        apitrace_reader_fault(reader, function->base.position, "a function has %u arguments",
                              function->argument_count);
    function->packet_name = packet_name(reader, definitions, &function->name);
    wrap_names(reader, definitions, function);
    function->number = definitions->functions.count;
    status = apitrace_classify(function->name.bytes, &function->classes);
    if (status < 0)
        apitrace_reader_fail(reader, status);
    function->gl = apitrace_gl_call_find(function->name.bytes, function->argument_count);
    function->semantic = function->gl->semantic;
    function->state = apitrace_gl_state_find(function->name.bytes, function->argument_count);
}

const struct apitrace_function *apitrace_read_function(struct apitrace_reader *reader,
                                                       struct apitrace_definitions *definitions)
{
    static const struct kind kind = {.size = sizeof(struct apitrace_function),
                                     .read = read_function};

    return read_definition(reader, definitions, &definitions->functions, &kind);
}

void apitrace_skip_function(struct apitrace_reader *reader,
                            const struct apitrace_function *function)
{
    apitrace_read_number(reader);
    meet(reader, &function->base, apitrace_reader_position(reader));
}

/* Structs. */

static void read_struct(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                        void *definition)
{
    struct apitrace_struct *structure = definition;

    structure->name = apitrace_read_name(reader, definitions);
    structure->members = read_names(reader, definitions, &structure->member_count);
    structure->is_guid = structure->member_count == 4 && strcmp(structure->name.bytes, "GUID") == 0;
}

const struct apitrace_struct *apitrace_read_struct(struct apitrace_reader *reader,
                                                   struct apitrace_definitions *definitions)
{
    static const struct kind kind = {.size = sizeof(struct apitrace_struct), .read = read_struct};

    return read_definition(reader, definitions, &definitions->structs, &kind);
}

/* Enums and bitmasks. */

int64_t apitrace_read_signed(struct apitrace_reader *reader)
{
    uint64_t place = apitrace_reader_position(reader);
    uint8_t type = apitrace_read_byte(reader);
    uint64_t magnitude = apitrace_read_number(reader);

    if (reader->status == 0 && type != SIGNED_NEGATIVE && type != SIGNED_POSITIVE)
        apitrace_reader_fault(reader, place, "type %u is not an integer", type);
    return (int64_t)(type == SIGNED_NEGATIVE ? 0 - magnitude : magnitude);
}

static uint32_t slot_of(const struct apitrace_enum *definition, int64_t value)
{
    return (uint32_t)hash_u64((uint64_t)value) & (definition->slot_count - 1);
}

/* If several names have the same value, the first one is found. */
static void fill_slots(struct apitrace_enum *definition)
{
    for (uint32_t n = 0; n < definition->count; n++) {
        uint32_t slot = slot_of(definition, definition->constants[n].value), other;

        while ((other = definition->slots[slot]) != 0 &&
               definition->constants[other - 1].value != definition->constants[n].value)
            slot = (slot + 1) & (definition->slot_count - 1);
        if (other == 0)
            definition->slots[slot] = n + 1;
    }
}

const struct apitrace_constant *apitrace_enum_find(const struct apitrace_enum *definition,
                                                   int64_t value)
{
    uint32_t slot, place;

    if (definition->slot_count == 0)
        return NULL;
    slot = slot_of(definition, value);
    while ((place = definition->slots[slot]) != 0) {
        if (definition->constants[place - 1].value == value)
            return &definition->constants[place - 1];
        slot = (slot + 1) & (definition->slot_count - 1);
    }
    return NULL;
}

static void build_slots(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                        struct apitrace_enum *definition)
{
    uint64_t slots = 4;

    while (slots < 2 * (uint64_t)definition->count)
        slots *= 2;
    definition->slots = take(reader, definitions, slots, sizeof(*definition->slots));
    if (definition->slots == NULL)
        return;
    definition->slot_count = (uint32_t)slots;
    fill_slots(definition);
}

static int64_t read_bits(struct apitrace_reader *reader)
{
    return (int64_t)apitrace_read_number(reader);
}

static struct apitrace_constant *read_constants(struct apitrace_reader *reader,
                                                struct apitrace_definitions *definitions,
                                                int64_t (*read_value)(struct apitrace_reader *),
                                                uint32_t *count)
{
    uint64_t wanted = apitrace_read_count(reader, 2);
    struct apitrace_constant *constants;

    if (wanted > UINT32_MAX / 4)
        apitrace_reader_fault(reader, apitrace_reader_position(reader), "too many names");
    constants = take(reader, definitions, wanted, sizeof(*constants));
    if (constants == NULL)
        return NULL;
    for (uint64_t n = 0; n < wanted && reader->status == 0; n++) {
        constants[n].name = apitrace_read_name(reader, definitions);
        constants[n].value = read_value(reader);
    }
    *count = (uint32_t)wanted;
    return constants;
}

/* Reads an enum of a version before 3, whose id stands for one name. */
static void read_single(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                        struct apitrace_enum *definition)
{
    definition->single = true;
    definition->constants = take(reader, definitions, 1, sizeof(*definition->constants));
    if (definition->constants == NULL)
        return;
    definition->constants->name = apitrace_read_name(reader, definitions);
    definition->constants->value = apitrace_read_signed(reader);
    definition->count = 1;
}

static void read_enum(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                      void *definition)
{
    struct apitrace_enum *enumeration = definition;

    if (definitions->version < 3)
        read_single(reader, definitions, enumeration);
    else
        enumeration->constants =
            read_constants(reader, definitions, apitrace_read_signed, &enumeration->count);
    if (reader->status == 0)
        build_slots(reader, definitions, enumeration);
}

const struct apitrace_enum *apitrace_read_enum(struct apitrace_reader *reader,
                                               struct apitrace_definitions *definitions)
{
    static const struct kind kind = {.size = sizeof(struct apitrace_enum), .read = read_enum};

    return read_definition(reader, definitions, &definitions->enums, &kind);
}

/* Returns whether a kept flag consists only of bits of this value. */
static bool holds_flag(const struct apitrace_bitmask *bitmask, uint64_t value)
{
    for (uint32_t n = 0; n < bitmask->flag_count; n++) {
        uint64_t flag = (uint64_t)bitmask->constants[bitmask->flags[n]].value;

        if (flag != 0 && (value & flag) == flag)
            return true;
    }
    return false;
}

/*
 * Most flags never show in any value: those without bits, except the first flag, and those that
 * contain an earlier flag, which takes away its bits first.
 */
static void choose_flags(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                         struct apitrace_bitmask *bitmask)
{
    uint32_t max = bitmask->count < APITRACE_FLAGS_MAX ? bitmask->count : APITRACE_FLAGS_MAX;

    bitmask->flags = take(reader, definitions, max, sizeof(*bitmask->flags));
    if (bitmask->flags == NULL)
        return;
    for (uint32_t n = 0; n < bitmask->count; n++) {
        uint64_t value = (uint64_t)bitmask->constants[n].value;

        if ((value == 0 && n > 0) || holds_flag(bitmask, value))
            continue;
        if (bitmask->flag_count == max) {
            definitions->cut_bitmasks++;
            return;
        }
        bitmask->flags[bitmask->flag_count++] = n;
    }
}

static void read_bitmask(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                         void *definition)
{
    struct apitrace_bitmask *bitmask = definition;

    bitmask->constants = read_constants(reader, definitions, read_bits, &bitmask->count);
    if (reader->status == 0)
        choose_flags(reader, definitions, bitmask);
}

const struct apitrace_bitmask *apitrace_read_bitmask(struct apitrace_reader *reader,
                                                     struct apitrace_definitions *definitions)
{
    static const struct kind kind = {.size = sizeof(struct apitrace_bitmask), .read = read_bitmask};

    return read_definition(reader, definitions, &definitions->bitmasks, &kind);
}

/* Frames of backtraces. */

enum frame_tag { TAG_END, TAG_MODULE, TAG_FUNCTION, TAG_FILE, TAG_LINE, TAG_OFFSET };

/* Reads one field. Returns false at the end or after a failure. */
static bool read_field(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                       struct apitrace_frame *frame)
{
    uint64_t place = apitrace_reader_position(reader);
    uint8_t tag = apitrace_read_byte(reader);
    struct apitrace_name *names[] = {[TAG_MODULE] = &frame->module,
                                     [TAG_FUNCTION] = &frame->function,
                                     [TAG_FILE] = &frame->file};

    if (tag >= TAG_MODULE && tag <= TAG_FILE) {
        *names[tag] = apitrace_read_name(reader, definitions);
    } else if (tag == TAG_LINE) {
        frame->line = apitrace_read_number(reader);
        frame->has_line = true;
    } else if (tag == TAG_OFFSET) {
        frame->offset = apitrace_read_number(reader);
        frame->has_offset = true;
    } else if (tag != TAG_END) {
        apitrace_reader_fault(reader, place, "unknown field %u of a backtrace", tag);
    }
    return tag != TAG_END && reader->status == 0;
}

static void read_frame(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                       void *definition)
{
    while (read_field(reader, definitions, definition))
        ;
}

const struct apitrace_frame *apitrace_read_frame(struct apitrace_reader *reader,
                                                 struct apitrace_definitions *definitions)
{
    static const struct kind kind = {.size = sizeof(struct apitrace_frame), .read = read_frame};

    return read_definition(reader, definitions, &definitions->frames, &kind);
}
