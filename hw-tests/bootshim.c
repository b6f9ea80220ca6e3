/* Gives one process another boot. Preloaded into the daemon by hw-tests/cases_board.py; not part of the product.
   BOOT_ID=FILE: read instead of the kernel's boot_id. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *instead(const char *path) {
    const char *file = getenv("BOOT_ID");
    return file && path && !strcmp(path, "/proc/sys/kernel/random/boot_id") ? file : path;
}

#define OPEN(name)                                                                          \
    int name(const char *path, int flags, ...) {                                            \
        static int (*real)(const char *, int, ...);                                         \
        if (!real) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name);         \
        va_list rest;                                                                       \
        va_start(rest, flags);                                                              \
        int mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, int) : 0;                 \
        va_end(rest);                                                                       \
        return real(instead(path), flags, mode);                                            \
    }

OPEN(open)
OPEN(open64)
