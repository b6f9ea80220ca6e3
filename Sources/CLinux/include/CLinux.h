// Kernel interfaces that Swift's Glibc module does not carry, and calls with variable arguments.
// Every function returns what the call returns; on failure −1 with errno set.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static inline int linux_errno(void) { return errno; }

static inline int linux_open(const char *path, int flags, mode_t mode) { return open(path, flags | O_CLOEXEC, mode); }

/// Exclusive use of a terminal device: further opens by others fail with EBUSY.
static inline int linux_tty_exclusive(int fd) { return ioctl(fd, TIOCEXCL); }

/// Bytes waiting to be read.
static inline int linux_waiting(int fd) {
    int n = 0;
    return ioctl(fd, FIONREAD, &n) < 0 ? -1 : n;
}

/// epoll_ctl with the descriptor itself as user data.
static inline int linux_epoll_add(int ep, int fd, uint32_t events) {
    struct epoll_event e = {.events = events, .data.fd = fd};
    return epoll_ctl(ep, EPOLL_CTL_ADD, fd, &e);
}
static inline int linux_epoll_modify(int ep, int fd, uint32_t events) {
    struct epoll_event e = {.events = events, .data.fd = fd};
    return epoll_ctl(ep, EPOLL_CTL_MOD, fd, &e);
}
static inline int linux_epoll_remove(int ep, int fd) { return epoll_ctl(ep, EPOLL_CTL_DEL, fd, NULL); }
static inline int linux_epoll_fd(const struct epoll_event *e) { return e->data.fd; }

static inline int linux_pidfd_open(pid_t child) { return (int)syscall(SYS_pidfd_open, child, 0); }

static inline int64_t linux_clock_nanos(clockid_t clock) {
    struct timespec t;
    if (clock_gettime(clock, &t) < 0) return -1;
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/// Arms a timerfd at an absolute time of its clock; 0 disarms.
static inline int linux_timer_arm(int fd, int64_t nanos) {
    struct itimerspec s = {.it_value = {.tv_sec = nanos / 1000000000, .tv_nsec = nanos % 1000000000}};
    return timerfd_settime(fd, TFD_TIMER_ABSTIME, &s, NULL);
}

/// 1 when a time source holds the wall clock (STA_UNSYNC cleared, adjtimex(2)), 0 when none does.
static inline int linux_clock_disciplined(void) {
    struct timex t = {.modes = 0};
    return adjtimex(&t) < 0 ? -1 : (t.status & STA_UNSYNC) == 0;
}

/// Blocks the signals in this thread (and those it starts) and returns a descriptor that reads them.
static inline int linux_signalfd(const int *signals, int count) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
    if (pthread_sigmask(SIG_BLOCK, &set, NULL) != 0) return -1;
    return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

/// The next signal of a signalfd; −1 when there is none.
static inline int linux_signal_read(int fd) {
    struct signalfd_siginfo info;
    ssize_t n = read(fd, &info, sizeof info);
    if (n == (ssize_t)sizeof info) return (int)info.ssi_signo;
    if (n >= 0) errno = EIO;
    return -1;
}

/// The user at the other end of a Unix socket; −1 when unknown.
static inline int64_t linux_peer_uid(int fd) {
    struct { int32_t pid; uint32_t uid; uint32_t gid; } cred;
    socklen_t n = sizeof cred;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &n) < 0 ? -1 : (int64_t)cred.uid;
}

/// Fills a Unix address; −1 when the path does not fit (107 bytes). A leading '@' means the abstract namespace.
static inline int linux_unix_address(struct sockaddr_un *out, const char *path, socklen_t *length) {
    size_t n = strlen(path);
    if (n == 0 || n >= sizeof out->sun_path) { errno = ENAMETOOLONG; return -1; }
    memset(out, 0, sizeof *out);
    out->sun_family = AF_UNIX;
    memcpy(out->sun_path, path, n);
    *length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n + 1);
    if (path[0] == '@') { out->sun_path[0] = 0; *length -= 1; }
    return 0;
}

/// A Unix socket of type SOCK_STREAM or SOCK_DGRAM, closed on exec; `flags` may hold SOCK_NONBLOCK.
static inline int linux_unix_socket(int type, int flags) { return socket(AF_UNIX, type | flags | SOCK_CLOEXEC, 0); }

static inline int linux_unix_bind(int fd, const char *path) {
    struct sockaddr_un address;
    socklen_t length;
    if (linux_unix_address(&address, path, &length) < 0) return -1;
    return bind(fd, (const struct sockaddr *)&address, length);
}

static inline int linux_unix_connect(int fd, const char *path) {
    struct sockaddr_un address;
    socklen_t length;
    if (linux_unix_address(&address, path, &length) < 0) return -1;
    return connect(fd, (const struct sockaddr *)&address, length);
}

/// A blocking connect or send on the socket gives up after this long with EAGAIN.
static inline int linux_send_timeout(int fd, int millis) {
    struct timeval t = {.tv_sec = millis / 1000, .tv_usec = (millis % 1000) * 1000};
    return setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof t);
}

/// The next connection, non-blocking and closed on exec.
int linux_accept(int fd);

/// Sends what fits without waiting; a vanished peer is EPIPE, never a signal.
static inline ssize_t linux_send(int fd, const void *bytes, size_t count) {
    return send(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/// Waits until the descriptor can be read (or written): 1, or 0 after `millis`.
static inline int linux_wait_ready(int fd, int forWriting, int millis) {
    struct pollfd p = {.fd = fd, .events = forWriting ? POLLOUT : POLLIN};
    return poll(&p, 1, millis);
}

/// A new pseudo-terminal: the descriptor of its master, and the path of its slave (≤ 63 bytes) in `slave`.
int linux_pty_open(char slave[64]);

/// Raw 8N1 at the given rate, reads never wait; −1 with EINVAL when the rate is not a termios rate.
int linux_serial_raw(int fd, int baud);
/// The rate the terminal is set to, bits per second; −1 when it is not a plain rate.
int linux_serial_baud(int fd);

/// Names the chip that the following transfers of this descriptor address, and bounds a transfer of the adapter.
/// −1 with EBUSY when a kernel driver has the address.
int linux_i2c_select(int fd, int address, int timeoutMillis);
/// Reads 1…255 registers from `reg` on: in one transfer where the adapter can, else by SMBus blocks. A block holds 32
/// bytes; longer reads then start every block at `reg` again with 30 bytes, which is right for what needs them, a FIFO
/// of 6-byte samples behind one register.
int linux_i2c_read(int fd, int address, uint8_t reg, uint8_t *out, int count);
/// Writes 1…32 bytes from `reg` on in one transfer.
int linux_i2c_write(int fd, uint8_t reg, const uint8_t *bytes, int count);

/// yyyy-MM-dd of a UTC second in the zone of the environment's TZ; 0, or −1 when out of range.
int linux_local_date(int64_t seconds, char out[11]);
/// Sets TZ for linux_local_date; nothing happens when it is set so already.
void linux_set_zone(const char *id);

/// The addresses of a host in the order to try them, as text, one a line (at most 8) in `out`; their number, or −1 with
/// errno set. A literal needs no name service; with `numericOnly` nothing else is looked up (−1, ENOENT). Otherwise
/// waits for the name service, as long as resolv.conf(5) lets it.
int linux_addresses(const char *host, int numericOnly, char *out, size_t size);
/// Starts a TCP connection to a literal address and does not wait for it: the descriptor becomes writable when it is made
/// or has failed, which linux_socket_error tells.
int linux_tcp_start(const char *address, int port);
/// Takes the pending error of a socket; 0 when there is none.
int linux_socket_error(int fd);

/// A netlink socket that hears of routes and links of both families (rtnetlink(7)); non-blocking, closed on exec.
int linux_route_socket(void);

/// 1 when an interface is up and operational (IFF_RUNNING, netdevice(7)), 0 when it is not.
int linux_interface_runs(const char *name);

/// What chronyd reads from the socket of a SOCK reference clock: `struct sock_sample` of chrony's refclock_sock.c where
/// time_t has 64 bits (every 64-bit system, and 32-bit ones since Debian 13).
struct linux_chrony_sample {
    int64_t seconds;      // of the system clock when the sample was taken
    int64_t microseconds;
    double offset;        // true time − system time, seconds
    int32_t pulse;        // 0: a whole time, not only the start of a second
    int32_t leap;         // 0: nothing announced
    int32_t pad;
    int32_t magic;        // 0x534f434b
};
_Static_assert(sizeof(struct linux_chrony_sample) == 40, "chronyd takes 40 bytes");

/// What this process has used since its start (getrusage(2)).
struct linux_usage {
    int64_t switches;   // times that a thread went to sleep
    int64_t cpu_millis; // of all threads, user and system
};
static inline struct linux_usage linux_process_usage(void) {
    struct rusage u = {0};
    getrusage(RUSAGE_SELF, &u);
    int64_t micros = (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000LL + u.ru_utime.tv_usec + u.ru_stime.tv_usec;
    return (struct linux_usage){.switches = u.ru_nvcsw, .cpu_millis = micros / 1000};
}
