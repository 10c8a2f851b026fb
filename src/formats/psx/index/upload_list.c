/* SPDX-License-Identifier: MIT */
#include "formats/psx/index/upload_list.h"

#include "base/memory.h"

#include <errno.h>
#include <string.h>

static size_t list_bytes(const struct psx_upload_list *uploads)
{
    return (uploads->max + 1) * sizeof(*uploads->list);
}

static size_t ends_bytes(const struct psx_upload_list *uploads)
{
    return (uploads->max_stretches + 1) * sizeof(*uploads->ends);
}

int psx_upload_list_init(struct psx_upload_list *uploads, uint64_t max, uint64_t max_stretches)
{
    *uploads = (struct psx_upload_list){.max = max < UINT32_MAX ? max : UINT32_MAX,
                                        .max_stretches = max_stretches};
    uploads->list = memory_reserve(list_bytes(uploads));
    uploads->ends = memory_reserve(ends_bytes(uploads));
    if (uploads->list != NULL && uploads->ends != NULL)
        return 0;
    psx_upload_list_clear(uploads);
    return -ENOMEM;
}

void psx_upload_list_clear(struct psx_upload_list *uploads)
{
    memory_unreserve(uploads->list, list_bytes(uploads));
    memory_unreserve(uploads->ends, ends_bytes(uploads));
    memset(uploads, 0, sizeof(*uploads));
}

void psx_upload_list_add(struct psx_upload_list *uploads, const struct psx_upload *upload)
{
    uploads->list[uploads->count++] = *upload;
}

void psx_upload_list_add_current(struct psx_upload_list *uploads, const struct psx_state *state,
                                 uint64_t offset, uint32_t word)
{
    psx_upload_list_add(uploads,
                        &(struct psx_upload){.offset = offset,
                                             .word = word & PSX_UPLOAD_WORD,
                                             .high_lines = state->registers.display.high_lines & 1,
                                             .texel_run = state->texel_run,
                                             .x = state->upload.x,
                                             .y = state->upload.y,
                                             .width = state->upload.width,
                                             .height = state->upload.height});
}

void psx_upload_list_add_copy(struct psx_upload_list *uploads, const struct psx_state *state,
                              const struct psx_gp0_event *copy, uint64_t offset, uint32_t word)
{
    psx_upload_list_add(
        uploads, &(struct psx_upload){.offset = offset,
                                      .word = word & PSX_UPLOAD_WORD,
                                      .is_copy = 1,
                                      .high_lines = state->registers.display.high_lines & 1,
                                      .texel_run = state->texel_run,
                                      .x = copy->words[2] & 0x3FF,
                                      .y = copy->words[2] >> 16 & 0x3FF,
                                      .width = (uint16_t)gp0_transfer_width(copy->words[3]),
                                      .height = (uint16_t)gp0_transfer_height(copy->words[3])});
}

void psx_upload_list_end_stretch(struct psx_upload_list *uploads)
{
    uploads->ends[uploads->stretches++] = (uint32_t)uploads->count;
}

const struct psx_upload *psx_upload_list_get(const struct psx_upload_list *uploads,
                                             uint64_t stretch, uint32_t *count)
{
    uint32_t from = stretch > 0 ? uploads->ends[stretch - 1] : 0;

    *count = uploads->ends[stretch] - from;
    return uploads->list + from;
}

void psx_upload_list_keep(const struct psx_upload_list *uploads, struct kept_writer *writer)
{
    kept_write_number(writer, uploads->count);
    kept_write(writer, uploads->ends, uploads->stretches * sizeof(*uploads->ends));
    kept_write(writer, uploads->list, uploads->count * sizeof(*uploads->list));
}

static bool is_upload(const struct psx_upload *upload)
{
    return upload->x < PSX_VRAM_WIDTH && upload->y < PSX_VRAM_HEIGHT_MAX && upload->width > 0 &&
           upload->width <= PSX_VRAM_WIDTH && upload->height > 0 &&
           upload->height <= PSX_VRAM_HEIGHT;
}

/* Checks that no stretch ends before the one before it, or after the end of the list. */
static bool are_uploads(const struct psx_upload_list *uploads)
{
    uint32_t end = 0;

    for (uint64_t n = 0; n < uploads->stretches; n++) {
        if (uploads->ends[n] < end || uploads->ends[n] > uploads->count)
            return false;
        end = uploads->ends[n];
    }
    for (uint64_t n = 0; n < uploads->count; n++)
        if (!is_upload(&uploads->list[n]))
            return false;
    return true;
}

void psx_upload_list_restore(struct psx_upload_list *uploads, uint64_t stretches,
                             struct kept_reader *reader)
{
    uint64_t count = kept_read_number(reader, kept_reader_left(reader) / sizeof(*uploads->list));

    if (reader->status == 0)
        kept_reader_fail(reader, psx_upload_list_init(uploads, count, stretches));
    if (reader->status != 0)
        return;
    kept_read(reader, uploads->ends, stretches * sizeof(*uploads->ends));
    kept_read(reader, uploads->list, count * sizeof(*uploads->list));
    uploads->count = count;
    uploads->stretches = stretches;
    if (!are_uploads(uploads))
        kept_reader_refuse(reader);
}
