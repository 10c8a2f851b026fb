/*
 * Telling a service manager how it goes (sd_notify(3)): a datagram to the socket that the
 * environment names in NOTIFY_SOCKET. Without one, or where it cannot be sent, nothing is done.
 * Main thread.
 */
#ifndef GPUDUMPFS_NOTIFY_H
#define GPUDUMPFS_NOTIFY_H

/* The dump is being opened; may be told several times. */
void notify_opening(const char *dump);

/* The mount can be used, by this process. */
void notify_ready(const char *dump, const char *place);

/* The mount has gone, or will go at once. */
void notify_stopping(void);

#endif
