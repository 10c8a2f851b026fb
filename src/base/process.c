/* SPDX-License-Identifier: MIT */
#include "base/process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether a line of /proc/PID/status shows that the thread is dying. */
static bool tells_of_death(const char *line)
{
    if (strncmp(line, "State:\t", 7) == 0)
        return line[7] == 'Z' || line[7] == 'X';
    if (strncmp(line, "SigPnd:", 7) == 0 || strncmp(line, "ShdPnd:", 7) == 0)
        return (strtoull(line + 7, NULL, 16) >> (SIGKILL - 1) & 1) != 0;
    return false;
}

bool process_is_dying(pid_t thread)
{
    char path[32], line[128];
    bool dying = false;
    FILE *file;

    if (thread <= 0)
        return false;
    snprintf(path, sizeof(path), "/proc/%ld/status", (long)thread);
    file = fopen(path, "re");
    if (file == NULL)
        return kill(thread, 0) != 0 && errno == ESRCH;
    while (!dying && fgets(line, sizeof(line), file) != NULL)
        dying = tells_of_death(line);
    fclose(file);
    return dying;
}
