#include "config.h"

#include "notify.h"

#include "base/text.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* A path, or `@` and a name that stands in no file system. False: it is neither. */
static bool make_address(const char *name, struct sockaddr_un *address, socklen_t *size)
{
    size_t length = strlen(name);

    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    if ((name[0] != '/' && name[0] != '@') || length < 2 || length >= sizeof(address->sun_path))
        return false;
    memcpy(address->sun_path, name, length);
    if (name[0] == '@')
        address->sun_path[0] = '\0';
    *size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    return true;
}

static void send_text(struct text *text)
{
    const char *name = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address;
    socklen_t size;
    int fd;

    if (name == NULL || text_status(text) != 0 || !make_address(name, &address, &size))
        return;
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    (void)sendto(fd, text->bytes, text->length, MSG_NOSIGNAL, (const struct sockaddr *)&address,
                 size);
    close(fd);
}

void notify_opening(const char *dump)
{
    struct text text = TEXT_INIT;

    text_add(&text, "STATUS=opening ");
    text_add_escaped(&text, dump, strlen(dump));
    send_text(&text);
    text_clear(&text);
}

void notify_ready(const char *dump, const char *place)
{
    struct text text = TEXT_INIT;

    text_printf(&text, "READY=1\nMAINPID=%d\nSTATUS=", (int)getpid());
    text_add_escaped(&text, dump, strlen(dump));
    text_add(&text, " is mounted at ");
    text_add_escaped(&text, place, strlen(place));
    send_text(&text);
    text_clear(&text);
}

void notify_stopping(void)
{
    struct text text = TEXT_INIT;

    text_add(&text, "STOPPING=1\nSTATUS=unmounted, ending what is under way");
    send_text(&text);
    text_clear(&text);
}
