/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/mount_table.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char own_type[] = "fuse.gpudumpfs";

/* Lines. */

static bool is_octal(const char *digits)
{
    return digits[0] >= '0' && digits[0] <= '3' && digits[1] >= '0' && digits[1] <= '7' &&
           digits[2] >= '0' && digits[2] <= '7';
}

/* Decodes \NNN, the form of a blank, tab, line feed or backslash. */
static char *decode(const char *word)
{
    char *name = strdup(word), *to = name;

    if (name == NULL)
        return NULL;
    for (; *word != '\0'; to++) {
        bool escaped = word[0] == '\\' && is_octal(word + 1);

        *to =
            escaped ? (char)((word[1] - '0') << 6 | (word[2] - '0') << 3 | (word[3] - '0')) : *word;
        word += escaped ? 4 : 1;
    }
    *to = '\0';
    return name;
}

static int take(struct mount_line *line, const char *place, const char *file_system,
                const char *dump)
{
    line->place = decode(place);
    line->type = decode(file_system);
    line->dump = decode(dump);
    if (line->place != NULL && line->type != NULL && line->dump != NULL)
        return 1;
    mount_line_clear(line);
    return -ENOMEM;
}

/*
 * Parses `id parent MAJOR:MINOR root PLACE options [optional …] - TYPE DUMP super-options`. Returns
 * 1, 0 if the line has another form, or -ENOMEM.
 */
static int parse(char *text, struct mount_line *line)
{
    enum { DEVICE = 2, PLACE = 4, FIRST_OPTIONAL = 6 };
    char *rest = NULL, *word = strtok_r(text, " \n", &rest), *place = NULL, *file_system;
    unsigned field = 0;
    char end;

    *line = (struct mount_line){.place = NULL};
    for (; word != NULL && (field < FIRST_OPTIONAL || strcmp(word, "-") != 0); field++) {
        if (field == DEVICE && sscanf(word, "%*u:%u%c", &line->connection, &end) != 1)
            return 0;
        if (field == PLACE)
            place = word;
        word = strtok_r(NULL, " \n", &rest);
    }
    file_system = word != NULL ? strtok_r(NULL, " \n", &rest) : NULL;
    word = file_system != NULL ? strtok_r(NULL, " \n", &rest) : NULL;
    return word != NULL ? take(line, place, file_system, word) : 0;
}

FILE *mount_table_open(void)
{
    return fopen("/proc/self/mountinfo", "re");
}

int mount_table_next(FILE *table, struct mount_line *line)
{
    char *text = NULL;
    size_t room = 0;
    int status = 0;

    *line = (struct mount_line){.place = NULL};
    while (status == 0 && getline(&text, &room, table) >= 0)
        status = parse(text, line);
    free(text);
    return status;
}

void mount_line_clear(struct mount_line *line)
{
    free(line->place);
    free(line->dump);
    free(line->type);
    *line = (struct mount_line){.place = NULL};
}

/* Processes. */

/*
 * Returns whether a process has the device of a connection open. Kernels before 6.16 do not show
 * this.
 */
static bool holds(const char *process, unsigned connection)
{
    char path[PATH_MAX], line[128];
    const struct dirent *entry;
    unsigned number;
    bool found = false;
    DIR *folder;

    snprintf(path, sizeof(path), "/proc/%s/fdinfo", process);
    folder = opendir(path);
    while (folder != NULL && !found && (entry = readdir(folder)) != NULL) {
        FILE *file;

        snprintf(path, sizeof(path), "/proc/%s/fdinfo/%s", process, entry->d_name);
        file = entry->d_name[0] != '.' ? fopen(path, "re") : NULL;
        while (file != NULL && !found && fgets(line, sizeof(line), file) != NULL)
            found = sscanf(line, "fuse_connection: %u", &number) == 1 && number == connection;
        if (file != NULL)
            fclose(file);
    }
    if (folder != NULL)
        closedir(folder);
    return found;
}

/*
 * Returns whether the process runs this program. Sets *told to whether the mountpoint is one of its
 * arguments.
 */
static bool is_program(const char *process, const char *place, bool *told)
{
    char path[PATH_MAX], *word = NULL;
    size_t room = 0, number = 0;
    bool ours = false;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%s/cmdline", process);
    file = fopen(path, "re");
    *told = false;
    for (; file != NULL && getdelim(&word, &room, '\0', file) >= 0; number++) {
        const char *slash = strrchr(word, '/');

        if (number == 0)
            ours = strcmp(slash != NULL ? slash + 1 : word, "gpudumpfs") == 0;
        *told = *told || (number > 0 && strcmp(word, place) == 0);
    }
    free(word);
    if (file != NULL)
        fclose(file);
    return ours;
}

/*
 * Returns whether the name is that of another process: having a mountpoint as its argument does not
 * mean that this process serves it.
 */
static bool is_other_process(const char *name)
{
    return name[0] >= '1' && name[0] <= '9' && atoi(name) != getpid();
}

void mount_line_process(const struct mount_line *line, char found[NAME_MAX + 1])
{
    DIR *folder = opendir("/proc");
    const struct dirent *process;

    strcpy(found, "-");
    while (folder != NULL && (process = readdir(folder)) != NULL) {
        bool told;

        if (!is_other_process(process->d_name))
            continue;
        if (holds(process->d_name, line->connection)) {
            snprintf(found, NAME_MAX + 1, "%s", process->d_name);
            break;
        }
        if (found[0] == '-' && is_program(process->d_name, line->place, &told) && told)
            snprintf(found, NAME_MAX + 1, "%s", process->d_name);
    }
    if (folder != NULL)
        closedir(folder);
}

/* Returns whether some process of the program has the mount, or its mountpoint as an argument. */
static bool may_be_served(const struct mount_line *line)
{
    DIR *folder = opendir("/proc");
    const struct dirent *process;
    bool served = false, told = false;

    while (folder != NULL && !served && (process = readdir(folder)) != NULL)
        served = is_other_process(process->d_name) &&
                 is_program(process->d_name, line->place, &told) &&
                 (told || holds(process->d_name, line->connection));
    if (folder != NULL)
        closedir(folder);
    return served;
}

/*
 * Returns whether a process of the program serves the mount, under another type (-o subtype=). A
 * process with the mountpoint as its argument may serve another mount there: then a process of
 * another program has this mount's device.
 */
static bool is_served(const struct mount_line *line)
{
    char process[NAME_MAX + 1];
    bool told;

    if (!may_be_served(line))
        return false;
    mount_line_process(line, process);
    return is_program(process, line->place, &told);
}

bool mount_line_is_fuse(const struct mount_line *line)
{
    return strncmp(line->type, "fuse", 4) == 0 && (line->type[4] == '\0' || line->type[4] == '.');
}

bool mount_line_is_ours(const struct mount_line *line)
{
    return strcmp(line->type, own_type) == 0 || (mount_line_is_fuse(line) && is_served(line));
}
