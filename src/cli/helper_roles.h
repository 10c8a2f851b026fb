/* SPDX-License-Identifier: MIT */
/*
 * The processes beside one that reads a dump (docs/confinement.md): what the keeper may open, and
 * which program the launcher starts. Of mounts they know what `keeper` is given. Main thread,
 * before any other is made.
 */
#ifndef GPUDUMPFS_CLI_HELPER_ROLES_H
#define GPUDUMPFS_CLI_HELPER_ROLES_H

#include "cli/confine.h"
#include "cli/keeper.h"
#include "cli/program.h"
#include "worker/launcher.h"

/* Zeroed it grants nothing, and mounts nothing. */
struct helper_roles {
    struct keeper_grants grants;     /* what may be opened, filled before the start */
    struct keeper_params keeper;     /* likewise, but for what is known from here and the options */
    struct launcher_params launcher; /* set at the start */
    struct confine_user user;        /* that the launcher becomes, as the process beside it does */
};

/* The dump's file, and what the formats know by its name beside it, or in the folder it is. */
int helper_roles_grant_dump(struct helper_roles *roles, const char *dump, bool is_folder);

/* Starts both: what they are to do lives as long as they. What fails is told. */
enum program_status helper_roles_start(struct helper_roles *roles,
                                       const struct program_options *options);

void helper_roles_clear(struct helper_roles *roles);

#endif
