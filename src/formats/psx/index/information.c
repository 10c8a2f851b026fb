#include "formats/psx/index/information.h"

#include "base/bytes.h"

#include <inttypes.h>
#include <string.h>

size_t psx_packet_string(const struct psx_packet *packet)
{
    size_t length = 4 * (size_t)packet->words;

    return strnlen((const char *)packet->payload,
                   length < PSX_STRING_MAX ? length : PSX_STRING_MAX);
}

/* What recorders write where the program has no id. */
static bool stands_for_no_id(const char *string, size_t length)
{
    return (length == 7 && memcmp(string, "UNKNOWN", 7) == 0) ||
           (length == 8 && memcmp(string, "HOMEBREW", 8) == 0);
}

/* Four letters, a hyphen, five digits. */
static bool is_game_id(const char *string, size_t length)
{
    static const char form[] = "AAAA-00000";

    for (size_t i = 0; i < length && i + 1 < sizeof(form); i++) {
        char first = form[i], last = first == 'A' ? 'Z' : first == '0' ? '9' : first;

        if (string[i] < first || string[i] > last)
            return false;
    }
    return length + 1 == sizeof(form);
}

static bool is_video_format(const char *string, size_t length)
{
    return (length == 3 && memcmp(string, "PAL", 3) == 0) ||
           (length == 4 && memcmp(string, "NTSC", 4) == 0);
}

bool psx_packet_string_is_allowed(const struct psx_packet *packet)
{
    const char *string = (const char *)packet->payload;
    size_t length = psx_packet_string(packet);

    if (packet->type == PSX_PACKET_GAME)
        return is_game_id(string, length) || stands_for_no_id(string, length);
    return packet->type != PSX_PACKET_VIDEO || is_video_format(string, length);
}

const char *psx_version_meaning(enum psx_magic magic, uint32_t version)
{
    static const char *const meanings[] = {"reserved", "v1, 1 MiB", "v2, 1 MiB", "v2, 2 MiB"};
    uint32_t number = magic == PSX_MAGIC_16 ? version : version + 1;

    return number < 4 && version < 4 ? meanings[number] : meanings[0];
}

void psx_information_write(const struct psx_packet *packet, enum psx_magic magic, struct text *text)
{
    uint32_t version = packet->words > 0 ? bytes_le32(packet->payload) : 0;
    const char *name = psx_packet_name(packet->type);

    if (name == NULL) {
        text_field(text, "type", "0x%02X", packet->type);
        text_field(text, "words", "%" PRIu32, packet->words);
    } else if (packet->type == PSX_PACKET_VERSION) {
        text_field(text, "gpu_version", "%" PRIu32 " (%s)", version,
                   psx_version_meaning(magic, version));
    } else if (packet->type >= PSX_PACKET_GAME) {
        text_add(text, name);
        text_add(text, ": ");
        text_add_escaped(text, packet->payload, psx_packet_string(packet));
        text_add_char(text, '\n');
    }
}
