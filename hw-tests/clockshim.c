/* Sets the wall clock of one process wrong. Preloaded into the daemon by hw-tests/cases_tls.py; not part of the product.
   CLOCK_OFFSET=FILE: seconds, as text, that the clock is behind; while they are above 0, nothing holds it either. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>

static long behind(void) {
    const char *path = getenv("CLOCK_OFFSET");
    FILE *file = path ? fopen(path, "re") : NULL;
    long seconds = 0;
    if (!file) return 0;
    if (fscanf(file, "%ld", &seconds) != 1) seconds = 0;
    fclose(file);
    return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, now);
    if (result == 0 && clock == CLOCK_REALTIME) now->tv_sec -= behind();
    return result;
}

time_t time(time_t *out) {
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    struct timespec now = {0};
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    out->tv_sec = now.tv_sec;
    out->tv_usec = now.tv_nsec / 1000;
    return 0;
}

int adjtimex(struct timex *t) {
    static int (*real)(struct timex *);
    if (!real) real = (int (*)(struct timex *))dlsym(RTLD_NEXT, "adjtimex");
    int result = real(t);
    if (result < 0 || behind() <= 0) return result;
    t->status |= STA_UNSYNC;
    return TIME_ERROR;
}
