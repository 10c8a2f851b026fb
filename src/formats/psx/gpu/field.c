#include "formats/psx/gpu/field.h"

#include "base/bytes.h"

enum { FIELD_UNKNOWN = -1 };

uint64_t psx_field_interval(const struct psx_packet *from, const struct psx_packet *to)
{
    if (from->words == 0 || to->words == 0)
        return 0;
    if (from->words == 1 || to->words == 1)
        return bytes_le32(to->payload) - bytes_le32(from->payload);
    return bytes_le64(to->payload) - bytes_le64(from->payload);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* A field of 262 or 263 lines (PAL 312, 313) tells which one is on the screen before it. */
static int field_of_interval(const struct psx_display *display, uint64_t interval)
{
    static const struct {
        uint32_t shorter, longer;
    } cycles[2] = {{563969, 566121}, {676486, 678654}};
    unsigned pal = display->mode >> 3 & 1;
    uint64_t half_line = (cycles[pal].longer - cycles[pal].shorter) / 2;
    uint64_t to_shorter = distance(interval, cycles[pal].shorter);
    uint64_t to_longer = distance(interval, cycles[pal].longer);

    if (to_shorter > half_line && to_longer > half_line)
        return FIELD_UNKNOWN;
    return to_shorter < to_longer;
}

bool psx_field_is_interlaced(const struct psx_display *display)
{
    return display->mode >> 5 & 1;
}

uint8_t psx_field_first(enum psx_field_option rule, const struct psx_display *display,
                        uint64_t interval)
{
    if (rule == PSX_FIELD_AUTO && psx_field_is_interlaced(display))
        return field_of_interval(display, interval) == 1;
    return rule == PSX_FIELD_ODD;
}

uint8_t psx_field_next(enum psx_field_option rule, const struct psx_display *display, uint8_t field,
                       uint64_t interval)
{
    int told = FIELD_UNKNOWN;

    if (rule == PSX_FIELD_BOTH || !psx_field_is_interlaced(display))
        return field;
    if (rule == PSX_FIELD_AUTO)
        told = field_of_interval(display, interval);
    return (uint8_t)(told == FIELD_UNKNOWN ? !field : told);
}
