/*
 * textures.tsv of a frame and of the dump.
 */
#include "formats/psx/frame/frame_textures.h"
#include "formats/psx/frame/texture_catalog.h"
#include "formats/psx/views/frame_files.h"

#include <errno.h>
#include <inttypes.h>

enum { ROWS = 1024 }; /* of one piece of a listing over the dump */

static const char *const depth_names[] = {"4", "8", "15"};

/* `TEXTURE IDENTITY PAGE CLUT DEPTH `, tabs for blanks. */
static void write_texture(uint32_t key, uint64_t identity, struct text *text)
{
    char name[TEXTURE_NAME_MAX];

    psx_texture_name(key, name);
    text_printf(text, "%s\t0x%016" PRIX64 "\t%u\t", name, identity, psx_texture_page(key));
    if (psx_texture_depth(key) == PSX_DEPTH_15)
        text_add(text, "none");
    else
        text_add_hex(text, psx_texture_clut(key), 4);
    text_printf(text, "\t%s", depth_names[psx_texture_depth(key)]);
}

static int texture_head(struct dump *dump, uint64_t frame, struct text *text)
{
    (void)dump;
    (void)frame;
    text_add(text, "texture\tidentity\tpage\tclut\tdepth\tuv\tfirst\tdraws\tused\n");
    return 0;
}

static int one_piece(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                     uint64_t *pieces)
{
    (void)cancel;
    *pieces = 1;
    return psx_index_shows(&psx_dump_of(dump)->index, frame) ? 0 : -ENOENT;
}

static void write_used(const struct blob *frame_textures, const struct frame_texture *texture,
                       struct text *text)
{
    const struct frame_texture_range *ranges =
        frame_textures_ranges(frame_textures) + texture->range;
    uint32_t listed = 0;

    for (uint32_t i = 0; i < texture->ranges; i++) {
        listed += ranges[i].to - ranges[i].from + 1;
        text_printf(text, "%s%" PRIu32, i > 0 ? "," : "\t", ranges[i].from);
        if (ranges[i].to > ranges[i].from)
            text_printf(text, "-%" PRIu32, ranges[i].to);
    }
    if (listed < texture->draws)
        text_printf(text, "%s+%" PRIu32, texture->ranges > 0 ? "," : "\t", texture->draws - listed);
    text_add_char(text, '\n');
}

/* An identity has always as many digits: the size needs no catalog. */
static int write_textures(struct dump *dump, uint64_t frame, bool measured,
                          const struct cancel *cancel, struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct blob *frame_textures = NULL;
    int status = measured ? 0 : psx_texture_catalog_wait(psx, cancel);

    if (status == 0)
        status = psx_frame_textures_get(psx, frame, cancel, &frame_textures);
    if (status != 0)
        return status;
    for (uint32_t i = 0; i < frame_textures_count(frame_textures); i++) {
        const struct frame_texture *texture = &frame_textures_list(frame_textures)[i];

        write_texture(texture->key,
                      measured ? 0 : psx_texture_catalog_identity(psx, frame, texture->key), text);
        text_printf(text, "\t%u,%u,%u,%u\t%" PRIu32 "\t%" PRIu32, texture->u0, texture->v0,
                    texture->u1, texture->v1, texture->first, texture->draws);
        write_used(frame_textures, texture, text);
    }
    blob_unref(&frame_textures);
    return 0;
}

static int texture_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                         const struct cancel *cancel, struct text *text)
{
    (void)piece;
    return write_textures(dump, frame, false, cancel, text);
}

static int texture_measure(struct dump *dump, uint64_t frame, uint64_t piece,
                           const struct cancel *cancel, struct text *text)
{
    (void)piece;
    return write_textures(dump, frame, true, cancel, text);
}

const struct dump_listing psx_texture_table = {
    .head = texture_head, .pieces = one_piece, .piece = texture_piece, .measure = texture_measure};

/* All textures of the dump. */

static int all_texture_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)dump;
    (void)key;
    text_add(text,
             "number\ttexture\tidentity\tpage\tclut\tdepth\tframe\tdraw\tdraws\tframes\tused\n");
    return 0;
}

static int count_texture_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                uint64_t *pieces)
{
    struct psx_dump *psx = psx_dump_of(dump);
    int status = psx_texture_catalog_wait(psx, cancel);

    (void)key;
    if (status == 0)
        *pieces = (psx->catalog->texture_count + (uint64_t)ROWS - 1) / ROWS;
    return status;
}

/* Frames that follow each other go together. */
static void write_frames(const uint32_t *frames, uint32_t count, struct text *text)
{
    for (uint32_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && frames[next] == frames[next - 1] + 1;)
            next++;
        text_printf(text, "%s%" PRIu32, i > 0 ? "," : "\t", frames[i]);
        if (next > i + 1)
            text_printf(text, "-%" PRIu32, frames[next - 1]);
    }
    text_add_char(text, '\n');
}

static int all_texture_piece(struct dump *dump, uint64_t key, uint64_t piece,
                             const struct cancel *cancel, struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    const struct texture_catalog *catalog = psx->catalog;
    int status = psx_texture_catalog_wait(psx, cancel);

    (void)key;
    for (uint64_t i = piece * ROWS;
         status == 0 && i < catalog->texture_count && i < (piece + 1) * ROWS; i++) {
        const struct catalog_texture *texture = &catalog->textures[i];

        text_printf(text, "%" PRIu64 "\t", i);
        write_texture(texture->key, texture->identity, text);
        text_printf(text, "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu32, texture->frame,
                    texture->draw, texture->draws, texture->frames);
        write_frames(catalog->frames + texture->first_frame, texture->frames, text);
        if (cancel_requested(cancel))
            status = -EINTR;
    }
    return status;
}

const struct dump_listing psx_all_texture_table = {
    .head = all_texture_head, .pieces = count_texture_pieces, .piece = all_texture_piece};
