/* The variables that the C library keeps for a program. */
#include "program/libc/libc.h"

mz__libc_variables *mz__libc;
