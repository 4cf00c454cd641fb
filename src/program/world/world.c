/* The one program under test of this process. */
#include "program/world/world.h"

mz__world mz__w;
