// The shim over the stand-in of one generation; ends with the line of the first expectation that does not hold.
#include "board.h"
#include "shim.h"

#include <poll.h>
#include <stdio.h>

#define EXPECT(claim)                                              \
    do {                                                           \
        if (!(claim)) {                                            \
            printf("line %d does not hold: %s\n", __LINE__, #claim); \
            return 1;                                              \
        }                                                          \
    } while (0)

static bool is_readable(int fd) {
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    return poll(&wanted, 1, 0) == 1;
}

static int tells_names_and_users(void) {
    struct gpio_facts facts;
    struct gpiod_chip *chip = gpio_chip_open("/dev/gpiochip0");
    EXPECT(chip && gpio_chip_lines(chip) == 8);
    EXPECT(gpio_chip_facts(chip, 3, &facts) == 0 && facts.is_used);
    EXPECT(!strcmp(facts.name, "GPIO3") && !strcmp(facts.consumer, "spi0 CS0"));
    EXPECT(gpio_chip_facts(chip, 7, &facts) == 0 && !facts.is_used && !facts.name[0] && !facts.consumer[0]);
    gpio_chip_close(chip);
    EXPECT(!gpio_chip_open("/dev/gpiochip7") && errno == ENOENT);
    EXPECT(board_chips_open() == 0);
    return 0;
}

static int reports_both_edges(bool is_active_low) {
    struct gpio_line line = {0};
    struct gpio_edge edges[GPIO_MOST_EDGES];
    struct gpio_facts facts;
    struct gpiod_chip *chip = gpio_chip_open("/dev/gpiochip0");
    EXPECT(gpio_request_input(chip, 1, "tracker", is_active_low, &line) == 0);
    EXPECT(gpio_chip_facts(chip, 1, &facts) == 0 && facts.is_used && !strcmp(facts.consumer, "tracker"));
    EXPECT(gpio_line_value(&line) == is_active_low && !is_readable(gpio_line_fd(&line)));
    board_drive(0, 1, true);
    board_drive(0, 1, false);
    EXPECT(is_readable(gpio_line_fd(&line)));
    EXPECT(gpio_line_read(&line, edges) == 2);
    EXPECT(edges[0].is_active == !is_active_low && edges[1].is_active == is_active_low);
    EXPECT(edges[0].monotonic_nanos > 0 && edges[1].monotonic_nanos >= edges[0].monotonic_nanos);
    EXPECT(!is_readable(gpio_line_fd(&line)));
    for (int i = 0; i < 20; i++) board_drive(0, 1, i % 2 == 0);
    EXPECT(gpio_line_read(&line, edges) == GPIO_MOST_EDGES && gpio_line_read(&line, edges) == 4);
    board_unplug(0);
    EXPECT(gpio_line_read(&line, edges) == -1 && errno == ENODEV);
    gpio_line_close(&line);
    gpio_line_close(&line);
    EXPECT(board_lines_held() == 0 && board_chips_open() == 0);
    return 0;
}

static int drives(bool is_active_low) {
    struct gpio_line line = {0};
    EXPECT(gpio_request_output(gpio_chip_open("/dev/gpiochip1"), 2, "tracker", is_active_low, true, &line) == 0);
    EXPECT(board_is_high(1, 2) == !is_active_low && gpio_line_value(&line) == 1);
    EXPECT(gpio_line_set(&line, false) == 0 && board_is_high(1, 2) == is_active_low);
    EXPECT(gpio_line_set(&line, true) == 0 && board_is_high(1, 2) == !is_active_low);
    gpio_line_close(&line);
    EXPECT(board_lines_held() == 0 && board_chips_open() == 0);
    return 0;
}

static int tells_why_not(void) {
    struct gpio_line line = {0};
    EXPECT(gpio_request_input(gpio_chip_open("/dev/gpiochip0"), 3, "tracker", false, &line) == -1 && errno == EBUSY);
    gpio_line_close(&line);
    EXPECT(gpio_request_output(gpio_chip_open("/dev/gpiochip0"), 3, "tracker", false, true, &line) == -1 && errno == EBUSY);
    gpio_line_close(&line);
    EXPECT(gpio_request_input(gpio_chip_open("/dev/gpiochip0"), 5, "tracker", false, &line) == -1 && errno == ENXIO);
    gpio_line_close(&line);
    EXPECT(board_lines_held() == 0 && board_chips_open() == 0);
    return 0;
}

int main(void) {
    for (int step = 0; step < 6; step++) {
        board_reset();
        int failed = step == 0 ? tells_names_and_users()
            : step == 1   ? reports_both_edges(false)
            : step == 2   ? reports_both_edges(true)
            : step == 3   ? drives(false)
            : step == 4   ? drives(true)
                          : tells_why_not();
        if (failed) return 1;
    }
    return 0;
}
