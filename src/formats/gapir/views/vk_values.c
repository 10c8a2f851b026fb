/* SPDX-License-Identifier: MIT */
#include "formats/gapir/views/views.h"

#include "base/bytes.h"
#include "formats/gapir/decode/vk_names.h"

#include <string.h>

enum {
    LIST_MAX = 16,     /* elements of a list that are shown */
    VALUES_MAX = 1024, /* values of an argument that are shown */
    DEPTH_MAX = 24,
    POINTER = 8,
};

/* The state of writing an argument. */
struct printing {
    const struct gapir_vm *vm;
    struct text *text;
    unsigned left; /* values that may still be shown */
    unsigned depth;
};

/* Values side by side: the members of a structure, or the arguments of the call. */
struct siblings {
    const struct gapir_vk_member *members;
    unsigned count;
    const uint8_t *bytes; /* of the structure; NULL: the arguments of the call */
};

/* Returns the value stored in place: a number, or a pointer. */
static uint64_t value_of(const struct printing *printing, const struct siblings *siblings,
                         unsigned n)
{
    const struct gapir_vk_member *member = &siblings->members[n];
    size_t size = member->pointers > 0 ? POINTER : gapir_vk_kind_size(member->kind);

    if (siblings->bytes == NULL)
        return printing->vm->call.arguments[n].value;
    return bytes_le(siblings->bytes + member->offset, size);
}

static const uint8_t *memory_at(const struct printing *printing, uint64_t address, uint64_t size)
{
    const uint8_t *data;

    return gapir_vm_read(printing->vm, address, size, &data) == GAPIR_FAULT_NONE ? data : NULL;
}

/* Finds the count of a list. Returns false if it is unknown. */
static bool find_count(const struct printing *printing, const struct siblings *siblings,
                       const struct gapir_vk_member *member, uint64_t *out)
{
    const struct gapir_vk_member *counter = &siblings->members[member->counted];
    const struct gapir_vk_structure *structure = gapir_vk_structure_of(counter);
    const uint8_t *bytes;
    size_t offset = 0;

    *out = 0;
    if (member->length == GAPIR_VK_ONE)
        return true;
    if (member->length == GAPIR_VK_UNKNOWN || member->counted >= siblings->count)
        return false;
    *out = value_of(printing, siblings, member->counted);
    if (counter->pointers == 0)
        return true;
    if (member->within != 0 && structure == NULL)
        return false;
    if (member->within != 0) {
        counter = &gapir_vk_members[structure->first + member->within - 1];
        offset = counter->offset;
    }
    bytes = memory_at(printing, *out + offset, gapir_vk_kind_size(counter->kind));
    if (bytes != NULL)
        *out = bytes_le(bytes, gapir_vk_kind_size(counter->kind));
    return bytes != NULL;
}

static void write_flags(const struct printing *printing, unsigned group, uint64_t bits)
{
    const char *name = gapir_vk_constant_name(group, bits);

    if (name != NULL || (name = gapir_vk_take_bits(group, &bits)) == NULL) {
        if (name != NULL)
            text_add(printing->text, name);
        else
            gapir_write_hex(printing->text, bits);
        return;
    }
    for (; name != NULL; name = gapir_vk_take_bits(group, &bits)) {
        text_add(printing->text, name);
        if (bits != 0)
            text_add(printing->text, " | ");
    }
    if (bits != 0)
        gapir_write_hex(printing->text, bits);
}

static void write_enumerator(const struct printing *printing, unsigned group, uint64_t value)
{
    const char *name = gapir_vk_constant_name(group, (uint32_t)value);

    if (name != NULL)
        text_add(printing->text, name);
    else
        text_add_i64(printing->text, (int32_t)value);
}

static void write_scalar(const struct printing *printing, const struct gapir_vk_member *member,
                         uint64_t value)
{
    static const uint8_t types[GAPIR_VK_KINDS] = {
        [GAPIR_VK_CHAR] = GAPIR_INT8,  [GAPIR_VK_I8] = GAPIR_INT8,    [GAPIR_VK_U8] = GAPIR_UINT8,
        [GAPIR_VK_I16] = GAPIR_INT16,  [GAPIR_VK_U16] = GAPIR_UINT16, [GAPIR_VK_I32] = GAPIR_INT32,
        [GAPIR_VK_U32] = GAPIR_UINT32, [GAPIR_VK_I64] = GAPIR_INT64,  [GAPIR_VK_U64] = GAPIR_UINT64,
        [GAPIR_VK_F32] = GAPIR_FLOAT,  [GAPIR_VK_F64] = GAPIR_DOUBLE};

    switch (member->kind) {
    case GAPIR_VK_BOOL:
        if (value < 2)
            text_add(printing->text, value != 0 ? "VK_TRUE" : "VK_FALSE");
        else
            gapir_write_hex(printing->text, value);
        break;
    case GAPIR_VK_ENUM:
        write_enumerator(printing, member->type, value);
        break;
    case GAPIR_VK_FLAGS:
    case GAPIR_VK_FLAGS64:
        write_flags(printing, member->type, value);
        break;
    case GAPIR_VK_OPAQUE:
    case GAPIR_VK_HANDLE:
    case GAPIR_VK_FUNCTION:
        gapir_write_hex(printing->text, value);
        break;
    default:
        gapir_write_value(printing->vm->plan, types[member->kind], value, printing->text);
        break;
    }
}

static void write_member(struct printing *printing, const struct siblings *siblings, unsigned n);

/* Writes `{sType=…, pNext=…}`, or the first member of a union. */
static void write_structure(struct printing *printing, const struct gapir_vk_structure *structure,
                            const uint8_t *bytes, bool is_union)
{
    const struct siblings inside = {&gapir_vk_members[structure->first], structure->count, bytes};
    unsigned count = is_union ? 1 : structure->count;

    if (printing->depth == DEPTH_MAX) {
        text_add(printing->text, "{...}");
        return;
    }
    printing->depth++;
    text_add_char(printing->text, '{');
    for (unsigned n = 0; n < count; n++) {
        if (n != 0)
            text_add(printing->text, ", ");
        text_add(printing->text, inside.members[n].name);
        text_add_char(printing->text, '=');
        write_member(printing, &inside, n);
    }
    text_add_char(printing->text, '}');
    printing->depth--;
}

/* Writes an element of a list, or a value in place. Its size must be known. */
static void write_element(struct printing *printing, const struct gapir_vk_member *member,
                          const uint8_t *bytes)
{
    const struct gapir_vk_structure *structure = gapir_vk_structure_of(member);

    if (printing->left == 0) {
        text_add(printing->text, "...");
        return;
    }
    printing->left--;
    if (structure != NULL)
        write_structure(printing, structure, bytes, member->kind == GAPIR_VK_UNION);
    else
        write_scalar(printing, member, bytes_le(bytes, gapir_vk_kind_size(member->kind)));
}

static void write_elements(struct printing *printing, const struct gapir_vk_member *member,
                           const uint8_t *bytes, uint64_t count)
{
    const size_t size = gapir_vk_element_size(member);
    uint64_t told = count < LIST_MAX ? count : LIST_MAX;

    text_add_char(printing->text, '{');
    for (uint64_t n = 0; n < told; n++) {
        if (n != 0)
            text_add(printing->text, ", ");
        write_element(printing, member, bytes + n * size);
    }
    text_add(printing->text, told < count ? ", ...}" : "}");
}

/* Writes the pointers of a list: to strings, or to whatever a call has put there. */
static void write_pointers(struct printing *printing, const struct gapir_vk_member *member,
                           uint64_t address, uint64_t count)
{
    uint64_t told = count < LIST_MAX ? count : LIST_MAX;
    const uint8_t *bytes = memory_at(printing, address, told * POINTER);

    if (bytes == NULL || told == 0)
        return;
    text_add(printing->text, " {");
    for (uint64_t n = 0; n < told; n++) {
        uint64_t pointer = bytes_le(bytes + n * POINTER, POINTER);
        if (n != 0)
            text_add(printing->text, ", ");
        gapir_write_value(printing->vm->plan, GAPIR_ABSOLUTE_POINTER, pointer, printing->text);
        if (member->kind == GAPIR_VK_CHAR)
            gapir_write_string(printing->vm, pointer, printing->text);
    }
    text_add(printing->text, told < count ? ", ...}" : "}");
}

/* Writes the structure that continues a chain, according to its sType. */
static void write_chained(struct printing *printing, uint64_t address)
{
    const uint8_t *bytes = memory_at(printing, address, 4);
    const struct gapir_vk_structure *structure =
        bytes != NULL ? gapir_vk_chained_find((uint32_t)bytes_le(bytes, 4)) : NULL;

    bytes = structure != NULL ? memory_at(printing, address, structure->size) : NULL;
    if (bytes == NULL || printing->left == 0)
        return;
    printing->left--;
    text_add_char(printing->text, ' ');
    write_structure(printing, structure, bytes, false);
}

/* Writes what a pointer refers to, if its length is known and memory is there. */
static void write_target(struct printing *printing, const struct siblings *siblings, unsigned n,
                         uint64_t address)
{
    const struct gapir_vk_member *member = &siblings->members[n];
    const struct gapir_vk_structure *structure = gapir_vk_structure_of(member);
    size_t size = gapir_vk_element_size(member);
    const uint8_t *bytes;
    uint64_t count;

    if (member->kind == GAPIR_VK_CHAR && member->length == GAPIR_VK_TEXT) {
        gapir_write_string(printing->vm, address, printing->text);
        return;
    }
    if (member->kind == GAPIR_VK_BYTES && strcmp(member->name, "pNext") == 0)
        write_chained(printing, address);
    if ((member->kind == GAPIR_VK_BYTES && member->pointers == 1) || size == 0 ||
        !find_count(printing, siblings, member, &count))
        return;
    count = gapir_vk_elements(member, count);
    if (member->pointers > 1) {
        write_pointers(printing, member, address, count);
        return;
    }
    if (count > UINT64_MAX / size)
        return;
    bytes = memory_at(printing, address, count * size);
    if (bytes == NULL || count == 0)
        return;
    text_add_char(printing->text, ' ');
    if (structure != NULL && member->length == GAPIR_VK_ONE && count == 1)
        write_element(printing, member, bytes);
    else
        write_elements(printing, member, bytes, count);
}

static void write_pointer(struct printing *printing, const struct siblings *siblings, unsigned n,
                          uint64_t address)
{
    gapir_write_value(printing->vm->plan, GAPIR_ABSOLUTE_POINTER, address, printing->text);
    /* The layout of structures is known for eight-byte pointers only. */
    if (address != 0 && printing->vm->program->pointer_size == POINTER)
        write_target(printing, siblings, n, address);
}

static void write_member(struct printing *printing, const struct siblings *siblings, unsigned n)
{
    const struct gapir_vk_member *member = &siblings->members[n];
    const uint8_t *bytes = siblings->bytes + member->offset;

    if (member->pointers > 0)
        write_pointer(printing, siblings, n, bytes_le(bytes, POINTER));
    else if (member->kind == GAPIR_VK_CHAR && member->elements > 1) {
        text_add_char(printing->text, '"');
        text_add_escaped(printing->text, bytes, strnlen((const char *)bytes, member->elements));
        text_add_char(printing->text, '"');
    } else if (member->elements > 1)
        write_elements(printing, member, bytes, member->elements);
    else
        write_element(printing, member, bytes);
}

static const struct gapir_vk_command *command_of(const struct gapir_call *call)
{
    const struct gapir_vk_command *command =
        call->function != NULL ? gapir_vk_command_find(gapir_function_name(call->function)) : NULL;

    return command != NULL && command->count == call->count ? command : NULL;
}

bool gapir_write_vk_argument(const struct gapir_vm *vm, unsigned argument, struct text *text)
{
    const struct gapir_vk_command *command = command_of(&vm->call);
    struct printing printing = {.vm = vm, .text = text, .left = VALUES_MAX};

    if (command == NULL)
        return false;
    const struct siblings siblings = {&gapir_vk_members[command->first], command->count, NULL};
    const struct gapir_vk_member *member = &siblings.members[argument];
    const struct gapir_slot *slot = &vm->call.arguments[argument];
    if ((slot->type == GAPIR_ABSOLUTE_POINTER) != (member->pointers > 0))
        return false;
    if (member->pointers > 0)
        write_pointer(&printing, &siblings, argument, slot->value);
    else if (gapir_vk_structure_of(member) == NULL)
        write_scalar(&printing, member, slot->value);
    return member->pointers > 0 || gapir_vk_structure_of(member) == NULL;
}

bool gapir_write_vk_result(const struct gapir_vm *vm, struct text *text)
{
    const struct gapir_vk_command *command = command_of(&vm->call);
    const struct printing printing = {.vm = vm, .text = text};

    if (command == NULL || command->result != GAPIR_VK_ENUM)
        return false;
    write_enumerator(&printing, command->group, vm->call.result.value);
    return true;
}
