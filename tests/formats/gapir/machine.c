/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/formats/gapir/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void die(const char *what, const char *text)
{
    fprintf(stderr, "gapir_machine: %s: %.80s\n", what, text);
    abort();
}

static unsigned digit(char c)
{
    const char *digits = "0123456789abcdef";
    const char *found = strchr(digits, c);

    if (c == 0 || found == NULL)
        die("not hexadecimal", (char[]){c, 0});
    return (unsigned)(found - digits);
}

uint8_t *machine_hex(const char *digits, size_t length, size_t *size)
{
    uint8_t *bytes = malloc(length / 2 + 1);
    size_t nibbles = 0;

    if (bytes == NULL)
        abort();
    for (size_t n = 0; n < length; n++) {
        if (digits[n] == ' ')
            continue;
        unsigned value = digit(digits[n]);
        if (nibbles % 2 == 0)
            bytes[nibbles / 2] = (uint8_t)(value << 4);
        else
            bytes[nibbles / 2] |= (uint8_t)value;
        nibbles++;
    }
    *size = nibbles / 2;
    return bytes;
}

static void add_hex(struct text *text, const uint8_t *bytes, size_t size)
{
    for (size_t n = 0; n < size; n++)
        text_printf(text, "%02x", bytes[n]);
}

static uint8_t type_named(const char *name, size_t length)
{
    if (length == 3 && memcmp(name, "ptr", 3) == 0)
        return GAPIR_ANY_POINTER;
    for (unsigned type = 0; type < GAPIR_TYPES; type++)
        if (strlen(gapir_type_name(type)) == length &&
            memcmp(gapir_type_name(type), name, length) == 0)
            return (uint8_t)type;
    die("unknown type", name);
    return 0;
}

/* Parses TYPE+TYPE+…, or none. */
static void set_types(struct machine_function *function, const char *list)
{
    if (strcmp(list, "none") == 0)
        return;
    for (const char *name = list; *name != 0;) {
        size_t length = strcspn(name, "+");
        function->types[function->count++] = type_named(name, length);
        name += length + (name[length] == '+');
    }
}

static void set_function(struct machine *machine, char *value)
{
    struct machine_function *function = &machine->functions[machine->function_count++];
    char *rest = value;

    if (machine->function_count > MACHINE_FUNCTIONS)
        die("too many functions", value);
    function->api = (unsigned)strtoul(strsep(&rest, ":"), NULL, 10);
    function->id = (unsigned)strtoul(strsep(&rest, ":"), NULL, 16);
    const char *kind = strsep(&rest, ":");
    if (strcmp(kind, "pop") == 0) {
        set_types(function, rest);
    } else if (strcmp(kind, "ret") == 0) {
        const char *type = strsep(&rest, ":");
        function->returns = true;
        function->result_type = type_named(type, strlen(type));
        function->result = strtoull(strsep(&rest, ":"), NULL, 16);
        set_types(function, rest);
    }
    machine->program.code.dialect = GAPIR_AGI;
}

/* Parses ID:HEX, or ID:missing(SIZE). */
static void set_resource(struct machine *machine, unsigned number, char *value)
{
    struct gapir_resource *resource = &machine->resources[number];
    char *bytes = strchr(value, ':') + 1;
    unsigned size;

    if (number >= MACHINE_RESOURCES)
        die("too many resources", value);
    if (sscanf(bytes, "missing(%u)", &size) == 1) {
        resource->status = GAPIR_RESOURCE_MISSING;
        resource->size = size;
    } else {
        size_t length;
        resource->data = machine_hex(bytes, strlen(bytes), &length);
        resource->size = (uint32_t)length;
    }
    if (number >= machine->program.resource_count)
        machine->program.resource_count = number + 1;
}

static void set_memory(struct machine *machine, uint32_t offset, const char *value)
{
    struct machine_init *init = &machine->inits[machine->init_count++];

    if (machine->init_count > MACHINE_INITS)
        die("too many initial bytes", value);
    init->offset = offset;
    init->bytes = machine_hex(value, strlen(value), &init->size);
}

static void set_parameter(struct machine *machine, char *parameter)
{
    char *value = strchr(parameter, '=');
    unsigned number;
    size_t size;

    if (value == NULL)
        die("no value", parameter);
    *value++ = 0;
    if (strcmp(parameter, "stack") == 0) {
        machine->program.stack_size = (uint32_t)strtoul(value, NULL, 10);
    } else if (strcmp(parameter, "vol") == 0) {
        machine->program.volatile_size = (uint32_t)strtoul(value, NULL, 10);
    } else if (strcmp(parameter, "const") == 0) {
        machine->constants = machine_hex(value, strlen(value), &size);
        machine->program.constants = machine->constants;
        machine->program.constants_size = (uint32_t)size;
    } else if (strcmp(parameter, "fence") == 0) {
        machine->program.fences_fail = strcmp(value, "ok") != 0;
    } else if (strcmp(parameter, "ptrsize") == 0) {
        machine->program.pointer_size = (uint8_t)strtoul(value, NULL, 10);
    } else if (strcmp(parameter, "fn") == 0) {
        set_function(machine, value);
    } else if (sscanf(parameter, "res%u", &number) == 1) {
        set_resource(machine, number, value);
    } else if (sscanf(parameter, "vol@%u", &number) == 1) {
        set_memory(machine, number, value);
    } else {
        die("unknown parameter", parameter);
    }
}

void machine_init(struct machine *machine, const char *parameters)
{
    *machine = (struct machine){0};
    machine->program.pointer_size = 8;
    machine->program.fences_fail = true;
    machine->program.resources = machine->resources;
    machine->limits = (struct gapir_limits){
        .instructions = UINT64_MAX, .moved = UINT64_MAX, .memory = UINT64_C(1) << 30};
    if (strcmp(parameters, "-") == 0)
        return;
    char *copy = strdup(parameters), *rest = copy, *word;
    while ((word = strsep(&rest, " ")) != NULL)
        if (*word != 0)
            set_parameter(machine, word);
    free(copy);
}

static void add_popped(struct machine *machine, const char *type, uint64_t value)
{
    if (machine->popped.length != 0)
        text_add_char(&machine->popped, ',');
    if (type == NULL)
        text_add(&machine->popped, "call");
    else
        text_printf(&machine->popped, "%s:%llx", type, (unsigned long long)value);
}

static enum gapir_fault pop_argument(struct machine *machine, struct gapir_vm *vm, unsigned type)
{
    uint64_t value;
    enum gapir_fault fault = type == GAPIR_ANY_POINTER ? gapir_vm_pop_pointer(vm, &value)
                                                       : gapir_vm_pop(vm, type, &value);

    if (fault == GAPIR_FAULT_NONE)
        add_popped(machine, gapir_type_name(type), value);
    return fault;
}

static enum gapir_fault on_call(void *context, struct gapir_vm *vm)
{
    struct machine *machine = context;
    unsigned api = gapir_call_api(vm->call.word), id = gapir_call_function(vm->call.word);
    const struct machine_function *function = NULL;
    enum gapir_fault fault = GAPIR_FAULT_NONE;

    for (unsigned n = 0; n < machine->function_count && function == NULL; n++)
        if (machine->functions[n].api == api && machine->functions[n].id == id)
            function = &machine->functions[n];
    if (function == NULL)
        return GAPIR_FAULT_NOFUNC;
    if (function->count == 0 && !function->returns)
        add_popped(machine, NULL, 0);
    for (unsigned n = function->count; n-- > 0 && fault == GAPIR_FAULT_NONE;)
        fault = pop_argument(machine, vm, function->types[n]);
    if (fault == GAPIR_FAULT_NONE && function->returns && gapir_call_pushes(vm->call.word))
        fault = gapir_vm_push(vm, function->result_type, function->result);
    return fault;
}

static int on_post(void *context, struct gapir_vm *vm, const struct gapir_post *post)
{
    struct machine *machine = context;

    text_printf(&machine->posts, "post%u=", vm->posts);
    add_hex(&machine->posts, post->location.data, post->size);
    text_add_char(&machine->posts, '\n');
    return 0;
}

static int on_notification(void *context, struct gapir_vm *vm,
                           const struct gapir_notification *notification)
{
    struct machine *machine = context;

    text_printf(&machine->notes, "note%u=%u:%u:", vm->notifications, notification->id, vm->label);
    add_hex(&machine->notes, notification->bytes.location.data, notification->bytes.size);
    text_add_char(&machine->notes, '\n');
    return 0;
}

static const struct gapir_host host = {
    .call = on_call, .overrides = true, .post = on_post, .notification = on_notification};

void machine_run(struct machine *machine, const char *words, uint64_t steps)
{
    const struct gapir_scan_params params = {.dialect_given = true,
                                             .dialect = machine->program.code.dialect};
    size_t size = 0;

    if (strcmp(words, "-") != 0) {
        /* Words are written as numbers, so their bytes are reversed. */
        machine->words = machine_hex(words, strlen(words), &size);
        for (size_t n = 0; n + 4 <= size; n += 4) {
            uint8_t *w = machine->words + n;
            uint8_t turned[4] = {w[3], w[2], w[1], w[0]};
            memcpy(w, turned, 4);
        }
    }
    machine->payload.opcodes = (struct gapir_slice){.data = machine->words, .size = size};
    if (gapir_scan(&machine->payload, &params, NULL, NULL, &machine->scan) != 0)
        abort();
    machine->program.code = machine->scan.code;
    machine->program.jumps = machine->scan.jumps;
    machine->program.jump_count = machine->scan.jump_count;
    machine->limits.instructions = steps;
    if (gapir_vm_create(&machine->program, &machine->limits, &host, machine, &machine->vm) != 0)
        abort();
    for (unsigned n = 0; n < machine->init_count; n++)
        memcpy(machine->vm->memory + machine->inits[n].offset, machine->inits[n].bytes,
               machine->inits[n].size);
    if (gapir_vm_run(machine->vm, GAPIR_TO_THE_END, NULL) != 0)
        abort();
}

void machine_result(const struct machine *machine, struct text *text)
{
    const struct gapir_vm *vm = machine->vm;

    if (vm->fault == GAPIR_FAULT_NONE)
        text_add(text, "ok");
    else
        text_printf(text, "err:%s@%u", gapir_fault_name(vm->fault), vm->pc);
}

void machine_stack(const struct machine *machine, struct text *text)
{
    const struct gapir_vm *vm = machine->vm;

    if (vm->depth == 0)
        text_add(text, "empty");
    for (uint32_t n = 0; n < vm->depth; n++)
        text_printf(text, "%s%s:%llx", n != 0 ? "," : "", gapir_type_name(vm->stack[n].type),
                    (unsigned long long)vm->stack[n].value);
}

static void add_lines(struct text *out, const struct text *lines)
{
    text_add_char(out, '|');
    for (size_t n = 0; n < lines->length; n++)
        text_add_char(out, lines->bytes[n] == '\n' ? ' ' : lines->bytes[n]);
}

void machine_outcome(const struct machine *machine, struct text *text)
{
    const struct gapir_vm *vm = machine->vm;

    machine_result(machine, text);
    text_printf(text, "|%llu|%u|%u|%llu|%u", (unsigned long long)vm->steps, vm->label, vm->thread,
                (unsigned long long)vm->calls, vm->fences);
    add_lines(text, &machine->posts);
    add_lines(text, &machine->notes);
    add_lines(text, &machine->popped);
    text_printf(text, "|%08lx|", crc32(0, vm->memory, machine->program.volatile_size));
    if (vm->fault == GAPIR_FAULT_NONE)
        machine_stack(machine, text);
}

void machine_clear(struct machine *machine)
{
    gapir_vm_destroy(&machine->vm);
    gapir_scan_clear(&machine->scan);
    for (unsigned n = 0; n < MACHINE_RESOURCES; n++)
        free((void *)machine->resources[n].data);
    for (unsigned n = 0; n < machine->init_count; n++)
        free(machine->inits[n].bytes);
    free(machine->words);
    free(machine->constants);
    text_clear(&machine->popped);
    text_clear(&machine->posts);
    text_clear(&machine->notes);
}
