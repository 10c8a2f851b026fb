# SPDX-License-Identifier: MIT
# Tests of src/cache/.
unit_tests += \
	tests/cache/test_budget \
	tests/cache/test_cache \
	tests/cache/test_cache_stages \
	tests/cache/test_cache_look \
	tests/cache/test_cache_stress \
	tests/cache/test_checkpoint_list \
	tests/cache/test_follow \
	tests/cache/test_index_task \
	tests/cache/test_instance_pool \
	tests/cache/test_pool \
	tests/cache/test_pool_spare
thread_tests += \
	tests/cache/test_budget \
	tests/cache/test_cache \
	tests/cache/test_cache_stages \
	tests/cache/test_cache_stress \
	tests/cache/test_index_task \
	tests/cache/test_instance_pool \
	tests/cache/test_pool \
	tests/cache/test_pool_spare
valgrind_tests += \
	tests/cache/test_cache \
	tests/cache/test_cache_stages \
	tests/cache/test_checkpoint_list \
	tests/cache/test_index_task \
	tests/cache/test_instance_pool \
	tests/cache/test_pool

tests_cache_test_pool_spare_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pthread_create
tests_cache_test_budget_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=clock_gettime
