// The board behind the stand-in for libgpiod: two chips of eight lines. The names of the first are GPIO0 to GPIO6, its last
// line has none; GPIO3 is in use by "spi0 CS0"; GPIO5 reports no edges. The second has one name, RELAY, on line 2.
#pragma once
#include <stdbool.h>

void board_reset(void);
/// The chip may not be opened any more (EACCES).
void board_forbid(int chip);
/// Puts a physical level on a line that is listened to.
void board_drive(int chip, unsigned int offset, bool is_high);
/// The chip is unplugged: whoever listens to its lines hears no more.
void board_unplug(int chip);
bool board_is_high(int chip, unsigned int offset);
/// Lines requested and not released, chips opened and not closed.
int board_lines_held(void);
int board_chips_open(void);
