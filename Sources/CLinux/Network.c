#define _GNU_SOURCE
#include "CLinux.h"
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>

enum { mostAddresses = 8 };

static int lookUp(const char *host, const char *port, int flags, struct addrinfo **found) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = flags};
    int code = getaddrinfo(host, port, &hints, found);
    if (code == 0) return 0;
    // A name service that does not answer is worth another try; a name that does not exist is not there.
    errno = code == EAI_AGAIN ? EAGAIN : code == EAI_MEMORY ? ENOMEM : code == EAI_SYSTEM && errno ? errno : ENOENT;
    return -1;
}

int linux_addresses(const char *host, int numericOnly, char *out, size_t size) {
    struct addrinfo *found;
    if (lookUp(host, NULL, numericOnly ? AI_NUMERICHOST : AI_ADDRCONFIG, &found) < 0) return -1;
    int count = 0;
    size_t used = 0;
    for (struct addrinfo *a = found; a && count < mostAddresses; a = a->ai_next) {
        char text[64];
        if (getnameinfo(a->ai_addr, a->ai_addrlen, text, sizeof text, NULL, 0, NI_NUMERICHOST) != 0) continue;
        size_t length = strlen(text) + 1;
        if (used + length >= size) break;
        snprintf(out + used, size - used, "%s\n", text);
        used += length;
        count++;
    }
    freeaddrinfo(found);
    if (count == 0) { errno = ENOENT; return -1; }
    return count;
}

int linux_tcp_start(const char *address, int port) {
    char service[8];
    snprintf(service, sizeof service, "%d", port);
    struct addrinfo *found;
    if (lookUp(address, service, AI_NUMERICHOST | AI_NUMERICSERV, &found) < 0) return -1;
    int fd = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, found->ai_addr, found->ai_addrlen) < 0 && errno != EINPROGRESS) {
        int number = errno;
        close(fd);
        errno = number;
        fd = -1;
    }
    freeaddrinfo(found);
    return fd;
}

int linux_socket_error(int fd) {
    int number = 0;
    socklen_t size = sizeof number;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &size) < 0 ? errno : number;
}

int linux_route_socket(void) {
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE);
    struct sockaddr_nl address = {
        .nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE};
    if (fd >= 0 && bind(fd, (const struct sockaddr *)&address, sizeof address) < 0) {
        int number = errno;
        close(fd);
        errno = number;
        return -1;
    }
    return fd;
}

int linux_interface_runs(const char *name) {
    struct ifreq request = {0};
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    int result = ioctl(fd, SIOCGIFFLAGS, &request);
    int number = errno;
    close(fd);
    errno = number;
    return result < 0 ? -1 : (request.ifr_flags & IFF_RUNNING) != 0;
}
