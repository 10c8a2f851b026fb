/* SPDX-License-Identifier: MIT */
/*
 * The processes beside one that reads a dump (docs/confinement.md): what the keeper may open, and
 * which program the launcher starts. Of mounts they know only what `keeper` has. Main thread,
 * before any other thread is made.
 */
#ifndef GPUDUMPFS_CLI_HELPER_ROLES_H
#define GPUDUMPFS_CLI_HELPER_ROLES_H

#include "cli/confine.h"
#include "cli/keeper.h"
#include "cli/program.h"
#include "worker/launcher.h"

/* Zeroed, it grants nothing and mounts nothing. */
struct helper_roles {
    struct keeper_grants grants; /* what may be opened; filled in before the start */
    struct keeper_params keeper; /* likewise, except for fields that helper_roles_start() sets */
    struct launcher_params launcher; /* set at the start */
    struct confine_user user;        /* that the launcher becomes, like the process beside it */
};

/*
 * Grants the dump's file, and what the formats know by name beside it or, for a folder, in it.
 * Returns 0 or -errno.
 */
int helper_roles_grant_dump(struct helper_roles *roles, const char *dump, bool is_folder);

/* Starts both helpers. `roles` must live as long as the helpers. Failures are logged. */
enum program_status helper_roles_start(struct helper_roles *roles,
                                       const struct program_options *options);

void helper_roles_clear(struct helper_roles *roles);

#endif
