/* SPDX-License-Identifier: MIT */
#include "formats/psx/information.h"

#include <string.h>

size_t psx_packet_string(const struct psx_packet *packet)
{
    size_t length = 4 * (size_t)packet->words;

    return strnlen((const char *)packet->payload,
                   length < PSX_STRING_MAX ? length : PSX_STRING_MAX);
}

static const char field_words[2][9] = {"field=0", "field=1"};

int psx_packet_field(const struct psx_packet *packet)
{
    if (packet->type != PSX_PACKET_COMMENT || packet->words != 2)
        return -1;
    for (int field = 0; field < 2; field++)
        if (memcmp(packet->payload, field_words[field], 8) == 0)
            return field;
    return -1;
}

void psx_field_write(uint8_t field, struct text *out)
{
    psx_packet_header_write(out, PSX_PACKET_COMMENT, 2);
    text_add_bytes(out, field_words[field & 1], 8);
}

enum psx_gpu_model psx_version_model(uint32_t version)
{
    static const enum psx_gpu_model models[] = {PSX_GPU_SECOND, PSX_GPU_FIRST, PSX_GPU_SECOND,
                                                PSX_GPU_SECOND_2MIB};

    return models[version];
}

uint32_t psx_model_version(enum psx_gpu_model model)
{
    return model == PSX_GPU_FIRST ? 1 : model == PSX_GPU_SECOND_2MIB ? 3 : 2;
}

/* Returns whether recorders write the string where the program has no id. */
static bool stands_for_no_id(const char *string, size_t length)
{
    return (length == 7 && memcmp(string, "UNKNOWN", 7) == 0) ||
           (length == 8 && memcmp(string, "HOMEBREW", 8) == 0);
}

/* Returns whether the string is four letters, a hyphen and five digits. */
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

const char *psx_model_meaning(enum psx_gpu_model model)
{
    static const char *const meanings[] = {
        [PSX_GPU_FIRST] = "v1, 1 MiB",
        [PSX_GPU_SECOND] = "v2, 1 MiB",
        [PSX_GPU_SECOND_2MIB] = "v2, 2 MiB",
    };

    return meanings[model];
}

const char *psx_version_meaning(enum psx_magic magic, uint32_t version)
{
    uint32_t number = magic == PSX_MAGIC_16 ? version : version + 1;

    return number >= 1 && number < 4 && version < 4 ? psx_model_meaning(psx_version_model(number))
                                                    : "reserved";
}
