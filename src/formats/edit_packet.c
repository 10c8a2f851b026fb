/* SPDX-License-Identifier: MIT */
#include "formats/format.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

static bool keeps_length(const struct dump_packet *packet, size_t size,
                         struct format_text_error *error)
{
    if (packet->bytes == size)
        return true;
    snprintf(error->message, sizeof(error->message),
             "the packet has %" PRIu64 " bytes, which must not change: the file has %zu",
             packet->bytes, size);
    return false;
}

static int edit_packet(struct dump *dump, const struct format_edited *edited, bool any_length,
                       struct format_edit *out, struct format_text_error *error)
{
    struct dump_packet packet;
    int status;

    *error = (struct format_text_error){0};
    if (edited->rule != RULE_PACKET_BIN || dump->ops->container.packet_bytes != NULL)
        return -ENOTSUP;
    status = dump->ops->packet(dump, edited->key, &packet);
    if (status != 0)
        return status;
    if (!any_length && !keeps_length(&packet, edited->size, error))
        return -EINVAL;
    out->offset = packet.data;
    out->size = packet.bytes;
    text_add_bytes(&out->bytes, (const char *)edited->bytes, edited->size);
    return text_status(&out->bytes);
}

int format_edit_packet(struct dump *dump, const struct format_edited *edited,
                       struct format_edit *out, struct format_text_error *error)
{
    return edit_packet(dump, edited, false, out, error);
}

int format_edit_line(struct dump *dump, const struct format_edited *edited, struct format_edit *out,
                     struct format_text_error *error)
{
    return edit_packet(dump, edited, true, out, error);
}
