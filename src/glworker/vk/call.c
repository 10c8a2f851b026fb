/* SPDX-License-Identifier: MIT */
/* Makes a call as the registry describes its parameters, and as rules.c requires. */
#include "config.h"

#include "glworker/vk/calls.h"
#include "glworker/vk/copy.h"
#include "glworker/vk/memory.h"
#include "glworker/vk/objects.h"
#include "glworker/vk/rules.h"

#include <ffi.h>
#include <string.h>

PFN_vkVoidFunction vk_function(struct vk_session *session, const char *name)
{
    const uint32_t count = session->instance_count;
    PFN_vkVoidFunction function =
        vulkan_function(count > 0 ? session->instances[count - 1].instance : NULL, name);

    if (function == NULL)
        vk_note(session, "the driver does not have %s", name);
    return function;
}

bool vk_succeeded(struct vk_session *session, const char *function, VkResult result)
{
    const struct gapir_vk_command *command = gapir_vk_command_find("vkCreateImage");
    const char *name =
        command != NULL ? gapir_vk_constant_name(command->group, (uint32_t)result) : NULL;

    if (result >= 0)
        return true;
    return name != NULL ? vk_note(session, "%s gives %s", function, name)
                        : vk_note(session, "%s gives %d", function, result);
}

/* Returns libffi's type of a parameter; NULL if values of that kind cannot be passed. */
static ffi_type *type_of(const struct gapir_vk_member *member)
{
    static ffi_type *const types[GAPIR_VK_KINDS] = {
        [GAPIR_VK_I32] = &ffi_type_sint32,    [GAPIR_VK_U32] = &ffi_type_uint32,
        [GAPIR_VK_I64] = &ffi_type_sint64,    [GAPIR_VK_U64] = &ffi_type_uint64,
        [GAPIR_VK_F32] = &ffi_type_float,     [GAPIR_VK_F64] = &ffi_type_double,
        [GAPIR_VK_BOOL] = &ffi_type_uint32,   [GAPIR_VK_ENUM] = &ffi_type_uint32,
        [GAPIR_VK_FLAGS] = &ffi_type_uint32,  [GAPIR_VK_FLAGS64] = &ffi_type_uint64,
        [GAPIR_VK_HANDLE] = &ffi_type_uint64,
    };

    return member->pointers > 0 ? &ffi_type_pointer : types[member->kind];
}

bool vk_make(struct vk_session *session, struct vk_call *call)
{
    PFN_vkVoidFunction function = vk_function(session, call->name);
    ffi_type *types[VK_ARGUMENTS_MAX];
    void *values[VK_ARGUMENTS_MAX];
    ffi_arg result = 0;
    ffi_cif cif;

    if (function == NULL)
        return false;
    for (unsigned n = 0; n < call->count; n++) {
        types[n] = type_of(&call->parameters[n]);
        values[n] = &call->values[n];
        if (types[n] == NULL)
            return vk_note(session, "%s is of a type that cannot be passed",
                           call->parameters[n].name);
    }
    if (ffi_prep_cif(&cif, FFI_DEFAULT_ABI, call->count,
                     call->fails ? &ffi_type_sint32 : &ffi_type_void, types) != FFI_OK)
        return vk_note(session, "it cannot be called");
    ffi_call(&cif, (void (*)(void))function, &result, values);
    if (call->fails)
        call->result = (VkResult)(int32_t)result;
    return vk_succeeded(session, call->name, call->result);
}

/*
 * Removes the objects that the call has destroyed: the last but one argument of vkDestroy…(…,
 * object, pAllocator), the list of vkFree…(…, count, objects).
 */
static void forget_ended(struct vk_session *session, const struct vk_call *call)
{
    unsigned last = call->count - 1;

    if (strncmp(call->name, "vkDestroy", 9) == 0 || strcmp(call->name, "vkFreeMemory") == 0)
        vk_object_remove(session, call->given[last - 1]);
    for (uint64_t n = 0; n < call->ended.count; n++)
        vk_object_remove(session, call->ended.names[n]);
}

static void carry_out(struct vk_session *session, const struct vk_rule *rule, struct vk_call *call)
{
    if (!vk_copy_arguments(session, call) ||
        (rule != NULL && rule->check != NULL && !rule->check(session, call)) ||
        !vk_make(session, call))
        return;
    vk_learn_objects(session, call);
    if (rule != NULL && rule->after != NULL)
        rule->after(session, call);
    if (call->count > 1)
        forget_ended(session, call);
}

void vk_run(struct vk_session *session, const char *name, const uint64_t *arguments, unsigned count)
{
    const struct vk_rule *rule = vk_rule_find(name);
    const char *as = rule != NULL && rule->as != NULL ? rule->as : name;
    const struct gapir_vk_command *command = gapir_vk_command_find(as);
    struct vk_call call = {.name = as, .given = arguments, .count = count};

    session->device = count > 0 ? vk_object_device(session, arguments[0]) : NULL;
    if (rule != NULL && count < rule->count) {
        vk_note(session, "it has too few arguments");
    } else if (rule != NULL && rule->raw != NULL) {
        rule->raw(session, arguments);
    } else if (rule == NULL || rule->check != NULL || rule->after != NULL || rule->as != NULL) {
        if (command == NULL || command->count != count || count > VK_ARGUMENTS_MAX) {
            vk_note(session, "the Vulkan registry does not have it with these arguments");
        } else {
            call.parameters = &gapir_vk_members[command->first];
            call.fails = command->result == GAPIR_VK_ENUM;
            carry_out(session, rule, &call);
        }
    }
    vk_scratch_clear(session);
}
