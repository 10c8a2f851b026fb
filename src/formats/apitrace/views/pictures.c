#include "formats/apitrace/views/pictures.h"

#include "formats/apitrace/replay/player.h"
#include "tree/tree.h"

enum { RGB = 3 };

int apitrace_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                           struct blob **out)
{
    const struct apitrace_presentation *presentation;
    int status = apitrace_dump_presentation(dump, cancel, &presentation);

    return status == 0 ? apitrace_player_frame(dump, frame, cancel, out) : status;
}

int apitrace_picture_finish(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                            const struct blob *half, struct blob **out)
{
    struct dump_picture picture;
    int status = dump_picture_header(dump, frame, &picture);
    size_t stride = (size_t)picture.header.width * RGB;

    (void)cancel;
    if (status < 0)
        return status;
    return picture_encode(&picture.header,
                          half->data + (half->size - stride * picture.header.height), stride,
                          dump->options->png, out);
}
