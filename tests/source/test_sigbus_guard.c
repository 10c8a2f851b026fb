/* SPDX-License-Identifier: MIT */
/* Guards of mappings whose files lose bytes, while other threads add and remove guards. */
#include "config.h"

#include "base/clock.h"
#include "source/sigbus_guard.h"

#include "tests/support/support.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 8, LOST_PAGE = 4, LOSSES = 1 << 16 /* between two looks at the clock */ };

static size_t page_size;
static uint8_t *room; /* PAGES pages of addresses */
static int file;      /* empty: every page of its mapping is lost */

static int set_up(void **state)
{
    (void)state;
    page_size = (size_t)sysconf(_SC_PAGESIZE);
    room = mmap(NULL, PAGES * page_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    file = memfd_create("empty", MFD_CLOEXEC);
    return room == MAP_FAILED || file < 0 ? -1 : 0;
}

static int tear_down(void **state)
{
    (void)state;
    munmap(room, PAGES * page_size);
    close(file);
    return 0;
}

/* Maps a page of the empty file, in place of the zeros that an earlier loss left there. */
static const volatile uint8_t *map_lost_page(void)
{
    uint8_t *page = room + LOST_PAGE * page_size;

    assert_ptr_equal(mmap(page, page_size, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0), page);
    return page;
}

static void test_lost_pages_read_as_zeros(void **state)
{
    const volatile uint8_t *page = map_lost_page();
    atomic_bool lost = false;

    (void)state;
    assert_int_equal(sigbus_guard_add(room, PAGES * page_size, &lost), 0);
    assert_int_equal(page[page_size - 1], 0);
    assert_true(lost);
    sigbus_guard_remove(room);
}

/*
 * What calls the guards of one mapping, and of two others that neither begin nor end at it and take
 * turns with one guard.
 */
struct play {
    pthread_t thread;
    atomic_bool ended, lost;
    atomic_uint own_fills, other_fills;
};

static bool fill_own(void *context, const void *address)
{
    (void)address;
    ((struct play *)context)->own_fills++;
    return true;
}

static bool fill_other(void *context, const void *address)
{
    (void)address;
    ((struct play *)context)->other_fills++;
    return true;
}

static void *take_turns(void *context)
{
    const uint8_t *before = room, *after = room + (LOST_PAGE + 1) * page_size;
    struct play *play = context;

    while (!play->ended) {
        sigbus_guard_add_filled(before, page_size, &play->lost, fill_other, play);
        sigbus_guard_remove(before);
        sigbus_guard_add_filled(after, SIZE_MAX / 2, &play->lost, fill_other, play);
        sigbus_guard_remove(after);
    }
    return NULL;
}

static void test_a_loss_belongs_to_its_own_guard(void **state)
{
    uint8_t *page = room + LOST_PAGE * page_size;
    siginfo_t loss = {.si_signo = SIGBUS, .si_code = BUS_ADRERR, .si_addr = page};
    struct play play = {.own_fills = 0};
    const int64_t end = clock_ms() + 1500;
    struct sigaction handler;
    unsigned losses = 0;

    (void)state;
    assert_int_equal(sigbus_guard_add_filled(page, page_size, &play.lost, fill_own, &play), 0);
    assert_int_equal(sigaction(SIGBUS, NULL, &handler), 0);
    assert_int_equal(pthread_create(&play.thread, NULL, take_turns, &play), 0);
    /* Without the kernel's part, which takes far longer than the search for a guard. */
    for (; losses % LOSSES != 0 || clock_ms() < end; losses++)
        handler.sa_sigaction(SIGBUS, &loss, NULL);
    play.ended = true;
    pthread_join(play.thread, NULL);
    assert_int_equal(play.other_fills, 0);
    assert_int_equal(play.own_fills, losses);
    sigbus_guard_remove(page);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lost_pages_read_as_zeros, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_loss_belongs_to_its_own_guard, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
