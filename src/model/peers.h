/* Peers among processes (machine/symmetry.h): copies of one process, made by a repetition block, that do not
 * differ in anything and are in the same local state when they begin. `pid` is a number in the text.
 *
 * A lock holds the number of its holder: where a program also reads one as a variable, who is who can be
 * seen, and nobody is a peer of anybody. With store buffers, which are threads of their own, there are none
 * either. */
#ifndef MZ_MODEL_PEERS_H
#define MZ_MODEL_PEERS_H

#include "machine/symmetry.h"
#include "model/vm_internal.h"

/* Finds processes with the same text; if there are any, places for their peers behind the first bytes of the
 * state. Returns the bytes of all. */
size_t mz__place_peers(mz__vm *m, size_t bytes);

/* Are they told apart? */
static inline bool mz__has_peers(const mz__vm *m)
{
    return __builtin_expect(m->peers_at != 0, 0) && (m->base.relation & MZ_REFINES_SYMMETRY);
}

/* All processes have been brought to their first operations. */
void mz__begin_peers(mz__vm *m);
void mz__note_peer(mz__vm *m, uint32_t thread, const mz_operation *executed, bool chose);
/* Adds the event of its peer that the next one of the thread comes after, if there is one. What the thread
 * reads then decides, some time later, whether there is another such event. */
void mz__tell_peer(const mz__vm *m, uint32_t thread, mz_cause *cause, mz_operation *out);
/* Those that wait for their peers are not ready. */
void mz__update_peers(mz__vm *m);

#endif
