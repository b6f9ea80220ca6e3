#pragma once
#include <libserialport.h>
