/* Fingerprints of states (fingerprint.c). */
#ifndef MZ_PROGRAM_MACHINE_FINGERPRINT_H
#define MZ_PROGRAM_MACHINE_FINGERPRINT_H

#include "machine/machine.h"

mz_hash mz__fingerprint(const mz_machine *machine);

#endif
