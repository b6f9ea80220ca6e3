// The entry of libFuzzer, as its FuzzerInterface.h declares it; only there when the program is built with it.
#pragma once
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*input)(const uint8_t *bytes, size_t count));
