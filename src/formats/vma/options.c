/* SPDX-License-Identifier: MIT */
#include "formats/vma/options.h"

#include "formats/vma/index/recording.h"

_Static_assert(sizeof(enum vma_scale) == sizeof(unsigned) &&
                   sizeof(enum vma_device_choice) == sizeof(unsigned) &&
                   sizeof(enum vma_algorithm) == sizeof(unsigned) &&
                   sizeof(enum vma_switch) == sizeof(unsigned) &&
                   sizeof(enum vma_macros_option) == sizeof(unsigned),
               "choices are parsed as unsigned");

static const char *const scale_choices[] = {"lane", "block", "frame", NULL};
static const char *const switch_choices[] = {"on", "off", NULL};
static const char *const macros_choices[] = {"recorded", "default", NULL};
static const char *const device_choices[] = {"recorded", "vega",     "gtx660m",
                                             "hd-gen9",  "lavapipe", NULL};
static const char *const algorithm_choices[] = {"default", "linear", "buddy", "recorded", NULL};

#define AT(member) offsetof(struct vma_options, member)

static const struct option_rule rules[] = {
    {"vma-calls-per-frame", "N",
     "allocating calls per frame if the frame index never changes; 0: no such frames",
     "so that there are at most 1000 frames", OPTION_COUNT, AT(calls_per_frame), NULL, 0, 1 << 30,
     NULL},
    {"vma-scale", "lane|block|frame", "what the length of a block in a memory map is relative to",
     "lane", OPTION_CHOICE, AT(scale), scale_choices, 0, 0, NULL},
    {"vma-budget", "on|off", "respect memory budgets, as VMA does since 2.3", "on", OPTION_CHOICE,
     AT(budget), switch_choices, 0, 0, NULL},
    {"vma-macros", "recorded|default", "values of VMA's macros in the simulated allocator",
     "recorded", OPTION_CHOICE, AT(macros), macros_choices, 0, 0, NULL},
    {"vma-pool-lanes", "N", "pools that have a lane of their own in a memory map",
     "the most that exist at one time; followed: 8", OPTION_COUNT, AT(pool_lanes), NULL, 1,
     VMA_POOL_SLOTS, NULL},
    {"vma-device", "recorded|vega|gtx660m|hd-gen9|lavapipe",
     "GPU whose heaps, memory types and limits are simulated", "recorded", OPTION_CHOICE,
     AT(device), device_choices, 0, 0, NULL},
    {"vma-block-size", "SIZE", "preferred size of blocks in large heaps",
     "as the library was built", OPTION_SIZE, AT(block_size), NULL, 1, UINT64_C(1) << 40, NULL},
    {"vma-granularity", "SIZE", "bufferImageGranularity, rounded up to a power of two",
     "the device's", OPTION_SIZE, AT(granularity), NULL, 1, UINT64_C(1) << 30, NULL},
    {"vma-pool-algorithm", "recorded|default|linear|buddy", "how pools place allocations",
     "recorded", OPTION_CHOICE, AT(pool_algorithm), algorithm_choices, 0, 0, NULL},
};

static const struct vma_options standard = {.calls_per_frame = VMA_CALLS_CHOSEN,
                                            .pool_algorithm = VMA_ALGORITHM_RECORDED};

const struct option_table vma_options_table = {
    .rules = rules,
    .count = sizeof(rules) / sizeof(rules[0]),
    .standard = &standard,
    .size = sizeof(standard),
};
