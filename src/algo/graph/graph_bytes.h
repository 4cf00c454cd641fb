/* Graphs as bytes, with the causes of their events, and without what the steps choose. */
#ifndef MZ_ALGO_GRAPH_GRAPH_BYTES_H
#define MZ_ALGO_GRAPH_GRAPH_BYTES_H

#include "algo/graph/graph.h"
#include "base/bytes.h"

void mz__graph_write(const mz__graph *graph, const mz_cause *causes, mz_bytes *out);
/* Into a graph that is not yet anything; causes are added to those that there are. False if it is none. */
bool mz__graph_read(mz_byte_reader *reader, mz__graph *graph, mz_cause **causes, size_t *count,
                    size_t *capacity);

#endif
