// libgpiod 1.x (Debian 12) and 2.x (Debian 13) behind one small interface. GPIOD_LINE_BULK_MAX_LINES is in the header of
// 1.x only. Every function that returns int returns a negative number with errno set when it fails.
#pragma once
#include <errno.h>
#include <gpiod.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Names of the kernel have at most 31 characters (GPIO_MAX_NAME_SIZE, linux/gpio.h).
struct gpio_facts {
    char name[64];
    /// Who has the line; empty when nobody says.
    char consumer[64];
    bool is_used;
};

struct gpio_edge {
    bool is_active;
    /// CLOCK_MONOTONIC (from Linux 5.7 on).
    int64_t monotonic_nanos;
};

/// A line in use. The chip stays open with it, as lines of 1.x belong to their chip.
struct gpio_line {
    struct gpiod_chip *chip;
    unsigned int offset;
#ifdef GPIOD_LINE_BULK_MAX_LINES
    struct gpiod_line *line;
#else
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *edges;
#endif
};

/// At most this many edges come of one read; 1.x reads no more at once (libgpiod, lib/core.c).
enum { GPIO_MOST_EDGES = 16 };

static inline void gpio_copy(char *to, const char *from) {
    to[0] = 0;
    if (from) strncat(to, from, 63);
}

/// NULL with errno when it cannot be opened.
static inline struct gpiod_chip *gpio_chip_open(const char *path) { return gpiod_chip_open(path); }
static inline void gpio_chip_close(struct gpiod_chip *chip) { gpiod_chip_close(chip); }

#ifdef GPIOD_LINE_BULK_MAX_LINES

static inline int gpio_chip_lines(struct gpiod_chip *chip) { return (int)gpiod_chip_num_lines(chip); }

static inline int gpio_chip_facts(struct gpiod_chip *chip, unsigned int offset, struct gpio_facts *facts) {
    struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
    if (!line) return -1;
    gpio_copy(facts->name, gpiod_line_name(line));
    gpio_copy(facts->consumer, gpiod_line_consumer(line));
    facts->is_used = gpiod_line_is_used(line);
    return 0;
}

static inline int gpio_request(
    struct gpiod_chip *chip, unsigned int offset, const char *consumer, int type, bool is_active_low, bool is_active,
    struct gpio_line *line) {
    struct gpiod_line_request_config config = {
        .consumer = consumer, .request_type = type, .flags = is_active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0};
    line->chip = chip;
    line->offset = offset;
    line->line = gpiod_chip_get_line(chip, offset);
    return line->line ? gpiod_line_request(line->line, &config, is_active) : -1;
}

/// Listens to both edges. The line owns the chip from here on: close the line also when this fails.
static inline int gpio_request_input(
    struct gpiod_chip *chip, unsigned int offset, const char *consumer, bool is_active_low, struct gpio_line *line) {
    return gpio_request(chip, offset, consumer, GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES, is_active_low, false, line);
}

static inline int gpio_request_output(
    struct gpiod_chip *chip, unsigned int offset, const char *consumer, bool is_active_low, bool is_active,
    struct gpio_line *line) {
    return gpio_request(chip, offset, consumer, GPIOD_LINE_REQUEST_DIRECTION_OUTPUT, is_active_low, is_active, line);
}

/// Becomes readable with an edge.
static inline int gpio_line_fd(struct gpio_line *line) { return gpiod_line_event_get_fd(line->line); }
static inline int gpio_line_value(struct gpio_line *line) { return gpiod_line_get_value(line->line); }
static inline int gpio_line_set(struct gpio_line *line, bool is_active) {
    return gpiod_line_set_value(line->line, is_active);
}

/// Up to GPIO_MOST_EDGES; waits when there is none.
static inline int gpio_line_read(struct gpio_line *line, struct gpio_edge *edges) {
    struct gpiod_line_event events[GPIO_MOST_EDGES];
    int count = gpiod_line_event_read_multiple(line->line, events, GPIO_MOST_EDGES);
    for (int i = 0; i < count; i++) {
        edges[i].is_active = events[i].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
        edges[i].monotonic_nanos = (int64_t)events[i].ts.tv_sec * 1000000000 + events[i].ts.tv_nsec;
    }
    return count;
}

static inline void gpio_line_close(struct gpio_line *line) {
    if (line->line && gpiod_line_is_requested(line->line)) gpiod_line_release(line->line);
    if (line->chip) gpiod_chip_close(line->chip);
    memset(line, 0, sizeof *line);
}

#else

static inline int gpio_chip_lines(struct gpiod_chip *chip) {
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
    if (!info) return -1;
    int count = (int)gpiod_chip_info_get_num_lines(info);
    gpiod_chip_info_free(info);
    return count;
}

static inline int gpio_chip_facts(struct gpiod_chip *chip, unsigned int offset, struct gpio_facts *facts) {
    struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
    if (!info) return -1;
    gpio_copy(facts->name, gpiod_line_info_get_name(info));
    gpio_copy(facts->consumer, gpiod_line_info_get_consumer(info));
    facts->is_used = gpiod_line_info_is_used(info);
    gpiod_line_info_free(info);
    return 0;
}

static inline struct gpiod_line_request *gpio_request(
    struct gpiod_chip *chip, unsigned int offset, const char *consumer, struct gpiod_line_settings *settings) {
    struct gpiod_line_request *request = NULL;
    struct gpiod_line_config *lines = gpiod_line_config_new();
    struct gpiod_request_config *config = gpiod_request_config_new();
    if (lines && config) {
        gpiod_request_config_set_consumer(config, consumer);
        if (gpiod_line_config_add_line_settings(lines, &offset, 1, settings) == 0)
            request = gpiod_chip_request_lines(chip, config, lines);
    }
    int number = errno;
    if (config) gpiod_request_config_free(config);
    if (lines) gpiod_line_config_free(lines);
    errno = number;
    return request;
}

/// Listens to both edges. The line owns the chip from here on: close the line also when this fails.
static inline int gpio_request_input(
    struct gpiod_chip *chip, unsigned int offset, const char *consumer, bool is_active_low, struct gpio_line *line) {
    line->chip = chip;
    line->offset = offset;
    line->edges = gpiod_edge_event_buffer_new(GPIO_MOST_EDGES);
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (settings && line->edges) {
        gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
        gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
        gpiod_line_settings_set_active_low(settings, is_active_low);
        line->request = gpio_request(chip, offset, consumer, settings);
    }
    int number = errno;
    if (settings) gpiod_line_settings_free(settings);
    errno = number;
    return line->request ? 0 : -1;
}

static inline int gpio_request_output(
    struct gpiod_chip *chip, unsigned int offset, const char *consumer, bool is_active_low, bool is_active,
    struct gpio_line *line) {
    line->chip = chip;
    line->offset = offset;
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (settings) {
        gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
        gpiod_line_settings_set_output_value(
            settings, is_active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
        gpiod_line_settings_set_active_low(settings, is_active_low);
        line->request = gpio_request(chip, offset, consumer, settings);
    }
    int number = errno;
    if (settings) gpiod_line_settings_free(settings);
    errno = number;
    return line->request ? 0 : -1;
}

/// Becomes readable with an edge.
static inline int gpio_line_fd(struct gpio_line *line) { return gpiod_line_request_get_fd(line->request); }
static inline int gpio_line_value(struct gpio_line *line) {
    return (int)gpiod_line_request_get_value(line->request, line->offset);
}
static inline int gpio_line_set(struct gpio_line *line, bool is_active) {
    return gpiod_line_request_set_value(
        line->request, line->offset, is_active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
}

/// Up to GPIO_MOST_EDGES; waits when there is none.
static inline int gpio_line_read(struct gpio_line *line, struct gpio_edge *edges) {
    int count = gpiod_line_request_read_edge_events(line->request, line->edges, GPIO_MOST_EDGES);
    for (int i = 0; i < count; i++) {
        struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(line->edges, (unsigned long)i);
        edges[i].is_active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
        edges[i].monotonic_nanos = (int64_t)gpiod_edge_event_get_timestamp_ns(event);
    }
    return count;
}

static inline void gpio_line_close(struct gpio_line *line) {
    if (line->request) gpiod_line_request_release(line->request);
    if (line->edges) gpiod_edge_event_buffer_free(line->edges);
    if (line->chip) gpiod_chip_close(line->chip);
    memset(line, 0, sizeof *line);
}

#endif
