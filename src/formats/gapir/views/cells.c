#include "formats/gapir/views/cells.h"

#include "formats/gapir/views/disassembly.h"

bool gapir_is_command(uint32_t label)
{
    return label != GAPIR_LABEL_START && label != GAPIR_LABEL_NONE;
}

void gapir_cell_label(struct text *text, uint32_t label)
{
    text_cell_or_none(text, gapir_is_command(label), label);
}

void gapir_write_region(const struct gapir_extent *extent, struct text *text)
{
    static const char *const names[] = {"-", "constants", "volatile", "window:"};

    text_add(text, names[extent->region]);
    if (extent->region == GAPIR_WINDOW)
        text_add_u64(text, extent->window);
}

void gapir_cells_extent(struct text *text, const struct gapir_extent *extent)
{
    text_cell(text, extent->size);
    text_add_char(text, '\t');
    gapir_write_region(extent, text);
    text_cell(text, extent->offset);
}

void gapir_cells_site(struct text *text, const struct gapir_site *site)
{
    text_cell(text, site->packet);
    text_cell(text, site->pc);
    gapir_cell_label(text, site->label);
}

void gapir_field_label(struct text *text, uint32_t label)
{
    text_add(text, "label: ");
    gapir_write_label(label, text);
    text_add_char(text, '\n');
}
