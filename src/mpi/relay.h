/* Between the processes of a search on several machines and MPI. The relay is the process that mpirun has
 * started, and does nothing but carry bytes: what searches is its child, and knows nothing of MPI. It is a
 * library of its own, loaded where mpirun has started us, so that the checker needs no MPI to run. */
#ifndef MZ_MPI_RELAY_H
#define MZ_MPI_RELAY_H

#include <sys/types.h>

/* On rank 0: a socket for each of the others, in their order. On another rank: one, to rank 0. What comes out
 * of a socket goes into the one at the other side. Returns when the child has ended on rank 0: its status as
 * of waitpid(), on other ranks 0. */
typedef int mz_mpi_relay(const int *sockets, int count, pid_t child);

#define MZ_MPI_LIBRARY "libmazurka-mpi.so"
#define MZ_MPI_RELAY   "mz_mpi_relay_run"

#endif
