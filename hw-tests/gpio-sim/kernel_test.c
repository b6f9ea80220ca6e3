// The shim and the installed libgpiod over the lines that gpio-sim of a real kernel has: line 1 BUTTON, line 2 LIGHT, line 4
// in use by "spi0 CS0". The argument is the chip's folder in /sys/devices/platform. Prints `ok` or what does not hold.
#include "shim.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define EXPECT(claim)                                                                  \
    do {                                                                               \
        if (!(claim)) {                                                                \
            printf("line %d does not hold: %s (%s)\n", __LINE__, #claim, strerror(errno)); \
            return 1;                                                                  \
        }                                                                              \
    } while (0)

static const char *folder;

static void pull(int offset, const char *way) {
    char path[256];
    snprintf(path, sizeof path, "%s/sim_gpio%d/pull", folder, offset);
    int fd = open(path, O_WRONLY);
    if (fd < 0 || write(fd, way, strlen(way)) < 0) perror(path);
    close(fd);
}

static int value(int offset) {
    char path[256], text[8] = {0};
    snprintf(path, sizeof path, "%s/sim_gpio%d/value", folder, offset);
    int fd = open(path, O_RDONLY);
    if (fd < 0 || read(fd, text, sizeof text - 1) < 0) perror(path);
    close(fd);
    return text[0] - '0';
}

static bool is_readable(int fd, int millis) {
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    return poll(&wanted, 1, millis) == 1;
}

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int names(const char *path) {
    struct gpio_facts facts;
    struct gpiod_chip *chip = gpio_chip_open(path);
    EXPECT(chip && gpio_chip_lines(chip) == 8);
    EXPECT(gpio_chip_facts(chip, 1, &facts) == 0 && !strcmp(facts.name, "BUTTON") && !facts.is_used);
    EXPECT(gpio_chip_facts(chip, 4, &facts) == 0 && !strcmp(facts.consumer, "spi0 CS0") && facts.is_used);
    EXPECT(gpio_chip_facts(chip, 5, &facts) == 0 && !facts.name[0]);
    gpio_chip_close(chip);
    struct gpio_line line = {0};
    EXPECT(gpio_request_input(gpio_chip_open(path), 4, "tracker", false, &line) == -1 && errno == EBUSY);
    gpio_line_close(&line);
    return 0;
}

static int edges(const char *path, bool is_active_low) {
    struct gpio_line line = {0};
    struct gpio_edge edges[GPIO_MOST_EDGES];
    pull(1, "pull-down");
    EXPECT(gpio_request_input(gpio_chip_open(path), 1, "tracker", is_active_low, &line) == 0);
    EXPECT(gpio_line_value(&line) == is_active_low && !is_readable(gpio_line_fd(&line), 0));
    int64_t before = now();
    pull(1, "pull-up");
    EXPECT(is_readable(gpio_line_fd(&line), 1000) && gpio_line_value(&line) == !is_active_low);
    pull(1, "pull-down");
    usleep(10000);
    int count = gpio_line_read(&line, edges);
    if (count == 1) count += gpio_line_read(&line, edges + 1);
    EXPECT(count == 2 && edges[0].is_active == !is_active_low && edges[1].is_active == is_active_low);
    EXPECT(edges[0].monotonic_nanos >= before && edges[1].monotonic_nanos <= now());
    EXPECT(edges[1].monotonic_nanos >= edges[0].monotonic_nanos && !is_readable(gpio_line_fd(&line), 0));
    gpio_line_close(&line);
    EXPECT(gpio_request_input(gpio_chip_open(path), 1, "tracker", false, &line) == 0);
    gpio_line_close(&line);
    return 0;
}

static int output(const char *path, bool is_active_low) {
    struct gpio_line line = {0};
    EXPECT(gpio_request_output(gpio_chip_open(path), 2, "tracker", is_active_low, true, &line) == 0);
    EXPECT(value(2) == !is_active_low && gpio_line_value(&line) == 1);
    EXPECT(gpio_line_set(&line, false) == 0 && value(2) == is_active_low);
    EXPECT(gpio_line_set(&line, true) == 0 && value(2) == !is_active_low);
    gpio_line_close(&line);
    return 0;
}

int main(int count, char **arguments) {
    char path[64];
    if (count != 2) return 2;
    folder = arguments[1];
    snprintf(path, sizeof path, "/dev%s", strrchr(folder, '/'));
    if (names(path) || edges(path, false) || edges(path, true) || output(path, false) || output(path, true)) return 1;
    puts("ok");
    return 0;
}
