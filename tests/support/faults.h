/* SPDX-License-Identifier: MIT */
/*
 * System calls that fail on demand: the n-th of those that our own code makes. For programs that
 * are linked with $(FAULT_WRAPPERS); calls of libraries are left alone. Any thread may call;
 * one begins and ends.
 */
#ifndef GPUDUMPFS_TESTS_SUPPORT_FAULTS_H
#define GPUDUMPFS_TESTS_SUPPORT_FAULTS_H

#include <stdbool.h>

enum faults_kind {
    FAULTS_BROKEN, /* a disk or a machine that fails: EIO */
    FAULTS_FULL,   /* nothing is left: ENOSPC, EMFILE, EAGAIN or ENOMEM, as the call has it */
    FAULTS_SHORT,  /* no failure: one byte is read or written, as a call may at any time */
    FAULTS_KINDS,
    FAULTS_KILLED = FAULTS_KINDS, /* none of those that return: SIGKILL in place of the call */
};

/* The call number `n` (from 0) from now on fails; of FAULTS_SHORT those that move bytes count. */
void faults_begin(enum faults_kind kind, int n);

/* None fails any more. Whether it was reached. */
bool faults_end(void);

/* Calls since faults_begin(). */
int faults_count(void);

/* Of the last one that failed: its name, and the negative errno that it was given. */
const char *faults_name(void);
int faults_status(void);

#endif
