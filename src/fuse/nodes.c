/* SPDX-License-Identifier: MIT */
/*
 * The inode numbers that the kernel knows in a mount of several dumps: one for each pair of a
 * branch and an inode that was looked up and is not forgotten.
 */
#include "fuse/folder.h"

#include "base/array.h"

#include <errno.h>
#include <stdlib.h>

enum { BUCKETS = 1 << 12 }; /* initial number of buckets of the hash table of nodes */

uint64_t nodes_hash(uint64_t value)
{
    value ^= value >> 32;
    value *= UINT64_C(0x9E3779B97F4A7C15);
    return value ^ value >> 29;
}

/* The number of a node is its index plus FIRST_NODE. */

static uint64_t *bucket_of(struct folder *folder, const struct branch *branch, uint64_t inode)
    REQUIRES(lock_of_folder)
{
    uint64_t mixed = nodes_hash(inode ^ branch->mount.salt ^ (uint64_t)(uintptr_t)branch);

    return &folder->buckets[mixed & (folder->bucket_count - 1)];
}

static void put_in_bucket(struct folder *folder, uint64_t number) REQUIRES(lock_of_folder)
{
    struct node *node = &folder->nodes[number - FIRST_NODE];
    uint64_t *bucket = bucket_of(folder, node->branch, node->inode);

    node->next = *bucket;
    *bucket = number;
}

static void grow_buckets(struct folder *folder) REQUIRES(lock_of_folder)
{
    uint64_t count = folder->bucket_count * 2;
    uint64_t *buckets = calloc(count, sizeof(*buckets));

    if (buckets == NULL)
        return; /* lookups become slower, no more */
    free(folder->buckets);
    folder->buckets = buckets;
    folder->bucket_count = count;
    for (uint64_t i = 0; i < folder->node_count; i++)
        if (folder->nodes[i].branch != NULL)
            put_in_bucket(folder, i + FIRST_NODE);
}

/* Returns the number of a free node, or 0 if there is no memory. */
static uint64_t take_node(struct folder *folder) REQUIRES(lock_of_folder)
{
    uint64_t number = folder->free_nodes;

    if (number != 0) {
        folder->free_nodes = folder->nodes[number - FIRST_NODE].next;
        return number;
    }
    if (ARRAY_GROW(folder->nodes, folder->node_count, folder->node_room) != 0)
        return 0;
    if (folder->node_count >= folder->bucket_count)
        grow_buckets(folder);
    folder->nodes[folder->node_count] = (struct node){0};
    return folder->node_count++ + FIRST_NODE;
}

static uint64_t find_node(struct folder *folder, const struct branch *branch, uint64_t inode)
    REQUIRES(lock_of_folder)
{
    uint64_t number = *bucket_of(folder, branch, inode);

    while (number != 0 && (folder->nodes[number - FIRST_NODE].branch != branch ||
                           folder->nodes[number - FIRST_NODE].inode != inode))
        number = folder->nodes[number - FIRST_NODE].next;
    return number;
}

uint64_t branch_node(struct branch *branch, uint64_t inode)
{
    struct folder *folder = branch->folder;
    uint64_t number;

    folder_lock(folder);
    number = find_node(folder, branch, inode);
    if (number == 0 && (number = take_node(folder)) != 0) {
        folder->nodes[number - FIRST_NODE] = (struct node){.branch = branch, .inode = inode};
        put_in_bucket(folder, number);
        branch->nodes++;
    }
    if (number != 0)
        folder->nodes[number - FIRST_NODE].count++;
    folder_unlock(folder);
    return number;
}

static void free_node(struct folder *folder, uint64_t number) REQUIRES(lock_of_folder)
{
    struct node *node = &folder->nodes[number - FIRST_NODE];
    uint64_t *link = bucket_of(folder, node->branch, node->inode);

    while (*link != number)
        link = &folder->nodes[*link - FIRST_NODE].next;
    *link = node->next;
    node->branch->nodes--;
    *node = (struct node){.next = folder->free_nodes};
    folder->free_nodes = number;
}

void nodes_forget(struct folder *folder, uint64_t number, uint64_t times)
{
    folder_lock(folder);
    if (number >= FIRST_NODE && number - FIRST_NODE < folder->node_count &&
        folder->nodes[number - FIRST_NODE].branch != NULL) {
        struct node *node = &folder->nodes[number - FIRST_NODE];

        node->count -= times < node->count ? times : node->count;
        if (node->count == 0)
            free_node(folder, number);
    }
    folder_unlock(folder);
}

void branch_forget(struct branch *branch, uint64_t node, uint64_t times)
{
    nodes_forget(branch->folder, node, times);
}

void reply_with_entry(struct branch *branch, fuse_req_t fuse, const struct fuse_entry_param *entry)
{
    if (fuse_reply_entry(fuse, entry) == -ENOENT && branch != NULL && entry->ino != 0)
        branch_forget(branch, entry->ino, 1);
}

bool told_nodes_add(struct told_nodes *told, uint64_t node)
{
    if (ARRAY_GROW(told->list, told->count, told->room) != 0)
        return false;
    told->list[told->count++] = node;
    return true;
}

void told_nodes_drop(struct told_nodes *told)
{
    told->count--;
}

void told_nodes_end(struct told_nodes *told, struct folder *folder, bool taken)
{
    for (size_t i = 0; !taken && i < told->count; i++)
        nodes_forget(folder, told->list[i], 1);
    free(told->list);
    *told = (struct told_nodes){0};
}

bool nodes_find(const struct folder *folder, uint64_t number, struct branch **branch,
                uint64_t *inode)
{
    const struct node *node;

    if (number < FIRST_NODE || number - FIRST_NODE >= folder->node_count)
        return false;
    node = &folder->nodes[number - FIRST_NODE];
    *branch = node->branch;
    *inode = node->inode;
    return node->branch != NULL;
}

int nodes_create(struct folder *folder) LOCKS_UNCHECKED
{
    folder->buckets = calloc(BUCKETS, sizeof(*folder->buckets));
    folder->bucket_count = BUCKETS;
    return folder->buckets != NULL ? 0 : -ENOMEM;
}

void nodes_destroy(struct folder *folder) LOCKS_UNCHECKED
{
    free(folder->buckets);
    free(folder->nodes);
}
