// An executable's own malloc takes the place of the C library's, also for code linked statically (the Swift runtime) and
// for the shared libraries it loads. The C library exports its allocator under these other names (glibc 2.36 to 2.41).
#include "CAllocationCount.h"
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *pointer);

static atomic_uint_fast64_t count;

static void note(void) { atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }

uint64_t allocation_count(void) { return atomic_load_explicit(&count, memory_order_relaxed); }

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
    note();
    return __libc_calloc(items, size);
}

void *realloc(void *old, size_t size) {
    note();
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **out, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *pointer = memalign(alignment, size);
    if (pointer == NULL) return ENOMEM;
    *out = pointer;
    return 0;
}

void free(void *pointer) { __libc_free(pointer); }
