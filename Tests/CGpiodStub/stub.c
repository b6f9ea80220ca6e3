// A stand-in for libgpiod of the generation whose gpiod.h is found first: what the tracker's shim uses of it.
#include "board.h"

#include <errno.h>
#include <gpiod.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CHIPS = 2, LINES = 8 };

struct record {
    int64_t nanos;
    bool is_rising;
};

struct gpiod_line {
    const char *name;
    char consumer[64];
    bool is_used, is_held, is_active_low, is_high, has_edges;
    int pipe[2];
};

struct gpiod_chip {
    struct gpiod_line lines[LINES];
    bool is_forbidden, is_unplugged;
};

static struct gpiod_chip chips[CHIPS];
static int open_chips;

void board_reset(void) {
    static const char *names[] = {"GPIO0", "GPIO1", "GPIO2", "GPIO3", "GPIO4", "GPIO5", "GPIO6", NULL};
    memset(chips, 0, sizeof chips);
    for (int i = 0; i < LINES; i++) {
        chips[0].lines[i].name = names[i];
        chips[0].lines[i].has_edges = i != 5;
        chips[1].lines[i].has_edges = true;
    }
    strcpy(chips[0].lines[3].consumer, "spi0 CS0");
    chips[0].lines[3].is_used = true;
    chips[1].lines[2].name = "RELAY";
    open_chips = 0;
}

void board_forbid(int chip) { chips[chip].is_forbidden = true; }
bool board_is_high(int chip, unsigned int offset) { return chips[chip].lines[offset].is_high; }
int board_chips_open(void) { return open_chips; }

int board_lines_held(void) {
    int count = 0;
    for (int c = 0; c < CHIPS; c++)
        for (int i = 0; i < LINES; i++) count += chips[c].lines[i].is_held;
    return count;
}

void board_drive(int chip, unsigned int offset, bool is_high) {
    struct gpiod_line *line = &chips[chip].lines[offset];
    if (line->is_high == is_high) return;
    line->is_high = is_high;
    if (!line->pipe[1]) return;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    struct record record = {(int64_t)t.tv_sec * 1000000000 + t.tv_nsec, is_high != line->is_active_low};
    if (write(line->pipe[1], &record, sizeof record) < 0) perror("board_drive");
}

void board_unplug(int chip) {
    chips[chip].is_unplugged = true;
    for (int i = 0; i < LINES; i++) {
        struct gpiod_line *line = &chips[chip].lines[i];
        if (line->pipe[1]) close(line->pipe[1]);
        line->pipe[1] = 0;
    }
}

static int refused(int number) {
    errno = number;
    return -1;
}

static int take(
    struct gpiod_line *line, const char *consumer, bool is_active_low, bool wants_edges, bool is_output,
    bool is_active) {
    if (line->is_used) return refused(EBUSY);
    if (wants_edges && !line->has_edges) return refused(ENXIO);
    if (wants_edges && pipe(line->pipe) < 0) return -1;
    if (is_output) line->is_high = is_active != is_active_low;
    line->is_used = line->is_held = true;
    line->is_active_low = is_active_low;
    snprintf(line->consumer, sizeof line->consumer, "%s", consumer);
    return 0;
}

static void release(struct gpiod_line *line) {
    for (int i = 0; i < 2; i++) {
        if (line->pipe[i]) close(line->pipe[i]);
        line->pipe[i] = 0;
    }
    line->is_used = line->is_held = false;
    line->consumer[0] = 0;
}

static int read_records(struct gpiod_line *line, struct record *records, int most) {
    ssize_t bytes = read(line->pipe[0], records, sizeof *records * (size_t)most);
    if (bytes == 0) return refused(ENODEV);
    return bytes < 0 ? -1 : (int)(bytes / (ssize_t)sizeof *records);
}

struct gpiod_chip *gpiod_chip_open(const char *path) {
    const char *name = strrchr(path, '/');
    int number;
    if (!name || sscanf(name, "/gpiochip%d", &number) != 1 || number < 0 || number >= CHIPS) {
        errno = ENOENT;
        return NULL;
    }
    if (chips[number].is_forbidden) {
        errno = EACCES;
        return NULL;
    }
    open_chips++;
    return &chips[number];
}

void gpiod_chip_close(struct gpiod_chip *chip) {
    (void)chip;
    open_chips--;
}

#ifdef GPIOD_LINE_BULK_MAX_LINES

unsigned int gpiod_chip_num_lines(struct gpiod_chip *chip) {
    (void)chip;
    return LINES;
}
struct gpiod_line *gpiod_chip_get_line(struct gpiod_chip *chip, unsigned int offset) { return &chip->lines[offset]; }
const char *gpiod_line_name(struct gpiod_line *line) { return line->name; }
const char *gpiod_line_consumer(struct gpiod_line *line) { return line->consumer[0] ? line->consumer : NULL; }
bool gpiod_line_is_used(struct gpiod_line *line) { return line->is_used; }
bool gpiod_line_is_requested(struct gpiod_line *line) { return line->is_held; }

int gpiod_line_request(struct gpiod_line *line, const struct gpiod_line_request_config *config, int value) {
    return take(
        line, config->consumer, config->flags & GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW,
        config->request_type == GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
        config->request_type == GPIOD_LINE_REQUEST_DIRECTION_OUTPUT, value);
}
void gpiod_line_release(struct gpiod_line *line) { release(line); }
int gpiod_line_event_get_fd(struct gpiod_line *line) { return line->pipe[0]; }
int gpiod_line_get_value(struct gpiod_line *line) { return line->is_high != line->is_active_low; }

int gpiod_line_set_value(struct gpiod_line *line, int value) {
    line->is_high = (value != 0) != line->is_active_low;
    return 0;
}

int gpiod_line_event_read_multiple(struct gpiod_line *line, struct gpiod_line_event *events, unsigned int most) {
    struct record records[16];
    int count = read_records(line, records, most > 16 ? 16 : (int)most);
    for (int i = 0; i < count; i++) {
        events[i].event_type = records[i].is_rising ? GPIOD_LINE_EVENT_RISING_EDGE : GPIOD_LINE_EVENT_FALLING_EDGE;
        events[i].ts.tv_sec = records[i].nanos / 1000000000;
        events[i].ts.tv_nsec = records[i].nanos % 1000000000;
    }
    return count;
}

#else

struct gpiod_chip_info {
    int unused;
};
struct gpiod_line_info {
    struct gpiod_line line;
};
struct gpiod_line_settings {
    bool is_output, wants_edges, is_active_low, is_active;
};
struct gpiod_line_config {
    unsigned int offset;
    struct gpiod_line_settings settings;
};
struct gpiod_request_config {
    char consumer[64];
};
struct gpiod_line_request {
    struct gpiod_line *line;
    unsigned int offset;
};
struct gpiod_edge_event {
    struct record record;
};
struct gpiod_edge_event_buffer {
    struct gpiod_edge_event events[64];
    size_t capacity;
};

struct gpiod_chip_info *gpiod_chip_get_info(struct gpiod_chip *chip) {
    (void)chip;
    return calloc(1, sizeof(struct gpiod_chip_info));
}
void gpiod_chip_info_free(struct gpiod_chip_info *info) { free(info); }
size_t gpiod_chip_info_get_num_lines(struct gpiod_chip_info *info) {
    (void)info;
    return LINES;
}

struct gpiod_line_info *gpiod_chip_get_line_info(struct gpiod_chip *chip, unsigned int offset) {
    struct gpiod_line_info *info = calloc(1, sizeof *info);
    if (info) info->line = chip->lines[offset];
    return info;
}
void gpiod_line_info_free(struct gpiod_line_info *info) { free(info); }
const char *gpiod_line_info_get_name(struct gpiod_line_info *info) { return info->line.name; }
const char *gpiod_line_info_get_consumer(struct gpiod_line_info *info) {
    return info->line.consumer[0] ? info->line.consumer : NULL;
}
bool gpiod_line_info_is_used(struct gpiod_line_info *info) { return info->line.is_used; }

struct gpiod_line_settings *gpiod_line_settings_new(void) { return calloc(1, sizeof(struct gpiod_line_settings)); }
void gpiod_line_settings_free(struct gpiod_line_settings *settings) { free(settings); }
int gpiod_line_settings_set_direction(struct gpiod_line_settings *settings, enum gpiod_line_direction direction) {
    settings->is_output = direction == GPIOD_LINE_DIRECTION_OUTPUT;
    return 0;
}
int gpiod_line_settings_set_edge_detection(struct gpiod_line_settings *settings, enum gpiod_line_edge edge) {
    settings->wants_edges = edge == GPIOD_LINE_EDGE_BOTH;
    return 0;
}
int gpiod_line_settings_set_output_value(struct gpiod_line_settings *settings, enum gpiod_line_value value) {
    settings->is_active = value == GPIOD_LINE_VALUE_ACTIVE;
    return 0;
}
void gpiod_line_settings_set_active_low(struct gpiod_line_settings *settings, bool is_active_low) {
    settings->is_active_low = is_active_low;
}

struct gpiod_line_config *gpiod_line_config_new(void) { return calloc(1, sizeof(struct gpiod_line_config)); }
void gpiod_line_config_free(struct gpiod_line_config *config) { free(config); }
int gpiod_line_config_add_line_settings(
    struct gpiod_line_config *config, const unsigned int *offsets, size_t count,
    struct gpiod_line_settings *settings) {
    if (count != 1) return refused(EINVAL);
    config->offset = offsets[0];
    config->settings = *settings;
    return 0;
}

struct gpiod_request_config *gpiod_request_config_new(void) { return calloc(1, sizeof(struct gpiod_request_config)); }
void gpiod_request_config_free(struct gpiod_request_config *config) { free(config); }
void gpiod_request_config_set_consumer(struct gpiod_request_config *config, const char *consumer) {
    snprintf(config->consumer, sizeof config->consumer, "%s", consumer);
}

struct gpiod_line_request *gpiod_chip_request_lines(
    struct gpiod_chip *chip, struct gpiod_request_config *request, struct gpiod_line_config *config) {
    struct gpiod_line_settings *settings = &config->settings;
    struct gpiod_line *line = &chip->lines[config->offset];
    if (take(
            line, request->consumer, settings->is_active_low, settings->wants_edges, settings->is_output,
            settings->is_active) < 0)
        return NULL;
    struct gpiod_line_request *made = calloc(1, sizeof *made);
    made->line = line;
    made->offset = config->offset;
    return made;
}
void gpiod_line_request_release(struct gpiod_line_request *request) {
    release(request->line);
    free(request);
}
int gpiod_line_request_get_fd(struct gpiod_line_request *request) { return request->line->pipe[0]; }

enum gpiod_line_value gpiod_line_request_get_value(struct gpiod_line_request *request, unsigned int offset) {
    if (offset != request->offset) return GPIOD_LINE_VALUE_ERROR;
    return request->line->is_high != request->line->is_active_low ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
}
int gpiod_line_request_set_value(
    struct gpiod_line_request *request, unsigned int offset, enum gpiod_line_value value) {
    if (offset != request->offset) return refused(EINVAL);
    request->line->is_high = (value == GPIOD_LINE_VALUE_ACTIVE) != request->line->is_active_low;
    return 0;
}

struct gpiod_edge_event_buffer *gpiod_edge_event_buffer_new(size_t capacity) {
    struct gpiod_edge_event_buffer *buffer = calloc(1, sizeof *buffer);
    if (buffer) buffer->capacity = capacity > 64 ? 64 : capacity;
    return buffer;
}
void gpiod_edge_event_buffer_free(struct gpiod_edge_event_buffer *buffer) { free(buffer); }
struct gpiod_edge_event *gpiod_edge_event_buffer_get_event(
    struct gpiod_edge_event_buffer *buffer, unsigned long index) {
    return &buffer->events[index];
}

int gpiod_line_request_read_edge_events(
    struct gpiod_line_request *request, struct gpiod_edge_event_buffer *buffer, size_t most) {
    struct record records[64];
    int count = read_records(request->line, records, (int)(most > buffer->capacity ? buffer->capacity : most));
    for (int i = 0; i < count; i++) buffer->events[i].record = records[i];
    return count;
}
enum gpiod_edge_event_type gpiod_edge_event_get_event_type(struct gpiod_edge_event *event) {
    return event->record.is_rising ? GPIOD_EDGE_EVENT_RISING_EDGE : GPIOD_EDGE_EVENT_FALLING_EDGE;
}
uint64_t gpiod_edge_event_get_timestamp_ns(struct gpiod_edge_event *event) { return (uint64_t)event->record.nanos; }

#endif
