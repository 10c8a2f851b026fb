/* SPDX-License-Identifier: MIT */
/*
 * What the daemon and the graphics worker say to each other of Vulkan's calls (worker.md 7): this
 * backend's range of messages, and the numbers in them. Constant; any thread.
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_WORKER_PROTOCOL_H
#define GPUDUMPFS_GAPIR_REPLAY_WORKER_PROTOCOL_H

/* Kinds of messages: 48 to 63 (worker/message.h). */
enum gapir_message {
    GAPIR_MESSAGE_RESET = 48, /* u32 count of bad calls, their numbers (u64); the driver's name */
    /* records; u64 bytes of those that were taken, what is left is sent again; u32 count of notes,
     * the notes */
    GAPIR_MESSAGE_FEED,
    GAPIR_MESSAGE_MEMORY, /* u64 address, u64 bytes; those of a window */
    /* u32 width, u32 height, u32 bytes of a pixel; rows of what was presented last, from the top */
    GAPIR_MESSAGE_PICTURE,
};

/* Records of a feed: u32 kind, then */
enum gapir_vk_record {
    GAPIR_RECORD_BLOCK, /* u64 address, u64 bytes: memory of the VM, zero */
    GAPIR_RECORD_BYTES, /* u64 address, u32 bytes, the bytes: what is there now */
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
