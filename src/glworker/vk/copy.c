/* SPDX-License-Identifier: MIT */
/*
 * Converts arguments for the driver: everything that they point to is copied out of the replay's
 * memory, as far as the registry gives its length and the memory has it, and handles are replaced
 * by the driver's. What the driver is to write goes to copies as well.
 */
#include "config.h"

#include "glworker/vk/copy.h"

#include "base/bytes.h"
#include "glworker/vk/memory.h"
#include "glworker/vk/objects.h"

#include <string.h>

enum { DEPTH_MAX = 16, CHAIN_MAX = 64, POINTER = 8, ELEMENTS_MAX = 1 << 24 };

/*
 * Neighbouring values: the members of a copied structure, or the arguments. Those before the
 * current one have been copied already, and their copies are read: the replay's memory may change
 * at the same time, since the driver writes to mapped memory.
 */
struct siblings {
    const struct gapir_vk_member *members;
    unsigned count;
    uint8_t *bytes;       /* of the structure; NULL for arguments */
    struct vk_call *call; /* the call whose arguments they are */
};

static uint64_t value_of(const struct siblings *siblings, unsigned n)
{
    const struct gapir_vk_member *member = &siblings->members[n];

    if (siblings->bytes == NULL)
        return siblings->call->values[n];
    return bytes_le(siblings->bytes + member->offset,
                    member->pointers > 0 ? POINTER : gapir_vk_kind_size(member->kind));
}

static bool unreachable(struct vk_session *session, const struct gapir_vk_member *member)
{
    return vk_note(session, "%s points to memory that the replay does not have", member->name);
}

/*
 * Stores the number of elements that a pointer leads to. Returns false, with a note, if it is not
 * known or too large.
 */
static bool find_count(struct vk_session *session, const struct siblings *siblings,
                       const struct gapir_vk_member *member, uint64_t *out)
{
    const unsigned counted = member->counted;
    const struct gapir_vk_member *counter = &siblings->members[counted];
    const struct gapir_vk_structure *structure = gapir_vk_structure_of(counter);
    const uint8_t *bytes;
    uint64_t offset = 0;

    *out = member->elements;
    if (member->length == GAPIR_VK_ONE)
        return true;
    if (member->length == GAPIR_VK_UNKNOWN || member->counted >= siblings->count ||
        (member->within != 0 && structure == NULL))
        return vk_note(session, "the size of what %s points to is unknown", member->name);
    *out = value_of(siblings, counted);
    if (counter->pointers > 0) {
        if (member->within != 0) {
            counter = &gapir_vk_members[structure->first + member->within - 1];
            offset = counter->offset;
        }
        if (counted < (unsigned)(member - siblings->members) && counter->length == GAPIR_VK_ONE)
            bytes = *out != 0 ? (const uint8_t *)(uintptr_t)*out + offset : NULL;
        else
            bytes = vk_memory_at(session, *out + offset, gapir_vk_kind_size(counter->kind));
        if (bytes == NULL)
            return unreachable(session, counter);
        *out = bytes_le(bytes, gapir_vk_kind_size(counter->kind));
    }
    *out = gapir_vk_elements(member, *out);
    return *out <= ELEMENTS_MAX || vk_note(session, "%s has too many elements: %llu", member->name,
                                           (unsigned long long)*out);
}

static bool copy_members(struct vk_session *session, const struct gapir_vk_structure *structure,
                         uint8_t *bytes, unsigned depth);

/* Returns whether a structure or union has nothing that would have to be converted. */
static bool is_plain(const struct gapir_vk_structure *structure)
{
    for (unsigned n = 0; n < structure->count; n++) {
        const struct gapir_vk_member *member = &gapir_vk_members[structure->first + n];
        const struct gapir_vk_structure *inside = gapir_vk_structure_of(member);

        if (member->pointers > 0 || member->kind == GAPIR_VK_HANDLE ||
            member->kind == GAPIR_VK_FUNCTION || (inside != NULL && !is_plain(inside)))
            return false;
    }
    return true;
}

/* Converts copied elements for the driver. */
static bool change_elements(struct vk_session *session, const struct gapir_vk_member *member,
                            uint8_t *bytes, uint64_t count, unsigned depth)
{
    const struct gapir_vk_structure *structure = gapir_vk_structure_of(member);
    const size_t size = gapir_vk_element_size(member);
    uint64_t handle;

    for (uint64_t n = 0; n < count; n++, bytes += size) {
        if (member->kind == GAPIR_VK_UNION && !is_plain(structure))
            return vk_note(session, "%s is a union with pointers", member->name);
        if (member->kind == GAPIR_VK_STRUCT && !copy_members(session, structure, bytes, depth + 1))
            return false;
        if (member->kind == GAPIR_VK_FUNCTION)
            memset(bytes, 0, size);
        if (member->kind != GAPIR_VK_HANDLE)
            continue;
        if (!vk_object_handle(session, member->type, bytes_le(bytes, POINTER), &handle))
            return vk_note(session, "%s is not a known object", member->name);
        memcpy(bytes, &handle, POINTER);
    }
    return true;
}

/* Copies a pNext chain without the structures that the registry does not know. */
static bool copy_chain(struct vk_session *session, uint64_t address, unsigned depth, uint64_t *out)
{
    uint64_t *next = out;

    *next = 0;
    for (unsigned n = 0; address != 0 && n < CHAIN_MAX; n++) {
        const uint8_t *head = vk_memory_at(session, address, 2 * POINTER);
        const struct gapir_vk_structure *structure;
        const uint8_t *bytes;
        uint8_t *copy;
        uint32_t type;

        if (head == NULL)
            return vk_note(session, "a pNext chain points to memory that the replay does not have");
        type = (uint32_t)bytes_le(head, sizeof(type));
        structure = gapir_vk_chained_find(type);
        bytes = structure != NULL ? vk_memory_at(session, address, structure->size) : NULL;
        address = bytes_le(head + POINTER, POINTER);
        if (bytes == NULL || (copy = vk_scratch(session, structure->size)) == NULL)
            continue;
        memcpy(copy, bytes, structure->size);
        memcpy(copy, &type, sizeof(type));
        memset(copy + POINTER, 0, POINTER); /* this loop follows the chain */
        if (!copy_members(session, structure, copy, depth + 1))
            return false;
        *next = (uintptr_t)copy;
        next = (uint64_t *)(void *)(copy + POINTER);
    }
    return true;
}

static bool copy_text(struct vk_session *session, const struct gapir_vk_member *member,
                      uint64_t address, uint64_t *out)
{
    uint64_t length;
    const char *text = vk_memory_text(session, address, &length);
    char *copy = text != NULL ? vk_scratch(session, length + 1) : NULL;

    if (copy == NULL)
        return unreachable(session, member);
    memcpy(copy, text, length);
    copy[length] = '\0';
    *out = (uintptr_t)copy;
    return true;
}

static bool copy_texts(struct vk_session *session, const struct gapir_vk_member *member,
                       uint64_t address, uint64_t count, uint64_t *out)
{
    const uint8_t *bytes = vk_memory_at(session, address, count * POINTER);
    uint64_t *texts = bytes != NULL ? vk_scratch(session, count * POINTER) : NULL;

    if (texts == NULL)
        return unreachable(session, member);
    for (uint64_t n = 0; n < count; n++)
        if (!copy_text(session, member, bytes_le(bytes + n * POINTER, POINTER), &texts[n]))
            return false;
    *out = (uintptr_t)texts;
    return true;
}

/*
 * Returns whether a member receives new handles. The replay has stored its own handles there, which
 * are the names of no objects yet.
 */
static bool is_given_back(const struct siblings *siblings, const struct gapir_vk_member *member)
{
    return siblings->bytes == NULL && member->kind == GAPIR_VK_HANDLE && !member->constant;
}

/*
 * Keeps the replay's handles, and passes zeros to the driver, so that handles that it does not fill
 * in stay 0.
 */
static bool keep_names(struct vk_session *session, const struct siblings *siblings,
                       const struct gapir_vk_member *member, const uint8_t *names, uint64_t count,
                       uint64_t *out)
{
    void *handles = vk_scratch(session, count * POINTER);

    if (handles == NULL)
        return vk_note(session, "its arguments have too many bytes");
    siblings->call->made[member - siblings->members] =
        (struct vk_list){.names = (const uint64_t *)(const void *)names, .count = count};
    *out = (uintptr_t)handles;
    return true;
}

/* Keeps the list of handles that vkFree… frees, before they are replaced by the driver's. */
static bool keep_ended(struct vk_session *session, const struct siblings *siblings,
                       const struct gapir_vk_member *member, const uint8_t *names, uint64_t count)
{
    void *copy;

    if (siblings->bytes != NULL || member->kind != GAPIR_VK_HANDLE ||
        strncmp(siblings->call->name, "vkFree", 6) != 0)
        return true;
    copy = vk_scratch(session, count * POINTER);
    if (copy == NULL)
        return vk_note(session, "its arguments have too many bytes");
    memcpy(copy, names, count * POINTER);
    siblings->call->ended = (struct vk_list){.names = copy, .count = count};
    return true;
}

static bool copy_elements(struct vk_session *session, const struct siblings *siblings,
                          const struct gapir_vk_member *member, uint64_t address, unsigned depth,
                          uint64_t *out)
{
    const size_t size = gapir_vk_element_size(member);
    uint64_t count;
    const uint8_t *bytes;
    uint8_t *copy;

    if (!find_count(session, siblings, member, &count))
        return false;
    if (member->pointers > 1)
        return member->kind == GAPIR_VK_CHAR
                   ? copy_texts(session, member, address, count, out)
                   : vk_note(session, "%s is a list of pointers", member->name);
    bytes = vk_memory_at(session, address, count * size);
    if (bytes == NULL)
        return unreachable(session, member);
    copy = vk_scratch(session, count * size);
    if (copy == NULL)
        return vk_note(session, "its arguments have too many bytes");
    memcpy(copy, bytes, count * size);
    if (is_given_back(siblings, member))
        return keep_names(session, siblings, member, copy, count, out);
    *out = (uintptr_t)copy;
    return keep_ended(session, siblings, member, copy, count) &&
           change_elements(session, member, copy, count, depth);
}

/* Stores the pointer that the driver gets instead of `address`. */
static bool copy_pointer(struct vk_session *session, const struct siblings *siblings, unsigned n,
                         uint64_t address, unsigned depth, uint64_t *out)
{
    const struct gapir_vk_member *member = &siblings->members[n];

    *out = 0;
    /* The driver uses its own allocator and calls nothing back. */
    if (address == 0 || strcmp(member->name, "pAllocator") == 0 ||
        strcmp(member->name, "pUserData") == 0 || member->kind == GAPIR_VK_FUNCTION ||
        gapir_vk_element_size(member) == 0)
        return true;
    if (strcmp(member->name, "pNext") == 0)
        return copy_chain(session, address, depth, out);
    if (member->kind == GAPIR_VK_CHAR && member->length == GAPIR_VK_TEXT)
        return copy_text(session, member, address, out);
    if (member->kind == GAPIR_VK_BYTES && member->length == GAPIR_VK_ONE)
        return vk_note(session, "the size of what %s points to is unknown", member->name);
    return copy_elements(session, siblings, member, address, depth, out);
}

/* Keeps only the list that a descriptor's type uses; the others may be invalid pointers. */
static void choose_descriptors(uint8_t *bytes)
{
    VkWriteDescriptorSet *set = (VkWriteDescriptorSet *)(void *)bytes;
    VkDescriptorType type = set->descriptorType;
    bool texels = type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER ||
                  type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    bool images =
        type <= VK_DESCRIPTOR_TYPE_STORAGE_IMAGE || type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;

    if (!images)
        set->pImageInfo = NULL;
    if (!texels)
        set->pTexelBufferView = NULL;
    if (images || texels)
        set->pBufferInfo = NULL;
}

/*
 * Clears handles that are unknown: a descriptor uses only some of its handles, and the others may
 * be invalid.
 */
static void forget_unknown(const struct vk_session *session,
                           const struct gapir_vk_structure *structure, uint8_t *bytes)
{
    for (unsigned n = 0; n < structure->count; n++) {
        const struct gapir_vk_member *member = &gapir_vk_members[structure->first + n];
        uint64_t handle;

        if (member->kind == GAPIR_VK_HANDLE &&
            !vk_object_handle(session, member->type, bytes_le(bytes + member->offset, POINTER),
                              &handle))
            memset(bytes + member->offset, 0, POINTER);
    }
}

/* Converts the members of a copied structure for the driver. */
static bool copy_members(struct vk_session *session, const struct gapir_vk_structure *structure,
                         uint8_t *bytes, unsigned depth)
{
    const struct siblings siblings = {
        .members = &gapir_vk_members[structure->first], .count = structure->count, .bytes = bytes};

    if (depth > DEPTH_MAX)
        return vk_note(session, "its structures are nested too deeply");
    if (strcmp(structure->name, "VkWriteDescriptorSet") == 0)
        choose_descriptors(bytes);
    if (strcmp(structure->name, "VkDescriptorImageInfo") == 0)
        forget_unknown(session, structure, bytes);
    for (unsigned n = 0; n < structure->count; n++) {
        const struct gapir_vk_member *member = &siblings.members[n];
        uint64_t pointer;

        if (member->pointers == 0) {
            if (!change_elements(session, member, bytes + member->offset, member->elements, depth))
                return false;
            continue;
        }
        if (!copy_pointer(session, &siblings, n, value_of(&siblings, n), depth, &pointer))
            return false;
        memcpy(bytes + member->offset, &pointer, POINTER);
    }
    return true;
}

/*
 * Returns whether a null argument must not be passed on: drivers dereference structures and handles
 * that the command requires without a check. Allocators and the counters of transform feedback may
 * be null.
 */
static bool lacks(const struct siblings *siblings, const struct gapir_vk_member *member)
{
    const bool followed = member->kind == GAPIR_VK_STRUCT || member->kind == GAPIR_VK_HANDLE;

    if (!followed || strcmp(member->name, "pAllocator") == 0 ||
        strncmp(member->name, "pCounter", 8) == 0)
        return false;
    return member->length == GAPIR_VK_ONE || member->counted >= siblings->count ||
           siblings->members[member->counted].pointers > 0 ||
           (uint32_t)siblings->call->given[member->counted] != 0;
}

bool vk_copy_arguments(struct vk_session *session, struct vk_call *call)
{
    const struct siblings siblings = {
        .members = call->parameters, .count = call->count, .call = call};

    memcpy(call->values, call->given, call->count * sizeof(call->values[0]));
    for (unsigned n = 0; n < call->count; n++) {
        const struct gapir_vk_member *member = &call->parameters[n];

        if (member->pointers > 0 && call->given[n] == 0 && lacks(&siblings, member))
            return vk_note(session, "%s is null", member->name);
        if (member->pointers > 0 &&
            !copy_pointer(session, &siblings, n, call->given[n], 0, &call->values[n]))
            return false;
        if (member->pointers == 0 && member->kind == GAPIR_VK_HANDLE &&
            !vk_object_handle(session, member->type, call->given[n], &call->values[n]))
            return vk_note(session, "%s is not a known object", member->name);
    }
    return true;
}

void vk_learn_objects(struct vk_session *session, const struct vk_call *call)
{
    for (unsigned n = 0; n < call->count; n++) {
        const struct vk_list *made = &call->made[n];
        const uint64_t *handles = (const uint64_t *)(uintptr_t)call->values[n];

        for (uint64_t i = 0; i < made->count; i++)
            if (handles[i] != 0)
                (void)vk_object_put(session, made->names[i], handles[i], call->parameters[n].type);
    }
}
