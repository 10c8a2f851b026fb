/* SPDX-License-Identifier: MIT */
/*
 * Defines rights and structures by number, since a system's headers may be older than its kernel.
 */
#include "config.h"

#include "base/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* landlock(7): rights, in the order of the ABIs that introduced them. */
#define RIGHT(bit) (UINT64_C(1) << (bit))
enum {
    BIT_EXECUTE,
    BIT_WRITE_FILE,
    BIT_READ_FILE,
    BIT_READ_DIR,
    BIT_REMOVE_DIR,
    BIT_MAKE_SYM = 12,
    BIT_REFER,
    BIT_TRUNCATE,
    BIT_IOCTL_DEV,
};

static const uint8_t rights_of_abi[] = {
    0, BIT_MAKE_SYM + 1, BIT_REFER + 1, BIT_TRUNCATE + 1, BIT_TRUNCATE + 1, BIT_IOCTL_DEV + 1,
};

#define RIGHTS_OF_FILES                                                                            \
    (RIGHT(BIT_EXECUTE) | RIGHT(BIT_WRITE_FILE) | RIGHT(BIT_READ_FILE) | RIGHT(BIT_TRUNCATE) |     \
     RIGHT(BIT_IOCTL_DEV))

struct attributes {
    uint64_t files, network, scoped;
};

static const struct {
    unsigned right;
    uint64_t bits;
} rights_table[] = {
    {LANDLOCK_READ, RIGHT(BIT_READ_FILE)},
    {LANDLOCK_LIST, RIGHT(BIT_READ_DIR)},
    {LANDLOCK_WRITE, RIGHT(BIT_WRITE_FILE) | RIGHT(BIT_TRUNCATE)},
    {LANDLOCK_CHANGE, RIGHT(BIT_REFER + 1) - RIGHT(BIT_REMOVE_DIR)},
    {LANDLOCK_EXECUTE, RIGHT(BIT_EXECUTE)},
    {LANDLOCK_DEVICE, RIGHT(BIT_IOCTL_DEV)},
};

int landlock_abi(void)
{
    int abi =
        (int)syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, LANDLOCK_CREATE_RULESET_VERSION);

    return abi < 0 ? 0 : abi;
}

int landlock_open(struct landlock_rules *rules, unsigned taken)
{
    const int newest = (int)sizeof(rights_of_abi) - 1;
    struct attributes attributes;
    int abi = landlock_abi();

    *rules = (struct landlock_rules){.fd = -1, .abi = abi};
    if (abi == 0)
        return -ENOSYS;
    rules->handled = RIGHT(rights_of_abi[abi < newest ? abi : newest]) - 1;
    attributes = (struct attributes){
        .files = rules->handled,
        .network = abi >= 4 && (taken & LANDLOCK_NETWORK) != 0 ? 3 : 0,
        .scoped = abi >= 6 ? ((taken & LANDLOCK_SOCKETS) != 0 ? UINT64_C(1) : 0) |
                                 ((taken & LANDLOCK_SIGNALS) != 0 ? UINT64_C(2) : 0)
                           : 0,
    };
    /* Fields that an old kernel does not know are 0 here, which it accepts. */
    rules->fd = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0);
    return rules->fd < 0 ? -errno : 0;
}

int landlock_allow_fd(const struct landlock_rules *rules, int fd, unsigned rights)
{
    struct landlock_path_beneath_attr rule = {.parent_fd = fd};
    uint64_t bits = 0;
    struct stat stat;

    if (fstat(fd, &stat) < 0)
        return -errno;
    for (size_t i = 0; i < sizeof(rights_table) / sizeof(rights_table[0]); i++)
        if ((rights & rights_table[i].right) != 0)
            bits |= rights_table[i].bits;
    bits &= rules->handled;
    if (!S_ISDIR(stat.st_mode))
        bits &= RIGHTS_OF_FILES;
    if (bits == 0)
        return 0;
    rule.allowed_access = bits;
    if (syscall(SYS_landlock_add_rule, rules->fd, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0)
        return -errno;
    return 0;
}

int landlock_allow(const struct landlock_rules *rules, const char *path, unsigned rights)
{
    int fd = open(path, O_PATH | O_CLOEXEC), status;

    if (fd < 0)
        return -errno;
    status = landlock_allow_fd(rules, fd, rights);
    close(fd);
    return status;
}

int landlock_restrict(struct landlock_rules *rules)
{
    int status = 0;

    if (rules->fd < 0)
        return -EBADF;
    if (syscall(SYS_landlock_restrict_self, rules->fd, 0) < 0)
        status = -errno;
    close(rules->fd);
    rules->fd = -1;
    return status;
}
