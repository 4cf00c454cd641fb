// std::atomic<std::shared_ptr>, as it is installed. Some versions of it unlock with a relaxed operation after they have
// read the pointer, so that nothing orders that with the next one who writes it: a data race, but the library's, about
// which a program can do nothing. Here its orders are strong ones.
#pragma GCC system_header
#include <bits/atomic_base.h>
#include <bits/shared_ptr.h>
#define memory_order_relaxed memory_order_seq_cst
#include_next <bits/shared_ptr_atomic.h>
#undef memory_order_relaxed
