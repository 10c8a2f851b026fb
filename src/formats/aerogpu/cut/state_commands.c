/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/cut/state_commands.h"

#include "base/hash.h"
#include "formats/aerogpu/replay/machine.h"

#include <errno.h>
#include <stdlib.h>

enum {
    RENDER_VALUES = 32, /* values of a render state with keys of their own; the last: all others */
    WRITTEN_OF_WORKER = 8,
    RS_CULLMODE = 22,
    RS_FRONTCOUNTERCLOCKWISE = 18,
};

/*
 * The keys of the parts of the state. Blocks of state with values that no worker knows have
 * separate keys: a worker ignores them, so they do not replace the block that was set before.
 * Likewise, each value of a render state has its own key, since some values set more than their own
 * state.
 */
enum {
    KEY_SHADERS,
    KEY_LAYOUT,
    KEY_TARGETS,
    KEY_VIEWPORT,
    KEY_SCISSOR,
    KEY_INDICES,
    KEY_TOPOLOGY,
    KEY_BLEND,
    KEY_DEPTH = KEY_BLEND + 2,
    KEY_RASTER = KEY_DEPTH + 2,
    KEY_VERTICES = KEY_RASTER + 2,
    KEY_RENDER = KEY_VERTICES + AEROGPU_VERTEX_SLOTS,
    KEY_STAGES = KEY_RENDER + AEROGPU_RENDER_STATES * RENDER_VALUES,
};

/* The keys of a stage. */
enum {
    KEY_TEXTURES,
    KEY_SAMPLERS = KEY_TEXTURES + AEROGPU_TEXTURE_SLOTS,
    KEY_SAMPLER_STATES = KEY_SAMPLERS + AEROGPU_SAMPLER_SLOTS,
    KEY_CONSTANTS = KEY_SAMPLER_STATES + AEROGPU_SAMPLER_SLOTS * AEROGPU_SAMPLER_STATES,
    KEY_RESOURCES = KEY_CONSTANTS + AEROGPU_CONSTANT_SLOTS,
    KEY_UNORDERED = KEY_RESOURCES + AEROGPU_RESOURCE_SLOTS,
    KEY_FLOATS = KEY_UNORDERED + 2 * AEROGPU_UNORDERED_SLOTS,
    KEY_INTEGERS = KEY_FLOATS + AEROGPU_CONSTANTS,
    KEY_BOOLEANS = KEY_INTEGERS + AEROGPU_SCALARS,
    KEYS_OF_STAGE = KEY_BOOLEANS + AEROGPU_SCALARS,
};

enum { KEYS = KEY_STAGES + AEROGPU_PROGRAMS * KEYS_OF_STAGE };

/* How many commands name a handle, and where it was destroyed last. */
struct aerogpu_state_handle {
    uint64_t key;         /* space and handle */
    uint32_t all, before; /* `before`: of those before the destruction */
    struct aerogpu_state_command *destroyed;
    UT_hash_handle hh;
};

int aerogpu_state_commands_init(struct aerogpu_state_commands *commands)
{
    *commands = (struct aerogpu_state_commands){0};
    commands->keys = calloc(KEYS, sizeof(*commands->keys));
    return commands->keys != NULL ? 0 : -ENOMEM;
}

static void free_entry(struct aerogpu_state_command *entry)
{
    free(entry->own);
    free(entry);
}

void aerogpu_state_commands_clear(struct aerogpu_state_commands *commands)
{
    struct aerogpu_state_handle *handle = NULL, *next_handle = NULL;

    while (commands->first != NULL) {
        struct aerogpu_state_command *next = commands->first->next;

        free_entry(commands->first);
        commands->first = next;
    }
    HASH_ITER (hh, commands->handles, handle, next_handle) {
        HASH_DEL(commands->handles, handle);
        free(handle);
    }
    free(commands->keys);
    *commands = (struct aerogpu_state_commands){0};
}

/* The list. */

static uint64_t cost_of(const struct aerogpu_state_command *entry)
{
    if (entry->destroyed == 0)
        return entry->command.size;
    if (entry->space == AEROGPU_SPACE_LAYOUT)
        return AEROGPU_STUB_LAYOUT_BYTES + AEROGPU_DESTROY_BYTES;
    return AEROGPU_DESTROY_BYTES + (entry->space == AEROGPU_SPACE_SAMPLER
                                        ? AEROGPU_STUB_SAMPLER_BYTES
                                        : AEROGPU_STUB_BUFFER_BYTES);
}

static struct aerogpu_state_command *append(struct aerogpu_state_commands *commands,
                                            const struct aerogpu_state_command *entry)
{
    struct aerogpu_state_command *made = malloc(sizeof(*made));

    if (made == NULL)
        return NULL;
    *made = *entry;
    made->number = commands->added++;
    made->next = NULL;
    made->previous = commands->last;
    if (commands->last != NULL)
        commands->last->next = made;
    else
        commands->first = made;
    commands->last = made;
    commands->bytes += cost_of(made);
    return made;
}

static void take_out(struct aerogpu_state_commands *commands, struct aerogpu_state_command *entry)
{
    if (entry->previous != NULL)
        entry->previous->next = entry->next;
    else
        commands->first = entry->next;
    if (entry->next != NULL)
        entry->next->previous = entry->previous;
    else
        commands->last = entry->previous;
    commands->bytes -= cost_of(entry);
    free_entry(entry);
}

/* Handles that commands name. */

static struct aerogpu_state_handle *find_handle(const struct aerogpu_state_commands *commands,
                                                enum aerogpu_space space, uint32_t number)
{
    uint64_t key = (uint64_t)space << 32 | number;
    struct aerogpu_state_handle *handle = NULL;

    HASH_FIND(hh, commands->handles, &key, sizeof(key), handle);
    return handle;
}

static struct aerogpu_state_handle *add_handle(struct aerogpu_state_commands *commands,
                                               enum aerogpu_space space, uint32_t number)
{
    struct aerogpu_state_handle *handle = calloc(1, sizeof(*handle));

    if (handle == NULL)
        return NULL;
    handle->key = (uint64_t)space << 32 | number;
    HASH_ADD(hh, commands->handles, key, sizeof(handle->key), handle);
    if (handle->hh.tbl != NULL)
        return handle;
    free(handle); /* uthash could not allocate */
    return NULL;
}

struct naming {
    struct aerogpu_state_commands *commands;
    const struct aerogpu_state_command *entry;
    int status;
};

static void count_name(void *context, enum aerogpu_space space, uint32_t number)
{
    struct naming *naming = context;
    struct aerogpu_state_handle *handle = NULL;

    if (naming->status != 0)
        return;
    handle = find_handle(naming->commands, space, number);
    if (handle == NULL)
        handle = add_handle(naming->commands, space, number);
    if (handle == NULL)
        naming->status = -ENOMEM;
    else
        handle->all++;
}

/* Drops a name of an entry. A destruction that no longer unbinds anything is dropped as well. */
static void forget_name(void *context, enum aerogpu_space space, uint32_t number)
{
    const struct naming *naming = context;
    struct aerogpu_state_handle *handle = find_handle(naming->commands, space, number);

    if (handle == NULL)
        return;
    handle->all--;
    if (handle->destroyed != NULL && naming->entry->number < handle->destroyed->number &&
        --handle->before == 0) {
        take_out(naming->commands, handle->destroyed);
        handle->destroyed = NULL;
    }
    if (handle->all == 0) {
        HASH_DEL(naming->commands->handles, handle);
        free(handle);
    }
}

static void unref(struct aerogpu_state_commands *commands, struct aerogpu_state_command *entry)
{
    struct naming naming = {.commands = commands, .entry = entry};

    if (entry == NULL || --entry->references > 0)
        return;
    unref(commands, entry->pin);
    aerogpu_handles(&entry->command, forget_name, &naming);
    take_out(commands, entry);
}

int aerogpu_state_commands_destroy(struct aerogpu_state_commands *commands,
                                   enum aerogpu_space space, uint32_t number)
{
    struct aerogpu_state_handle *handle = find_handle(commands, space, number);
    struct aerogpu_state_command *made = NULL;

    if (handle == NULL)
        return 0;
    made = append(commands, &(struct aerogpu_state_command){.destroyed = number, .space = space});
    if (made == NULL)
        return -ENOMEM;
    if (handle->destroyed != NULL)
        take_out(commands, handle->destroyed);
    handle->destroyed = made;
    handle->before = handle->all;
    return 0;
}

/* Keys. */

static uint32_t word(const struct aerogpu_command *command, uint32_t offset)
{
    return aerogpu_u32(command, offset);
}

/* The consecutive keys that a command sets. */
struct run {
    uint32_t first, count;
};

static bool known_blend(const struct aerogpu_command *command)
{
    return word(command, AEROGPU_AT_SET_BLEND_STATE_SRC) <= AEROGPU_INV_CONSTANT &&
           word(command, AEROGPU_AT_SET_BLEND_STATE_DST) <= AEROGPU_INV_CONSTANT &&
           word(command, AEROGPU_AT_SET_BLEND_STATE_SRC_ALPHA) <= AEROGPU_INV_CONSTANT &&
           word(command, AEROGPU_AT_SET_BLEND_STATE_DST_ALPHA) <= AEROGPU_INV_CONSTANT &&
           word(command, AEROGPU_AT_SET_BLEND_STATE_OP) <= AEROGPU_MAX &&
           word(command, AEROGPU_AT_SET_BLEND_STATE_OP_ALPHA) <= AEROGPU_MAX;
}

static bool known_depth(const struct aerogpu_command *command)
{
    return word(command, AEROGPU_AT_SET_DEPTH_STENCIL_STATE_DEPTH_FUNC) <= AEROGPU_ALWAYS;
}

static bool known_raster(const struct aerogpu_command *command)
{
    return word(command, AEROGPU_AT_SET_RASTERIZER_STATE_FILL) <= AEROGPU_WIREFRAME &&
           word(command, AEROGPU_AT_SET_RASTERIZER_STATE_CULL) <= AEROGPU_CULL_BACK;
}

static uint32_t render_key(const struct aerogpu_command *command)
{
    uint32_t value = word(command, AEROGPU_AT_SET_RENDER_STATE_VALUE);

    return KEY_RENDER + word(command, AEROGPU_AT_SET_RENDER_STATE_STATE) * RENDER_VALUES +
           (value < RENDER_VALUES ? value : RENDER_VALUES - 1);
}

/*
 * Gets the keys within a stage. All of these commands have the stage, and its slots or registers,
 * at the same offsets.
 */
static bool stage_run(const struct aerogpu_command *command, struct run *out)
{
    const uint32_t start = word(command, AEROGPU_AT_SET_CONSTANT_BUFFERS_START);
    const uint32_t count = word(command, AEROGPU_AT_SET_CONSTANT_BUFFERS_COUNT);

    *out = (struct run){start, count};
    switch (command->opcode) {
    case AEROGPU_SET_TEXTURE:
        *out = (struct run){KEY_TEXTURES + word(command, AEROGPU_AT_SET_TEXTURE_SLOT), 1};
        return true;
    case AEROGPU_SET_SAMPLER_STATE:
        *out = (struct run){KEY_SAMPLER_STATES +
                                word(command, AEROGPU_AT_SET_SAMPLER_STATE_SLOT) *
                                    AEROGPU_SAMPLER_STATES +
                                word(command, AEROGPU_AT_SET_SAMPLER_STATE_STATE),
                            1};
        return true;
    case AEROGPU_SET_SAMPLERS:
        out->first += KEY_SAMPLERS;
        return true;
    case AEROGPU_SET_CONSTANT_BUFFERS:
        out->first += KEY_CONSTANTS;
        return true;
    case AEROGPU_SET_SHADER_RESOURCE_BUFFERS:
        out->first += KEY_RESOURCES;
        return true;
    case AEROGPU_SET_UNORDERED_ACCESS_BUFFERS:
        out->first += KEY_UNORDERED +
                      (start + count > WRITTEN_OF_WORKER ? (uint32_t)AEROGPU_UNORDERED_SLOTS : 0);
        return true;
    case AEROGPU_SET_SHADER_CONSTANTS_F:
        out->first += KEY_FLOATS;
        return true;
    case AEROGPU_SET_SHADER_CONSTANTS_I:
        out->first += KEY_INTEGERS;
        return true;
    case AEROGPU_SET_SHADER_CONSTANTS_B:
        out->first += KEY_BOOLEANS;
        return true;
    default:
        return false;
    }
}

static bool stage_keys(const struct aerogpu_command *command, struct run *out)
{
    enum dxbc_program program = DXBC_VS;
    uint32_t stage_ex = AEROGPU_EX_NONE;

    if (!stage_run(command, out))
        return false;
    if (command->opcode != AEROGPU_SET_SAMPLER_STATE)
        stage_ex = word(command, AEROGPU_AT_SET_CONSTANT_BUFFERS_STAGE_EX);
    if (!aerogpu_program_of(command, word(command, AEROGPU_AT_SET_CONSTANT_BUFFERS_STAGE), stage_ex,
                            &program))
        return false;
    out->first += KEY_STAGES + (uint32_t)program * KEYS_OF_STAGE;
    return true;
}

/* Gets the keys that an executed command sets. Returns false if it sets none. */
static bool keys_of(const struct aerogpu_command *command, struct run *out)
{
    *out = (struct run){0, 1};
    switch (command->opcode) {
    case AEROGPU_BIND_SHADERS:
        out->first = KEY_SHADERS;
        return true;
    case AEROGPU_SET_INPUT_LAYOUT:
        out->first = KEY_LAYOUT;
        return true;
    case AEROGPU_SET_RENDER_TARGETS:
        out->first = KEY_TARGETS;
        return true;
    case AEROGPU_SET_VIEWPORT:
        out->first = KEY_VIEWPORT;
        return true;
    case AEROGPU_SET_SCISSOR:
        out->first = KEY_SCISSOR;
        return true;
    case AEROGPU_SET_INDEX_BUFFER:
        out->first = KEY_INDICES;
        return true;
    case AEROGPU_SET_PRIMITIVE_TOPOLOGY:
        out->first = KEY_TOPOLOGY;
        return true;
    case AEROGPU_SET_BLEND_STATE:
        out->first = KEY_BLEND + !known_blend(command);
        return true;
    case AEROGPU_SET_DEPTH_STENCIL_STATE:
        out->first = KEY_DEPTH + !known_depth(command);
        return true;
    case AEROGPU_SET_RASTERIZER_STATE:
        out->first = KEY_RASTER + !known_raster(command);
        return true;
    case AEROGPU_SET_RENDER_STATE:
        out->first = render_key(command);
        return true;
    case AEROGPU_SET_VERTEX_BUFFERS:
        *out = (struct run){KEY_VERTICES + word(command, AEROGPU_AT_SET_VERTEX_BUFFERS_START),
                            word(command, AEROGPU_AT_SET_VERTEX_BUFFERS_COUNT)};
        return true;
    default:
        return stage_keys(command, out);
    }
}

static bool is_render_state(const struct aerogpu_command *command, uint32_t state)
{
    return command->opcode == AEROGPU_SET_RENDER_STATE &&
           word(command, AEROGPU_AT_SET_RENDER_STATE_STATE) == state;
}

/* Aliases, which may be destroyed before what is bound by them. */

struct renaming {
    const struct aerogpu_objects *objects;
    bool needed;
};

static uint32_t original_of(void *context, uint32_t handle)
{
    const struct renaming *renaming = context;
    uint32_t original = handle;

    aerogpu_objects_original(renaming->objects, handle, &original);
    return original;
}

static void find_alias(void *context, enum aerogpu_space space, uint32_t handle)
{
    struct renaming *renaming = context;

    if (space == AEROGPU_SPACE_RESOURCE && original_of(context, handle) != handle)
        renaming->needed = true;
}

/* Makes the entry name resources by their original handles. Returns 0 or -ENOMEM. */
static int rename_aliases(const struct aerogpu_objects *objects,
                          struct aerogpu_state_command *entry)
{
    struct aerogpu_command *command = &entry->command;
    struct renaming renaming = {.objects = objects};

    if (objects->aliases > 0)
        aerogpu_handles(command, find_alias, &renaming);
    if (!renaming.needed)
        return 0;
    entry->own = malloc(command->size);
    if (entry->own == NULL)
        return -ENOMEM;
    memcpy(entry->own, command->bytes, command->size);
    aerogpu_handles_rename(command, entry->own, original_of, &renaming);
    command->tail = command->tail != NULL ? entry->own + (command->tail - command->bytes) : NULL;
    command->bytes = entry->own;
    return 0;
}

/*
 * Keeps the last command that set the front faces as long as an entry depends on it: what D3D9
 * culls depends on the front faces at the time when the cull mode is set.
 */
static void pin_front(struct aerogpu_state_commands *commands, struct aerogpu_state_command *entry)
{
    const struct aerogpu_command *command = &entry->command;
    bool sets = is_render_state(command, RS_FRONTCOUNTERCLOCKWISE) ||
                (command->opcode == AEROGPU_SET_RASTERIZER_STATE && known_raster(command));

    if (is_render_state(command, RS_CULLMODE) && commands->front != NULL) {
        entry->pin = commands->front;
        commands->front->references++;
    }
    if (!sets)
        return;
    entry->references++;
    unref(commands, commands->front);
    commands->front = entry;
}

int aerogpu_state_commands_add(struct aerogpu_state_commands *commands,
                               const struct aerogpu_objects *objects,
                               const struct aerogpu_command *command)
{
    struct aerogpu_state_command *entry = NULL;
    struct naming naming = {.commands = commands};
    struct run run;

    /* Another program may have written to the file since the machine checked the command. */
    if (!keys_of(command, &run) || run.count == 0 || run.first >= KEYS ||
        run.count > KEYS - run.first)
        return 0;
    entry = append(commands, &(struct aerogpu_state_command){.command = *command});
    if (entry == NULL || rename_aliases(objects, entry) != 0)
        return -ENOMEM; /* the list cannot be continued */
    naming.entry = entry;
    aerogpu_handles(&entry->command, count_name, &naming);
    if (naming.status != 0)
        return naming.status;
    entry->references = run.count;
    for (uint32_t i = 0; i < run.count; i++) {
        struct aerogpu_state_command *old = commands->keys[run.first + i];

        commands->keys[run.first + i] = entry;
        unref(commands, old);
    }
    pin_front(commands, entry);
    return 0;
}
