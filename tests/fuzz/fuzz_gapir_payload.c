/* SPDX-License-Identifier: MIT */
/* payload.bin and resources.index: the input is read as both. */
#include "config.h"

#include "formats/gapir/container/archive.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_slice(const struct gapir_slice *slice, const uint8_t *data, size_t size)
{
    if (slice->size != 0 &&
        (slice->data < data || slice->size > size ||
         slice->data - data != (ptrdiff_t)slice->offset || slice->offset > size - slice->size))
        abort();
}

static void read_payload(const uint8_t *data, size_t size, struct problems *problems)
{
    struct gapir_payload payload;
    struct gapir_archive archive;
    struct gapir_resource *resources = NULL;

    if (gapir_payload_read(data, size, problems, NULL, &payload) == 0) {
        check_slice(&payload.constants, data, size);
        check_slice(&payload.opcodes, data, size);
        if (payload.opcodes.size % 4 != 0)
            abort();
        for (uint32_t n = 0; n < payload.resource_count; n++)
            check_slice(&payload.resources[n].id, data, size);
        gapir_payload_probe(data, size);
        gapir_payload_probe_part(data, size);
    }
    if (gapir_archive_open(data, size, data, size, problems, &archive) == 0 &&
        gapir_archive_resolve(&archive, &payload, &resources) == 0) {
        for (uint32_t n = 0; n < payload.resource_count; n++)
            if (resources[n].status == GAPIR_RESOURCE_OK && resources[n].size > size)
                abort();
    }
    free(resources);
    gapir_archive_clear(&archive);
    gapir_payload_clear(&payload);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct problems *problems = NULL;

    if (problems_create(&problems) == 0)
        read_payload(data, size, problems);
    problems_destroy(&problems);
    return 0;
}
