// Counts the heap allocations of the program that links this.
#pragma once
#include <stdint.h>

/// Calls of malloc, calloc, realloc, aligned_alloc, memalign and posix_memalign since the start, of all threads.
uint64_t allocation_count(void);
