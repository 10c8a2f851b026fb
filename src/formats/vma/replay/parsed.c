#include "formats/vma/replay/parsed.h"

#include "formats/vma/decode/escape.h"
#include "formats/vma/replay/allocator.h"

/* A new string of an allocation of which only the replay knows whether it has strings counts too.
 */
static bool may_be_string(const struct vma_call *call, bool allocates)
{
    return call->head.function == VMA_SET_ALLOCATION_USER_DATA ||
           (allocates && (call->value[VMA_FLAGS] & VMA_FLAG_STRING) != 0);
}

static uint32_t narrow(uint64_t length)
{
    return length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
}

static void measure_text(struct vma_parsed *parsed)
{
    uint64_t field, json;

    vma_escaped_lengths(parsed->call.text.begin, vma_slice_length(parsed->call.text), &field,
                        &json);
    parsed->field_length = narrow(field);
    parsed->json_length = narrow(json);
}

void vma_parsed_read(const struct vma_recording *recording, const struct vma_line *line,
                     struct vma_parsed *out)
{
    bool allocates;

    out->line = *line;
    out->needs = (struct vma_requirements){0};
    out->too_large = false;
    out->field_length = out->json_length = 0;
    vma_call_read(line->text, line->ended, &out->call);
    if (out->call.verdict != VMA_CALL_GOOD)
        return;
    allocates = (vma_functions[out->call.head.function].roles & VMA_ALLOCATES) != 0;
    if (allocates)
        out->too_large =
            !vma_requirements(&recording->configuration.device, &out->call, &out->needs);
    if (may_be_string(&out->call, allocates))
        measure_text(out);
}
