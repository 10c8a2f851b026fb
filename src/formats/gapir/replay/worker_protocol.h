/* SPDX-License-Identifier: MIT */
/*
 * The messages between the daemon and the graphics worker about Vulkan's calls (worker.md 7): this
 * backend's range of kinds, and the numbers in them. Constant; any thread.
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_WORKER_PROTOCOL_H
#define GPUDUMPFS_GAPIR_REPLAY_WORKER_PROTOCOL_H

/* Kinds of messages: 48 to 63 (worker/message.h). */
enum gapir_message {
    /* u32 count of bad calls, their numbers (u64); reply: the driver's name */
    GAPIR_MESSAGE_RESET = 48,
    /*
     * records; reply: u64 bytes that were taken (the rest is sent again), u32 count of notes, notes
     */
    GAPIR_MESSAGE_FEED,
    GAPIR_MESSAGE_MEMORY, /* u64 address, u64 bytes; reply: these bytes of a window */
    /*
     * u32 width, u32 height, u32 bytes of a pixel; reply: rows of the last presented image, from
     * the top
     */
    GAPIR_MESSAGE_PICTURE,
};

/* A feed consists of records. Each is a u32, the record's kind, followed by what is listed here. */
enum gapir_vk_record {
    GAPIR_RECORD_BLOCK, /* u64 address, u64 bytes: a memory of the VM, zeroed */
    GAPIR_RECORD_BYTES, /* u64 address, u32 bytes, the bytes: the new contents of memory */
    /* u64 number, u32 bytes of the name, the name, u32 count, arguments (u64 each) */
    GAPIR_RECORD_CALL,
};

enum {
    GAPIR_CALL_NAME_MAX = 64,
    GAPIR_BAD_CALLS_MAX = 64,
    GAPIR_VK_NOTES_MAX = 1000,
    GAPIR_PIXEL_BYTES_MAX = 16,
};

#endif
