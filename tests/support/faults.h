/* SPDX-License-Identifier: MIT */
/*
 * Makes system calls fail on demand: the n-th of those that our own code makes. For programs that
 * are linked with $(FAULT_WRAPPERS); calls made by libraries never fail. Any thread may make calls;
 * one thread calls these functions.
 */
#ifndef GPUDUMPFS_TESTS_SUPPORT_FAULTS_H
#define GPUDUMPFS_TESTS_SUPPORT_FAULTS_H

#include <stdbool.h>

enum faults_kind {
    FAULTS_BROKEN, /* a broken disk or machine: EIO */
    FAULTS_FULL,   /* nothing is left: ENOSPC, EMFILE, EAGAIN or ENOMEM, depending on the call */
    FAULTS_SHORT,  /* no failure: one byte is read or written, as is always allowed */
    FAULTS_KINDS,
    /* Not one of the kinds that return: SIGKILL instead of the call. */
    FAULTS_KILLED = FAULTS_KINDS,
};

/*
 * Makes the call with number `n`, counted from 0 at this point, fail. For FAULTS_SHORT only calls
 * that move bytes count.
 */
void faults_begin(enum faults_kind kind, int n);

/* Makes no further call fail. Returns whether call `n` was reached. */
bool faults_end(void);

/* Returns the number of calls since faults_begin(). */
int faults_count(void);

/* Return the name of the last call that failed, and the negative errno that it returned. */
const char *faults_name(void);
int faults_status(void);

#endif
