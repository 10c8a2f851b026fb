#include "formats/psx/metadata.h"

#include "formats/psx/frame_text.h"
#include "formats/psx/information.h"
#include "tree/tables.h"

#include <inttypes.h>

static void add_optional(struct metadata *out, const char *key, bool known, uint64_t value)
{
    if (known)
        metadata_add_u64(out, key, value);
    else
        metadata_add_none(out, key);
}

static void add_container(const struct psx_dump *dump, struct metadata *out)
{
    bool is_16 = dump->index.magic == PSX_MAGIC_16;

    metadata_add(out, "format", "PSXGPUDUMP");
    metadata_add(out, "version", "%s", is_16 ? "v1r1" : "v1");
    metadata_add_u64(out, "magic", is_16 ? 16 : 14);
    metadata_add_u64(out, "alignment", is_16 ? 0 : 2);
    tables_source(&dump->base, out);
}

/* All string packets of one type, each a line of its own. */
static void add_strings(const struct psx_index *index, uint8_t type, const char *key,
                        struct metadata *out)
{
    struct psx_packet packet;
    unsigned found = 0;

    for (unsigned i = 0; i < index->string_count; i++) {
        if (!psx_packet_read(index->data, index->size, index->strings[i].offset, &packet) ||
            packet.type != type)
            continue;
        metadata_add_bytes(out, key, packet.payload, psx_packet_string(&packet));
        found++;
    }
    if (found == 0)
        metadata_add_none(out, key);
}

static void add_information(const struct psx_index *index, struct metadata *out)
{
    if (index->version >= 0)
        metadata_add(out, "gpu_version", "%d (%s)", index->version,
                     psx_version_meaning(index->magic, (uint32_t)index->version));
    else
        metadata_add_none(out, "gpu_version");
    metadata_add(out, "vram", "%dx%" PRIu32, (int)PSX_VRAM_WIDTH, index->vram_lines);
    add_strings(index, PSX_PACKET_GAME, "game", out);
    add_strings(index, PSX_PACKET_VIDEO, "video", out);
    add_strings(index, PSX_PACKET_COMMENT, "comment", out);
    add_optional(out, "begin_packet", index->begin_packet != PSX_NO_PACKET, index->begin_packet);
    if (index->totals.restore_mask != 0)
        metadata_add(out, "restore", "mask settings 0x%" PRIX32 " not applied to the VRAM upload",
                     index->totals.restore_mask);
    else
        metadata_add_none(out, "restore");
}

static uint64_t count_flips(const struct psx_index *index)
{
    uint64_t flips = 0;

    for (uint64_t frame = 0; frame < index->frame_count; frame++)
        flips += psx_frame_flips(index, frame);
    return flips;
}

static void add_counts(const struct psx_index *index, struct metadata *out)
{
    const struct psx_totals *totals = &index->totals;
    uint64_t frames = index->frame_count;

    metadata_add_u64(out, "packets", index->packets);
    metadata_add_u64(out, "vsyncs", totals->vsyncs);
    metadata_add_u64(out, "frames", frames);
    metadata_add_bool(out, "unfinished", frames > 0 && index->frames[frames - 1].unfinished);
    metadata_add_u64(out, "drawn_frames", count_flips(index));
    metadata_add_u64(out, "commands", totals->commands);
    metadata_add_u64(out, "draws", totals->draws);
    metadata_add_u64(out, "uploads", totals->uploads);
    metadata_add_u64(out, "copies", totals->copies);
    metadata_add_u64(out, "reads", totals->reads);
    metadata_add_u64(out, "gp0_words", totals->gp0_words);
    metadata_add_u64(out, "gp1_words", totals->gp1_words);
}

static void add_cycles(const struct psx_index *index, const char *key, uint64_t frame,
                       struct metadata *out)
{
    if (frame >= index->frame_count) {
        metadata_add_none(out, key);
        return;
    }

    const struct psx_frame *stamped = &index->frames[frame];

    metadata_add_u64(out, key,
                     stamped->stamp_words == 1 ? (uint32_t)stamped->cycles : stamped->cycles);
}

static void add_time(const struct psx_index *index, struct metadata *out)
{
    uint64_t last = index->frame_count;

    for (uint64_t frame = index->frame_count; frame-- > 0 && last == index->frame_count;)
        if (index->frames[frame].stamp_words > 0)
            last = frame;
    add_cycles(index, "first_cycles", index->first_stamped, out);
    add_cycles(index, "last_cycles", last, out);
    if (last < index->frame_count)
        metadata_add(out, "duration", "%.6f", psx_frame_time(index, last));
    else
        metadata_add_none(out, "duration");
}

/* The option in force, how the field is found, and whether it matters. */
static void add_field(const struct psx_index *index, struct metadata *out)
{
    static const char *const options[] = {
        [PSX_FIELD_AUTO] = "auto",
        [PSX_FIELD_EVEN] = "even",
        [PSX_FIELD_ODD] = "odd",
        [PSX_FIELD_BOTH] = "both",
    };
    const char *how = "toggling at each VSync";

    if (index->field_option == PSX_FIELD_AUTO && index->first_stamped < index->frame_count)
        how = "by timestamps";
    else if (index->field_option == PSX_FIELD_BOTH)
        how = "no line is skipped";
    metadata_add(out, "field", "%s (%s), 480i in %" PRIu64 " frames", options[index->field_option],
                 how, index->totals.interlaced_480);
}

static void add_types(const struct psx_index *index, struct metadata *out)
{
    struct text text = TEXT_INIT;

    for (unsigned type = 0; type < 256; type++)
        if (index->totals.types[type] > 0)
            text_printf(&text, "%s0x%02X=%" PRIu64, text.length > 0 ? " " : "", type,
                        index->totals.types[type]);
    if (text_status(&text) == 0 && text.length > 0)
        metadata_add_bytes(out, "packet_types", text.bytes, text.length);
    else
        metadata_add_none(out, "packet_types");
    text_clear(&text);
}

int psx_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    int status = psx_index_wait_all(&psx->index, cancel);

    if (status != 0)
        return status;
    add_container(psx, out);
    add_information(&psx->index, out);
    add_counts(&psx->index, out);
    add_time(&psx->index, out);
    add_field(&psx->index, out);
    add_types(&psx->index, out);
    metadata_add_u64(out, "problems", psx->index.totals.problems);
    return 0;
}
