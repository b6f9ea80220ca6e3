/* Ends the process with SIGKILL just before its Nth call that writes, syncs, cuts, renames, removes or sends, or lets
   calls on the database fail. Preloaded into the daemon by hw-tests/killpoints.py and faultpoints.py; not part of the
   product.
   KILL_AT=N: which call. KILL_COUNT=FILE: instead, the number of calls so far is kept in FILE.
   FAIL_AT=N: the Nth call that writes, syncs or cuts a file of the database fails, and FAIL_FOR-1 more after it, with the
   errno FAIL_WITH. FAIL_COUNT=FILE: instead, the number of those calls so far is kept in FILE, and what they wrote. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static long calls;
static long kill_at = -1;
static int count_fd = -1;
static long file_calls, file_bytes, file_syncs, fail_at = -1, fail_for = 1, fail_with;
static int file_count_fd = -1;

__attribute__((constructor)) static void start(void) {
    const char *at = getenv("KILL_AT"), *count = getenv("KILL_COUNT");
    const char *fail = getenv("FAIL_AT"), *many = getenv("FAIL_FOR"), *with = getenv("FAIL_WITH");
    const char *file_count = getenv("FAIL_COUNT");
    if (fail) fail_at = atol(fail);
    if (many) fail_for = atol(many);
    if (with) fail_with = atol(with);
    if (file_count) file_count_fd = open(file_count, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (at) kill_at = atol(at);
    if (count) count_fd = open(count, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);

static void tick(void) {
    long now = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
    if (now == kill_at) kill(getpid(), SIGKILL);
    if (count_fd >= 0) {
        char text[32];
        int length = snprintf(text, sizeof text, "%ld\n", now);
        if (!real_pwrite) real_pwrite = dlsym(RTLD_NEXT, "pwrite");
        real_pwrite(count_fd, text, (size_t)length, 0);
    }
}

/* Whether a call on this file is one that fails. */
static int fails(int fd, size_t bytes) {
    if (fail_at < 0 && file_count_fd < 0) return 0;
    char link[40], path[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    if (!strstr(path, ".db")) return 0;
    long now = __atomic_add_fetch(&file_calls, 1, __ATOMIC_SEQ_CST);
    if (bytes) file_bytes += (long)bytes;
    else file_syncs++;
    if (file_count_fd >= 0) {
        char text[96];
        int count = snprintf(text, sizeof text, "%ld %ld %ld\n", now, file_bytes, file_syncs);
        if (!real_pwrite) real_pwrite = dlsym(RTLD_NEXT, "pwrite");
        real_pwrite(file_count_fd, text, (size_t)count, 0);
    }
    if (fail_at < 0 || now < fail_at || now >= fail_at + fail_for) return 0;
    errno = (int)fail_with;
    return 1;
}

#define COUNTED_IF(result, name, parameters, arguments, check)        \
    result name parameters {                                          \
        static result(*real) parameters;                              \
        if (!real) real = (result(*) parameters)dlsym(RTLD_NEXT, #name); \
        tick();                                                       \
        if (check) return -1;                                         \
        return real arguments;                                        \
    }
#define COUNTED(result, name, parameters, arguments) COUNTED_IF(result, name, parameters, arguments, 0)
#define FALLIBLE(result, name, parameters, arguments, bytes) \
    COUNTED_IF(result, name, parameters, arguments, fails(fd, bytes))

FALLIBLE(ssize_t, write, (int fd, const void *bytes, size_t count), (fd, bytes, count), count)
COUNTED(ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count))
FALLIBLE(ssize_t, pwrite, (int fd, const void *bytes, size_t count, off_t at), (fd, bytes, count, at), count)
FALLIBLE(ssize_t, pwrite64, (int fd, const void *bytes, size_t count, off64_t at), (fd, bytes, count, at), count)
COUNTED(ssize_t, send, (int fd, const void *bytes, size_t count, int flags), (fd, bytes, count, flags))
COUNTED(ssize_t, sendto,
        (int fd, const void *bytes, size_t count, int flags, const struct sockaddr *to, socklen_t length),
        (fd, bytes, count, flags, to, length))
COUNTED(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags))
FALLIBLE(int, fsync, (int fd), (fd), 0)
FALLIBLE(int, fdatasync, (int fd), (fd), 0)
FALLIBLE(int, ftruncate, (int fd, off_t length), (fd, length), 0)
FALLIBLE(int, ftruncate64, (int fd, off64_t length), (fd, length), 0)
COUNTED(int, rename, (const char *from, const char *to), (from, to))
COUNTED(int, unlink, (const char *path), (path))
