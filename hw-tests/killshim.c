/* Ends the process with SIGKILL just before its Nth call that writes, syncs, cuts, renames, removes or sends. Preloaded
   into the daemon by hw-tests/killpoints.py; not part of the product.
   KILL_AT=N: which call. KILL_COUNT=FILE: instead, the number of calls so far is kept in FILE. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static long calls;
static long kill_at = -1;
static int count_fd = -1;

__attribute__((constructor)) static void start(void) {
    const char *at = getenv("KILL_AT"), *count = getenv("KILL_COUNT");
    if (at) kill_at = atol(at);
    if (count) count_fd = open(count, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

static void tick(void) {
    static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
    long now = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
    if (now == kill_at) kill(getpid(), SIGKILL);
    if (count_fd >= 0) {
        char text[32];
        int length = snprintf(text, sizeof text, "%ld\n", now);
        if (!real_pwrite) real_pwrite = dlsym(RTLD_NEXT, "pwrite");
        real_pwrite(count_fd, text, (size_t)length, 0);
    }
}

#define COUNTED(result, name, parameters, arguments)                  \
    result name parameters {                                          \
        static result(*real) parameters;                              \
        if (!real) real = (result(*) parameters)dlsym(RTLD_NEXT, #name); \
        tick();                                                       \
        return real arguments;                                        \
    }

COUNTED(ssize_t, write, (int fd, const void *bytes, size_t count), (fd, bytes, count))
COUNTED(ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count))
COUNTED(ssize_t, pwrite, (int fd, const void *bytes, size_t count, off_t at), (fd, bytes, count, at))
COUNTED(ssize_t, pwrite64, (int fd, const void *bytes, size_t count, off64_t at), (fd, bytes, count, at))
COUNTED(ssize_t, send, (int fd, const void *bytes, size_t count, int flags), (fd, bytes, count, flags))
COUNTED(ssize_t, sendto,
        (int fd, const void *bytes, size_t count, int flags, const struct sockaddr *to, socklen_t length),
        (fd, bytes, count, flags, to, length))
COUNTED(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags))
COUNTED(int, fsync, (int fd), (fd))
COUNTED(int, fdatasync, (int fd), (fd))
COUNTED(int, ftruncate, (int fd, off_t length), (fd, length))
COUNTED(int, ftruncate64, (int fd, off64_t length), (fd, length))
COUNTED(int, rename, (const char *from, const char *to), (from, to))
COUNTED(int, unlink, (const char *path), (path))
