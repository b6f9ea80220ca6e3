// What the shim uses of libgpiod 1.x, as its documentation names it.
#pragma once
#include <stdbool.h>
#include <time.h>

#define GPIOD_LINE_BULK_MAX_LINES 64

struct gpiod_chip;
struct gpiod_line;
struct gpiod_line_request_config {
    const char *consumer;
    int request_type;
    int flags;
};
struct gpiod_line_event {
    struct timespec ts;
    int event_type;
};
enum { GPIOD_LINE_REQUEST_DIRECTION_OUTPUT = 2, GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES = 5 };
enum { GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW = 1 << 2 };
enum { GPIOD_LINE_EVENT_RISING_EDGE = 1, GPIOD_LINE_EVENT_FALLING_EDGE };

struct gpiod_chip *gpiod_chip_open(const char *path);
void gpiod_chip_close(struct gpiod_chip *chip);
unsigned int gpiod_chip_num_lines(struct gpiod_chip *chip);
struct gpiod_line *gpiod_chip_get_line(struct gpiod_chip *chip, unsigned int offset);
const char *gpiod_line_name(struct gpiod_line *line);
const char *gpiod_line_consumer(struct gpiod_line *line);
bool gpiod_line_is_used(struct gpiod_line *line);
bool gpiod_line_is_requested(struct gpiod_line *line);
int gpiod_line_request(struct gpiod_line *line, const struct gpiod_line_request_config *config, int value);
void gpiod_line_release(struct gpiod_line *line);
int gpiod_line_get_value(struct gpiod_line *line);
int gpiod_line_set_value(struct gpiod_line *line, int value);
int gpiod_line_event_get_fd(struct gpiod_line *line);
int gpiod_line_event_read_multiple(struct gpiod_line *line, struct gpiod_line_event *events, unsigned int most);
