#include "cmd/command.h"

const mz_command mz_commands[MZ_COMMAND_COUNT] = {
#define MZ_X(name, description, files) {#name, description, files, mz_command_##name, mz_offer_##name},
    MZ_COMMANDS(MZ_X)
#undef MZ_X
};
