/* The virtual machine for compiled dlang, behind machine/machine.h. */
#ifndef MZ_MODEL_VM_H
#define MZ_MODEL_VM_H

#include "machine/machine.h"
#include "model/bytecode.h"

mz_machine *mz_vm_create(const mz_program *program, const mz_code *code);

#endif
