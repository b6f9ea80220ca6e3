// eventfd is for the thread that waits for the library's socket; Swift's own view of the C library leaves it out.
#pragma once
#include <mosquitto.h>
#include <sys/eventfd.h>
