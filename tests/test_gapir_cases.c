/* Every row of the corpus's gapir/cases.tsv, kind by kind. */
#include "config.h"

#include "support.h"

#include "../examples/gapir_build.h"
#include "formats/gapir/archive.h"
#include "formats/gapir/disassembly.h"
#include "formats/gapir/encode.h"
#include "formats/gapir/payload.h"
#include "formats/gapir/payload.pb-c.h"
#include "gapir_machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7, STEPS = 1000000 };

struct row {
    char *kind, *name, *source, *params, *program, *expect, *note;
};

/* Calls `check` for each row of a kind; it says what is wrong, or nothing. */
static void check_rows(const char *kind, unsigned rows,
                       void (*check)(const struct row *row, struct text *wrong))
{
    char *path = support_corpus("gapir/cases.tsv");
    size_t size;
    char *table = (char *)support_read(path, &size), *rest = table, *line;
    unsigned seen = 0, failed = 0;

    table[size] = 0;
    while ((line = strsep(&rest, "\n")) != NULL) {
        char *columns[COLUMNS] = {0};
        for (unsigned n = 0; n < COLUMNS && line != NULL; n++)
            columns[n] = strsep(&line, "\t");
        if (columns[0] == NULL || strcmp(columns[0], kind) != 0)
            continue;
        struct row row = {columns[0], columns[1], columns[2], columns[3],
                          columns[4], columns[5], columns[6]};
        struct text wrong = TEXT_INIT;
        assert_non_null(row.expect);
        check(&row, &wrong);
        seen++;
        if (wrong.length != 0) {
            failed++;
            print_error("%s: %.*s\n", row.name, (int)wrong.length, wrong.bytes);
        }
        text_clear(&wrong);
    }
    free(table);
    free(path);
    assert_int_equal(failed, 0);
    assert_int_equal(seen, rows);
}

static bool text_is(const struct text *text, const char *wanted)
{
    return text->length == strlen(wanted) && memcmp(text->bytes, wanted, text->length) == 0;
}

/* Says what differs. */
static void want_text(const struct text *text, const char *wanted, struct text *wrong)
{
    if (!text_is(text, wanted))
        text_printf(wrong, "[%.*s] for [%s] ", (int)text->length, text->bytes, wanted);
}

static void want_memory(const struct machine *machine, const char *clause, struct text *wrong)
{
    char *hex;
    unsigned long offset = strtoul(clause + strlen("mem@"), &hex, 10);
    size_t size;
    uint8_t *bytes = machine_hex(hex + 1, strlen(hex + 1), &size);

    if (offset + size > machine->program.volatile_size ||
        memcmp(machine->vm->memory + offset, bytes, size) != 0)
        text_printf(wrong, "memory is not as in %s ", clause);
    free(bytes);
}

/* A line `post0=…` among those that the machine wrote. */
static void want_line(const struct text *lines, const char *clause, struct text *wrong)
{
    char *wanted;

    if (asprintf(&wanted, "%s\n", clause) < 0)
        abort();
    if (lines->length == 0 || memmem(lines->bytes, lines->length, wanted, strlen(wanted)) == NULL)
        text_printf(wrong, "no %s in [%.*s] ", clause, (int)lines->length, lines->bytes);
    free(wanted);
}

static void want_clause(const struct machine *machine, const char *clause, struct text *wrong)
{
    struct text text = TEXT_INIT;

    if (strncmp(clause, "mem@", 4) == 0) {
        want_memory(machine, clause, wrong);
    } else if (strncmp(clause, "popped=", 7) == 0) {
        want_text(&machine->popped, clause + 7, wrong);
    } else if (strncmp(clause, "post", 4) == 0) {
        want_line(&machine->posts, clause, wrong);
    } else if (strncmp(clause, "note", 4) == 0) {
        want_line(&machine->notes, clause, wrong);
    } else if (strncmp(clause, "stack=", 6) == 0) {
        machine_stack(machine, &text);
        want_text(&text, clause + 6, wrong);
    } else if (strncmp(clause, "label=", 6) == 0) {
        text_printf(&text, "%u", machine->vm->label);
        want_text(&text, clause + 6, wrong);
    } else {
        machine_result(machine, &text);
        want_text(&text, clause, wrong);
    }
    text_clear(&text);
}

static void check_vm(const struct row *row, struct text *wrong)
{
    struct machine machine;
    char *rest = row->expect, *clause;

    machine_init(&machine, row->params);
    machine_run(&machine, row->program, STEPS);
    while ((clause = strsep(&rest, ";")) != NULL)
        want_clause(&machine, clause + strspn(clause, " "), wrong);
    machine_clear(&machine);
}

static void test_vm(void **state)
{
    (void)state;
    check_rows("vm", 133, check_vm);
}

/* `push Uint32 0xaaaaa`, `push Float -1.5`, … as the exporter's assembler takes them. */
static uint64_t value_bits(enum gapir_type type, const char *value)
{
    uint64_t bits = 0;

    if (type == GAPIR_FLOAT) {
        float number = strtof(value, NULL);
        memcpy(&bits, &number, sizeof(number));
    } else if (type == GAPIR_DOUBLE) {
        double number = strtod(value, NULL);
        memcpy(&bits, &number, sizeof(number));
    } else if (value[0] == '-') {
        bits = (uint64_t)strtoll(value, NULL, 0);
    } else {
        bits = strtoull(value, NULL, 0);
    }
    return bits;
}

static enum gapir_type type_named(const char *name)
{
    for (unsigned type = 0; type < GAPIR_TYPES; type++)
        if (strcmp(gapir_type_name(type), name) == 0)
            return type;
    fail_msg("no type %s", name);
    return GAPIR_TYPES;
}

static enum gapir_type pointer_named(const char *name)
{
    return strcmp(name, "constant") == 0   ? GAPIR_CONSTANT_POINTER
           : strcmp(name, "volatile") == 0 ? GAPIR_VOLATILE_POINTER
                                           : GAPIR_ABSOLUTE_POINTER;
}

static size_t assemble(const char *text, uint32_t *out)
{
    char type[32], where[32], value[32];
    unsigned push, api, function;
    int number;
    size_t words;

    if (sscanf(text, "call push=%u api=%u fn=%x", &push, &api, &function) == 3) {
        out[0] = gapir_encode_call(api, function, push != 0);
        return 1;
    }
    if (sscanf(text, "push %31s %31s", type, value) == 2)
        return gapir_encode_push(type_named(type), value_bits(type_named(type), value), out);
    if (sscanf(text, "load %31s from %31s %i", type, where, &number) == 3)
        return gapir_encode_load(type_named(type), pointer_named(where), (uint32_t)number, out);
    if (sscanf(text, "store to volatile %i", &number) == 1)
        return gapir_encode_store((uint32_t)number, out);
    if (sscanf(text, "resource %u -> %31s %i", &push, where, &number) == 3) {
        words = gapir_encode_push(pointer_named(where), (uint32_t)number, out);
        out[words] = gapir_encode(GAPIR_RESOURCE, push);
        return words + 1;
    }
    if (sscanf(text, "post %31s %i size %x", where, &number, &push) == 3) {
        words = gapir_encode_push(pointer_named(where), (uint32_t)number, out);
        words += gapir_encode_push(GAPIR_UINT32, push, out + words);
        out[words] = gapir_encode(GAPIR_POST, 0);
        return words + 1;
    }
    for (unsigned opcode = 0; opcode < GAPIR_INVALID; opcode++)
        if (sscanf(text, "%31s %i", type, &number) == 2 &&
            strcasecmp(type, gapir_opcode_table[opcode].name) == 0) {
            out[0] = gapir_encode(opcode, (uint32_t)number);
            return 1;
        }
    fail_msg("cannot assemble %s", text);
    return 0;
}

static void check_enc(const struct row *row, struct text *wrong)
{
    struct text text = TEXT_INIT;
    uint32_t words[16];
    size_t count = assemble(row->program, words);

    for (size_t n = 0; n < count; n++)
        text_printf(&text, "%08x ", words[n]);
    text_add(&text, "; bytes ");
    for (size_t n = 0; n < count; n++)
        for (unsigned shift = 0; shift < 32; shift += 8)
            text_printf(&text, "%02x", words[n] >> shift & 255);
    want_text(&text, row->expect, wrong);
    text_clear(&text);
}

static void test_enc(void **state)
{
    (void)state;
    check_rows("enc", 60, check_enc);
}

/* The words of a row, turned into bytes as they lie in a file. */
static struct gapir_code code_of(const char *program, uint8_t **bytes)
{
    size_t size;

    *bytes = machine_hex(program, strlen(program), &size);
    for (size_t n = 0; n < size; n += 4) {
        uint8_t *w = *bytes + n;
        uint8_t turned[4] = {w[3], w[2], w[1], w[0]};
        memcpy(w, turned, 4);
    }
    return (struct gapir_code){*bytes, (uint32_t)(size / 4), GAPIR_AGI};
}

/* The row for 4-byte pointers is a program: it runs with them, and not with 8. */
static void check_pointer_size(const struct row *row, struct text *wrong)
{
    for (unsigned size = 4; size <= 8; size += 4) {
        struct machine machine;
        struct text result = TEXT_INIT;
        machine_init(&machine, "stack=512 vol=40 res0=strings:737472696e677300 res1=of:6f6600 "
                               "res2=array:617272617900 fn=15:0019:ret:Uint32:2a:ptr+Int32");
        machine.program.pointer_size = (uint8_t)size;
        machine_run(&machine, row->program, STEPS);
        machine_result(&machine, &result);
        want_text(&result, size == 4 ? "ok" : "err:range@18", wrong);
        text_clear(&result);
        machine_clear(&machine);
    }
}

static void check_dis(const struct row *row, struct text *wrong)
{
    struct gapir_instruction instruction;
    struct text text = TEXT_INIT;
    uint8_t *bytes;

    if (strstr(row->params, "ptrsize=4") != NULL) {
        check_pointer_size(row, wrong);
        return;
    }
    struct gapir_code code = code_of(row->program, &bytes);
    gapir_decode(&code, 0, &instruction);
    gapir_write_instruction(&code, &instruction, &text);
    text_printf(&text, " ; words %u", instruction.length);
    want_text(&text, row->expect, wrong);
    text_clear(&text);
    free(bytes);
}

static void test_dis(void **state)
{
    (void)state;
    check_rows("dis", 25, check_dis);
}

static void check_dialect(const struct row *row, struct text *wrong)
{
    struct gapir_instruction instruction;
    enum gapir_dialect dialect = strstr(row->name, "1.7") != NULL   ? GAPIR_GAPID17DEV
                                 : strstr(row->name, "1.6") != NULL ? GAPIR_GAPID16
                                                                    : GAPIR_GAPID12;
    uint8_t *bytes;
    struct gapir_code code = code_of(row->program, &bytes);

    code.dialect = dialect;
    gapir_decode(&code, 0, &instruction);
    if (dialect == GAPIR_GAPID12) {
        if (instruction.opcode != GAPIR_INVALID)
            text_add(wrong, "not invalid");
    } else if (instruction.opcode != GAPIR_NOTIFICATION ||
               gapir_notification_operands(dialect) != (dialect == GAPIR_GAPID16 ? 2 : 3)) {
        text_add(wrong, "no NOTIFICATION with its operands");
    }
    free(bytes);
}

static void test_dialect(void **state)
{
    (void)state;
    check_rows("dialect", 3, check_dialect);
}

static void write_payload(const struct gapir_payload *payload, struct text *text)
{
    text_printf(text, "stack=%u; vol=%u; const=", payload->stack_size, payload->volatile_size);
    for (uint64_t n = 0; n < payload->constants.size; n++)
        text_printf(text, "%02x", payload->constants.data[n]);
    text_add(text, "; res=");
    for (uint32_t n = 0; n < payload->resource_count; n++)
        text_printf(text, "%s%.*s:%u", n != 0 ? "," : "", (int)payload->resources[n].id.size,
                    payload->resources[n].id.data, payload->resources[n].size);
    text_add(text, "; words=");
    for (uint64_t n = 0; n < payload->opcodes.size; n += 4)
        text_printf(text, "%s%08x", n != 0 ? " " : "", bytes_le32(payload->opcodes.data + n));
}

/* A clause `key=value` of what was expected stands in what came out. */
static void want_clauses(const struct text *text, char *expect, struct text *wrong)
{
    char *clause;

    while ((clause = strsep(&expect, ";")) != NULL) {
        clause += strspn(clause, " ");
        if (strstr(clause, " ignored") != NULL)
            continue;
        if (memmem(text->bytes, text->length, clause, strlen(clause)) == NULL)
            text_printf(wrong, "no %s in %.*s ", clause, (int)text->length, text->bytes);
    }
}

static void check_payload(const struct row *row, struct text *wrong)
{
    struct gapir_payload payload;
    struct text text = TEXT_INIT;
    uint32_t trailing = strstr(row->expect, "1 trailing byte") != NULL;
    size_t size = 0;
    uint8_t *bytes = NULL;

    if (strcmp(row->name, "CreateErrorGet") == 0)
        return; /* a payload that cannot be had is the source's matter */
    if (strcmp(row->program, "-") != 0)
        bytes = machine_hex(row->program, strlen(row->program), &size);
    assert_int_equal(gapir_payload_read(bytes, size, NULL, &payload), 0);
    if (strcmp(row->expect, "parse error") == 0) {
        if (!payload.damaged)
            text_add(wrong, "not seen to be damaged");
    } else {
        write_payload(&payload, &text);
        want_clauses(&text, row->expect, wrong);
        if (payload.damaged || payload.trailing_bytes != trailing)
            text_add(wrong, "damaged, or trailing bytes");
    }
    gapir_payload_clear(&payload);
    text_clear(&text);
    free(bytes);
}

static void test_payload(void **state)
{
    (void)state;
    check_rows("payload", 7, check_payload);
}

/* SizeMismatch states a rule of its own; the others list an index. */
static void check_size_mismatch(struct text *wrong)
{
    static const uint8_t index[] = "\1\0\0\0A\0\0\0\0\0\0\0\0\4\0\0";
    struct gapir_archive archive;
    struct gapir_resource_info info = {.id = {(const uint8_t *)"A", 1, 0}, .size = 5};
    struct gapir_payload payload = {.resources = &info, .resource_count = 1};
    struct gapir_resource *resources;

    assert_int_equal(
        gapir_archive_open(index, sizeof(index), (const uint8_t *)"abcdefg", 7, NULL, &archive), 0);
    assert_int_equal(gapir_archive_resolve(&archive, &payload, &resources), 0);
    if (resources[0].status != GAPIR_RESOURCE_SIZE_MISMATCH || resources[0].data != NULL)
        text_add(wrong, "found in spite of its size");
    free(resources);
    gapir_archive_clear(&archive);
}

static void check_archive(const struct row *row, struct text *wrong)
{
    struct gapir_archive archive;
    char *rest = row->expect, *record;
    size_t size, found = 0;

    if (strcmp(row->program, "-") == 0) {
        check_size_mismatch(wrong);
        return;
    }
    uint8_t *index = machine_hex(row->program, strlen(row->program), &size);
    assert_int_equal(gapir_archive_open(index, size, NULL, 0, NULL, &archive), 0);
    while ((record = strsep(&rest, ",")) != NULL) {
        char id[64];
        unsigned long long offset;
        unsigned bytes;
        assert_int_equal(sscanf(record, " %63[^:]:%llu:%u", id, &offset, &bytes), 3);
        const struct gapir_record *entry =
            gapir_archive_find(&archive, (const uint8_t *)id, strlen(id));
        if (entry == NULL || entry->offset != offset || entry->size != bytes)
            text_printf(wrong, "no %s ", record);
        found++;
    }
    if (found != archive.count)
        text_printf(wrong, "%llu records ", (unsigned long long)archive.count);
    gapir_archive_clear(&archive);
    free(index);
}

static void test_archive(void **state)
{
    (void)state;
    check_rows("archive", 4, check_archive);
}

/* Scripts of the stack: operations on a machine that has not run anything. */
struct script {
    struct machine machine;
    struct text values; /* what was popped */
    enum gapir_fault fault;
    bool filled;
};

static void script_fill(struct script *script, unsigned count)
{
    while (count-- > 0 && script->fault == GAPIR_FAULT_NONE)
        script->fault = gapir_vm_push(script->machine.vm, GAPIR_UINT32, count);
    script->filled = script->fault == GAPIR_FAULT_NONE;
}

static void script_value(struct script *script, bool hexadecimal, unsigned long long value)
{
    if (script->values.length != 0)
        text_add(&script->values, ", ");
    if (hexadecimal)
        text_printf(&script->values, "0x%llx", value);
    else
        text_printf(&script->values, "%llu", value);
}

static void script_pointer(struct script *script)
{
    struct gapir_vm *vm = script->machine.vm;
    uint64_t address;

    script->fault = gapir_vm_pop_pointer(vm, &address);
    if (script->fault != GAPIR_FAULT_NONE)
        return;
    if (address == 0)
        text_add(&script->values, "null");
    else if (address >= vm->plan->memory)
        text_add(&script->values, "volatile base");
    else
        text_add(&script->values, "constant base");
    uint64_t offset = address & 0xffffffff;
    if (offset != 0)
        text_printf(&script->values, "+0x%llx", (unsigned long long)offset);
}

static void script_step(struct script *script, const char *step)
{
    struct gapir_vm *vm = script->machine.vm;
    char operation[16] = "", type[32] = "";
    struct gapir_slot slot;
    uint64_t value;
    int number = 0;

    sscanf(step, "%15s %31s %i", operation, type, &number);
    if (strcmp(operation, "push") == 0 || strcmp(operation, "pushv") == 0) {
        script->fault = gapir_vm_push(vm, type_named(type), (uint32_t)number);
    } else if (strcmp(operation, "pop") == 0) {
        script->fault = gapir_vm_pop(vm, type_named(type), &value);
        if (script->fault == GAPIR_FAULT_NONE)
            script_value(script, false, value);
    } else if (strcmp(operation, "popbase") == 0) {
        script->fault = gapir_vm_pop_any(vm, &slot);
        if (script->fault == GAPIR_FAULT_NONE)
            script_value(script, true, slot.value);
    } else if (strcmp(operation, "popptr") == 0) {
        script_pointer(script);
    } else if (strcmp(operation, "top") == 0) {
        if (vm->depth == 0)
            script->fault = GAPIR_FAULT_UNDERFLOW;
        else
            text_printf(&script->values, "%stop=%s", script->values.length != 0 ? "; " : "",
                        gapir_type_name(vm->stack[vm->depth - 1].type));
    } else if (strcmp(operation, "discard") == 0) {
        script->fault = gapir_vm_discard(vm, (uint32_t)strtoul(type, NULL, 10));
    } else if (strcmp(operation, "clone") == 0) {
        script->fault = gapir_vm_clone(vm, (uint32_t)strtoul(type, NULL, 10));
    } else if (strcmp(operation, "fill") == 0) {
        script_fill(script, (unsigned)strtoul(type, NULL, 10));
    } else if (*step != 0 && strcmp(step, "-") != 0) {
        fail_msg("unknown step %s", step);
    }
}

static void check_stack(const struct row *row, struct text *wrong)
{
    struct script script = {0};
    char *rest = row->program, *step;

    machine_init(&script.machine, "stack=128 vol=4096");
    script.machine.constants = calloc(1, 1024);
    script.machine.program.constants = script.machine.constants;
    script.machine.program.constants_size = 1024;
    machine_run(&script.machine, "-", STEPS);
    while ((step = strsep(&rest, ";")) != NULL && script.fault == GAPIR_FAULT_NONE)
        script_step(&script, step + strspn(step, " "));
    if ((strstr(row->expect, "invalid") != NULL) != (script.fault != GAPIR_FAULT_NONE))
        text_printf(wrong, "%s ", gapir_fault_name(script.fault));
    if (strstr(row->expect, "valid after fill") != NULL && !script.filled)
        text_add(wrong, "not filled ");
    if (script.values.length != 0 &&
        strncmp(row->expect, script.values.bytes, script.values.length) != 0)
        text_printf(wrong, "[%.*s] for [%s]", (int)script.values.length, script.values.bytes,
                    row->expect);
    text_clear(&script.values);
    machine_clear(&script.machine);
}

static void test_stack(void **state)
{
    (void)state;
    check_rows("stack", 28, check_stack);
}

/* Rules of the memory, one a row. */
static enum gapir_region region_at(const struct machine *machine, uint64_t base, int64_t offset)
{
    return gapir_vm_locate(machine->vm, base + (uint64_t)offset).region;
}

static bool constants_are_empty(struct machine *machine)
{
    return region_at(machine, machine->vm->plan->constants, 0) == GAPIR_NOWHERE;
}

static bool sizes_are_the_payloads(struct machine *machine)
{
    uint8_t constants[192] = {0}, opcodes[64] = {0}, bytes[512];
    Gapir__Payload message = GAPIR__PAYLOAD__INIT;
    struct gapir_payload payload;

    (void)machine;
    message.constants = (ProtobufCBinaryData){sizeof(constants), constants};
    message.opcodes = (ProtobufCBinaryData){sizeof(opcodes), opcodes};
    assert_in_range(gapir__payload__get_packed_size(&message), 1, sizeof(bytes));
    size_t size = gapir__payload__pack(&message, bytes);
    assert_int_equal(gapir_payload_read(bytes, size, NULL, &payload), 0);
    bool right = payload.constants.size == 192 && payload.opcodes.size == 64;
    gapir_payload_clear(&payload);
    return right;
}

static bool volatile_has_its_size(struct machine *machine)
{
    uint64_t base = machine->vm->plan->memory, size = machine->program.volatile_size;

    return region_at(machine, base, (int64_t)size - 1) == GAPIR_VOLATILE &&
           region_at(machine, base, (int64_t)size) == GAPIR_NOWHERE;
}

static bool too_much_is_refused(struct machine *machine)
{
    static const struct gapir_host host = {0};
    struct gapir_limits limits = {.instructions = 1, .moved = 1, .memory = 4096};
    struct gapir_program program = machine->program;
    bool right = true;

    for (unsigned n = 0; n < 3; n++) {
        struct gapir_vm *vm = NULL;
        program.volatile_size = n == 1 ? 4097 : 4096;
        int status = gapir_vm_create(&program, &limits, &host, NULL, &vm);
        right = right && status == (n == 1 ? -EFBIG : 0);
        gapir_vm_destroy(&vm);
    }
    return right;
}

static bool in_constants(struct machine *machine)
{
    uint64_t base = machine->vm->plan->constants;

    return region_at(machine, base, 0) == GAPIR_CONSTANTS &&
           region_at(machine, base, 512) == GAPIR_CONSTANTS &&
           region_at(machine, base, 1024) == GAPIR_NOWHERE &&
           region_at(machine, base, -1) == GAPIR_NOWHERE &&
           region_at(machine, machine->vm->plan->memory, 0) == GAPIR_VOLATILE;
}

static bool in_volatile(struct machine *machine)
{
    uint64_t base = machine->vm->plan->memory;

    return region_at(machine, base, 0) == GAPIR_VOLATILE &&
           region_at(machine, base, 512) == GAPIR_VOLATILE &&
           region_at(machine, base, 1024) == GAPIR_NOWHERE &&
           region_at(machine, base, -1) == GAPIR_NOWHERE &&
           region_at(machine, machine->vm->plan->constants, 0) == GAPIR_CONSTANTS;
}

static bool offset_is_10(struct machine *machine)
{
    const struct gapir_address_plan *plan = machine->vm->plan;

    return gapir_vm_locate(machine->vm, plan->memory + 10).offset == 10 &&
           gapir_vm_locate(machine->vm, plan->constants + 10).offset == 10;
}

static void check_mem(const struct row *row, struct text *wrong)
{
    static const struct {
        const char *name;
        unsigned memory, constants;
        bool (*check)(struct machine *machine);
    } rules[] = {
        {"ConstantMemoryIsEmptyByDefault", 4096, 0, constants_are_empty},
        {"ConstantSizeIsCorrect", 4096, 0, sizes_are_the_payloads},
        {"ExplicitVolatileSizeIsUpdated", 2048, 0, volatile_has_its_size},
        {"OutOfBoundsVolatileSizeFails", 4096, 0, too_much_is_refused},
        {"IsConstantAddressWorks", 1024, 1024, in_constants},
        {"IsVolatileAddressWorks", 1024, 1024, in_volatile},
        {"AbsoluteToVolatile", 2048, 1024, offset_is_10},
        {"AbsoluteToConstant", 2048, 1024, offset_is_10},
    };

    for (size_t n = 0; n < COUNT_OF(rules); n++) {
        struct machine machine;
        if (strcmp(rules[n].name, row->name) != 0)
            continue;
        machine_init(&machine, "stack=16");
        machine.constants = calloc(1, 1024);
        machine.program.constants = machine.constants;
        machine.program.constants_size = rules[n].constants;
        machine.program.volatile_size = rules[n].memory;
        machine_run(&machine, "-", STEPS);
        if (!rules[n].check(&machine))
            text_add(wrong, "not so");
        machine_clear(&machine);
        return;
    }
    text_add(wrong, "unknown rule");
}

static void test_mem(void **state)
{
    (void)state;
    check_rows("mem", 8, check_mem);
}

/* Posts go out one by one, in order: upstream's buffer is left out, its data are not. */
static int fail_post(void *context, struct gapir_vm *vm, const struct gapir_post *post)
{
    (void)context;
    (void)vm;
    (void)post;
    return -EIO;
}

static void check_failing_sink(const char *words, struct text *wrong)
{
    static const struct gapir_host host = {.post = fail_post};
    struct machine machine;
    struct gapir_vm *vm = NULL;

    machine_init(&machine, "stack=128 vol=1024 const=0001020304050607");
    machine_run(&machine, words, STEPS);
    assert_int_equal(gapir_vm_create(&machine.program, &machine.limits, &host, NULL, &vm), 0);
    if (gapir_vm_run(vm, GAPIR_TO_THE_END, NULL) != -EIO)
        text_add(wrong, "the sink's failure is lost");
    gapir_vm_destroy(&vm);
    machine_clear(&machine);
}

static void post_piece(struct text *program, unsigned *at, unsigned size)
{
    text_printf(program, "%08x %08x %08x ",
                gapir_encode_typed(GAPIR_PUSH_I, GAPIR_CONSTANT_POINTER, *at),
                gapir_encode_typed(GAPIR_PUSH_I, GAPIR_UINT32, size), gapir_encode(GAPIR_POST, 0));
    *at += size;
}

static void check_post(const struct row *row, struct text *wrong)
{
    struct machine machine;
    struct text program = TEXT_INIT, data = TEXT_INIT;
    unsigned at = 0, size, times;

    if (strcmp(row->name, "ReportCallbackErrors") == 0) {
        check_failing_sink("04c00000 04700006 24000000", wrong);
        return;
    }
    for (const char *push = row->program; (push = strstr(push, "push ")) != NULL; push++) {
        if (sscanf(push, "push %u x%u", &size, &times) != 2)
            times = 1;
        for (; times > 0; times--)
            post_piece(&program, &at, size);
    }
    text_add_char(&program, 0);
    machine_init(&machine, "stack=16 const=000102030405");
    machine_run(&machine, program.bytes, STEPS);
    for (size_t n = 0; n < machine.posts.length; n++) {
        if (machine.posts.bytes[n] != '=')
            continue;
        for (n++; machine.posts.bytes[n] != '\n'; n++)
            text_add_char(&data, machine.posts.bytes[n]);
    }
    want_text(&data, "000102030405", wrong);
    text_clear(&data);
    text_clear(&program);
    machine_clear(&machine);
}

static void test_post(void **state)
{
    (void)state;
    check_rows("post", 6, check_post);
}

static void check_ctx(const struct row *row, struct text *wrong)
{
    struct machine machine;
    struct text result = TEXT_INIT;

    if (strcmp(row->name, "CreateErrorReplayRequest") == 0)
        return; /* a payload that cannot be had is the source's matter */
    if (strcmp(row->name, "PostDataErrorPost") == 0) {
        check_failing_sink(row->program, wrong);
        return;
    }
    machine_init(&machine, "stack=0 vol=0");
    if (strcmp(row->name, "CreateErrorVolatileMemory") == 0) {
        if (!too_much_is_refused(&machine))
            text_add(wrong, "not refused");
        return;
    }
    machine_run(&machine, "-", STEPS); /* Create, Notification: whoever listens changes nothing */
    machine_result(&machine, &result);
    want_text(&result, "ok", wrong);
    text_clear(&result);
    machine_clear(&machine);
}

static void test_ctx(void **state)
{
    (void)state;
    check_rows("ctx", 5, check_ctx);
}

/* The exporter's constants: aligned, and equal ones once. */
static void check_const(const struct row *row, struct text *wrong)
{
    struct build build = {0};
    struct text hex = TEXT_INIT;

    if (strcmp(row->name, "ConstantEncoderAlignment") == 0) {
        build_constant(&build, "\x34\x12\0\0", 4);
        build_constant(&build, "\xff\xff", 2);
        for (size_t n = 0; n < build.constants_size; n++)
            text_printf(&hex, "%02x", build.constants[n]);
        want_text(&hex, row->expect, wrong);
    } else {
        uint32_t first = build_constant(&build, "\x34\x12\0\0\xff\xff", 6);
        build_constant(&build, "other", 5);
        if (build_constant(&build, "\x34\x12\0\0\xff\xff", 6) != first)
            text_add(wrong, "another address");
    }
    build_clear(&build);
    text_clear(&hex);
}

static void test_const(void **state)
{
    (void)state;
    check_rows("const", 2, check_const);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vm),      cmocka_unit_test(test_enc),
        cmocka_unit_test(test_dis),     cmocka_unit_test(test_dialect),
        cmocka_unit_test(test_payload), cmocka_unit_test(test_archive),
        cmocka_unit_test(test_stack),   cmocka_unit_test(test_mem),
        cmocka_unit_test(test_post),    cmocka_unit_test(test_ctx),
        cmocka_unit_test(test_const),
    };

    return cmocka_run_group_tests_name("gapir_cases", tests, NULL, NULL);
}
