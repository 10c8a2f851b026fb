#include "progress.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { DELAY_MS = 500, INTERVAL_MS = 100, BAR = 24 };

static int64_t now_ms(void)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static size_t terminal_width(void)
{
    struct winsize size;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return size.ws_col;
}

bool progress_begin(struct progress *progress, bool wanted)
{
    *progress =
        (struct progress){.wanted = wanted && isatty(STDERR_FILENO), .next = now_ms() + DELAY_MS};
    return progress->wanted;
}

void progress_show(struct progress *progress, const char *what, uint64_t done, uint64_t total)
{
    struct text line = TEXT_INIT;
    double share = total > 0 && done < total ? (double)done / (double)total : 1;

    if (!progress->wanted || now_ms() < progress->next)
        return;
    progress->next = now_ms() + INTERVAL_MS;
    progress->shown = true;
    for (int i = 0; i < BAR; i++)
        text_add_char(&line, i < (int)(share * BAR) ? '#' : '-');
    text_printf(&line, " %3d %% ", (int)(share * 100));
    text_add_escaped(&line, what, strlen(what));
    if (text_status(&line) == 0) {
        size_t width = terminal_width() - 1;

        fprintf(stderr, "\r\033[K%.*s", (int)(line.length < width ? line.length : width),
                line.bytes);
    }
    text_clear(&line);
}

void progress_end(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
