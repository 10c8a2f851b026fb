#include "formats/aerogpu/views/cells.h"

#include "formats/aerogpu/decode/abi.h"
#include "formats/aerogpu/index.h"

#include <inttypes.h>

void aerogpu_cell_or_none(struct text *text, uint32_t value)
{
    text_cell_or_none(text, value != AEROGPU_NONE, value);
}

void aerogpu_cell_hex(struct text *text, uint64_t value, unsigned digits)
{
    text_add(text, "\t0x");
    text_add_hex(text, value, digits);
}

void aerogpu_format_write(struct text *text, uint32_t format)
{
    const char *name = aerogpu_name(AEROGPU_NAMES_FORMAT, format);

    if (name != NULL)
        text_add(text, name);
    else
        text_printf(text, "0x%" PRIX32, format);
}
