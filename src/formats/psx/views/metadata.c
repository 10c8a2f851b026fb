/* SPDX-License-Identifier: MIT */
#include "formats/psx/views/views.h"

#include "formats/psx/index/index.h"
#include "formats/psx/information.h"
#include "tree/tables.h"

#include <inttypes.h>
#include <stdio.h>

static void add_optional(struct metadata *out, const char *key, bool known, uint64_t value)
{
    if (known)
        metadata_add_u64(out, key, value);
    else
        metadata_add_none(out, key);
}

static void add_source(const struct psx_dump *dump, struct metadata *out)
{
    metadata_add(out, "format", "PSXGPUDUMP");
    metadata_add(out, "version", "%s", dump->index.magic == PSX_MAGIC_16 ? "v1r1" : "v1");
    tables_source(&dump->base, out);
}

static void add_container(const struct psx_index *index, struct metadata *out)
{
    metadata_add_u64(out, "magic", index->magic == PSX_MAGIC_16 ? 16 : 14);
    metadata_add_u64(out, "alignment", index->magic == PSX_MAGIC_16 ? 0 : 2);
}

/* Adds a list of all string packets of one type. */
static void add_strings(const struct psx_index *index, uint8_t type, const char *key,
                        struct metadata *out)
{
    struct psx_packet packet;

    metadata_add_list(out, key);

    for (unsigned i = 0; i < index->string_count; i++) {
        if (!psx_packet_read(index->data, index->size, index->strings[i].offset, &packet) ||
            packet.type != type)
            continue;
        metadata_add_bytes(out, key, packet.payload, psx_packet_string(&packet));
    }
}

static void add_information(const struct psx_index *index, const struct psx_totals *totals,
                            struct metadata *out)
{
    add_optional(out, "gpu_version", index->version >= 0, (uint64_t)index->version);
    if (index->version >= 0)
        metadata_add(out, "gpu_version_meaning", "%s",
                     psx_version_meaning(index->magic, (uint32_t)index->version));
    else
        metadata_add_none(out, "gpu_version_meaning");
    metadata_add(out, "gpu_model", "%s", psx_model_meaning(index->model));
    metadata_add_u64(out, "vram_width", PSX_VRAM_WIDTH);
    metadata_add_u64(out, "vram_height", index->vram_lines);
    add_strings(index, PSX_PACKET_GAME, "game", out);
    add_strings(index, PSX_PACKET_VIDEO, "video", out);
    add_strings(index, PSX_PACKET_COMMENT, "comment", out);
    add_optional(out, "begin_packet", index->begin_packet != PSX_NO_PACKET, index->begin_packet);
    if (totals->restore_mask != 0)
        metadata_add(out, "restore", "mask settings 0x%" PRIX32 " not applied to the VRAM upload",
                     totals->restore_mask);
    else
        metadata_add_none(out, "restore");
}

static uint64_t count_flips(const struct psx_index *index, uint64_t frames)
{
    uint64_t flips = 0;

    for (uint64_t frame = 0; frame < frames; frame++)
        flips += psx_frame_flips(index, frame);
    return flips;
}

static void add_counts(const struct psx_index *index, uint64_t frames,
                       const struct psx_totals *totals, struct metadata *out)
{
    metadata_add_u64(out, "vsyncs", totals->vsyncs);
    metadata_add_u64(out, "drawn_frames", count_flips(index, frames));
    metadata_add_u64(out, "commands", totals->commands);
    metadata_add_u64(out, "draws", totals->draws);
    metadata_add_u64(out, "uploads", totals->uploads);
    metadata_add_u64(out, "copies", totals->copies);
    metadata_add_u64(out, "reads", totals->reads);
    metadata_add_u64(out, "gp0_words", totals->gp0_words);
    metadata_add_u64(out, "gp1_words", totals->gp1_words);
}

static void add_cycles(const struct psx_index *index, uint64_t frames, const char *key,
                       uint64_t frame, struct metadata *out)
{
    if (frame >= frames) {
        metadata_add_none(out, key);
        return;
    }

    const struct psx_frame *stamped = &index->frames[frame];

    metadata_add_u64(out, key,
                     stamped->stamp_words == 1 ? (uint32_t)stamped->cycles : stamped->cycles);
}

/* Returns the last frame with a time stamp, or `frames` if there is none. */
static uint64_t find_last_stamped(const struct psx_index *index, uint64_t frames)
{
    for (uint64_t frame = frames; frame-- > 0;)
        if (index->frames[frame].stamp_words > 0)
            return frame;
    return frames;
}

/* Adds the option in force, how the field is found, and in how many frames it matters. */
static void add_field(const struct psx_index *index, uint64_t frames,
                      const struct psx_totals *totals, struct metadata *out)
{
    static const char *const options[] = {
        [PSX_FIELD_AUTO] = "auto",
        [PSX_FIELD_EVEN] = "even",
        [PSX_FIELD_ODD] = "odd",
        [PSX_FIELD_BOTH] = "both",
    };
    const char *how = "toggling at each VSync";

    if (index->field_option == PSX_FIELD_AUTO && index->first_stamped < frames)
        how = "by timestamps";
    else if (index->field_option == PSX_FIELD_BOTH)
        how = "no line is skipped";
    metadata_add(out, "field", "%s", options[index->field_option]);
    metadata_add(out, "field_rule", "%s", how);
    metadata_add_u64(out, "frames_480i", totals->interlaced_480);
}

static void add_types(const struct psx_totals *totals, struct metadata *out)
{
    struct psx_packet packet = {0};
    struct dump_packet described;
    char key[64];

    for (unsigned type = 0; type < 256; type++) {
        if (totals->types[type] == 0)
            continue;
        packet.type = (uint8_t)type;
        psx_packet_describe(&packet, 0, &described);
        snprintf(key, sizeof(key), "packet_types.%s", described.name);
        metadata_add_u64(out, key, totals->types[type]);
    }
}

int psx_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct psx_index *index = &psx->index;
    struct tables_totals shown = {.duration = -1};
    struct psx_totals totals;
    uint64_t frames, last;
    int status = psx_index_wait_shown(index, cancel);

    if (status != 0)
        return status;
    shown.frames = frames = index->follow.frames;
    shown.packets = index->follow.packets;
    shown.unfinished = frames > 0 && index->frames[frames - 1].unfinished;
    last = find_last_stamped(index, frames);
    if (last < frames)
        shown.duration = psx_frame_time(index, last);
    psx_index_totals(index, &totals);
    add_source(psx, out);
    status = tables_totals(dump, &shown, cancel, out);
    add_container(index, out);
    add_information(index, &totals, out);
    add_counts(index, frames, &totals, out);
    add_cycles(index, frames, "first_cycles", index->first_stamped, out);
    add_cycles(index, frames, "last_cycles", last, out);
    add_field(index, frames, &totals, out);
    add_types(&totals, out);
    return status;
}
