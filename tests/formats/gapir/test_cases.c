/* SPDX-License-Identifier: MIT */
/* Rows of the corpus's gapir/cases.tsv about the machine: programs, the stack, memory, posts */
#include "config.h"

#include "tests/formats/gapir/cases.h"

#include "tests/support/support.h"

#include "formats/gapir/container/payload.h"
#include "formats/gapir/container/payload.pb-c.h"
#include "tests/formats/gapir/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 1000000 };

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

/* Checks that a line `post0=…` is among those that the machine wrote. */
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
        cases_want_text(&machine->popped, clause + 7, wrong);
    } else if (strncmp(clause, "post", 4) == 0) {
        want_line(&machine->posts, clause, wrong);
    } else if (strncmp(clause, "note", 4) == 0) {
        want_line(&machine->notes, clause, wrong);
    } else if (strncmp(clause, "stack=", 6) == 0) {
        machine_stack(machine, &text);
        cases_want_text(&text, clause + 6, wrong);
    } else if (strncmp(clause, "label=", 6) == 0) {
        text_printf(&text, "%u", machine->vm->label);
        cases_want_text(&text, clause + 6, wrong);
    } else {
        machine_result(machine, &text);
        cases_want_text(&text, clause, wrong);
    }
    text_clear(&text);
}

static void check_vm(const struct case_row *row, struct text *wrong)
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
    cases_check("vm", 133, check_vm);
}

/* Scripts of the stack: operations on a machine that has not run anything */
struct script {
    struct machine machine;
    struct text values; /* popped values */
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
        script->fault = gapir_vm_push(vm, cases_type(type), (uint32_t)number);
    } else if (strcmp(operation, "pop") == 0) {
        script->fault = gapir_vm_pop(vm, cases_type(type), &value);
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

static void check_stack(const struct case_row *row, struct text *wrong)
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
    cases_check("stack", 28, check_stack);
}

/* Rules of the memory, one a row */
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
    assert_int_equal(gapir_payload_read(bytes, size, NULL, NULL, &payload), 0);
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

static void check_mem(const struct case_row *row, struct text *wrong)
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
    cases_check("mem", 8, check_mem);
}

/* Posts are made one by one, in order: upstream's buffer is left out, but not its data. */
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

static void check_post(const struct case_row *row, struct text *wrong)
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
    cases_want_text(&data, "000102030405", wrong);
    text_clear(&data);
    text_clear(&program);
    machine_clear(&machine);
}

static void test_post(void **state)
{
    (void)state;
    cases_check("post", 6, check_post);
}

static void check_ctx(const struct case_row *row, struct text *wrong)
{
    struct machine machine;
    struct text result = TEXT_INIT;

    if (strcmp(row->name, "CreateErrorReplayRequest") == 0)
        return; /* a payload that cannot be fetched concerns the source */
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
    machine_run(&machine, "-", STEPS); /* Create, Notification: a listener has no effect */
    machine_result(&machine, &result);
    cases_want_text(&result, "ok", wrong);
    text_clear(&result);
    machine_clear(&machine);
}

static void test_ctx(void **state)
{
    (void)state;
    cases_check("ctx", 5, check_ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vm),   cmocka_unit_test(test_stack), cmocka_unit_test(test_mem),
        cmocka_unit_test(test_post), cmocka_unit_test(test_ctx),
    };

    return cmocka_run_group_tests_name("gapir_cases", tests, NULL, NULL);
}
