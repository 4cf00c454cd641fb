/* Do the threads that share locations form trees? There dc visits each observation once. */
#include "oracle/reference.h"

bool reference_is_acyclic(const reference_result *result)
{
    mz_threads edges[64];
    size_t count = 0;
    for (int location = 0; location < 16; location++) {
        mz_threads users = result->users[location];
        bool known = mz_threads_count(users) < 2;
        if (mz_threads_count(users) > 2)
            return false;
        for (size_t i = 0; i < count; i++)
            known |= mz_threads_equal(edges[i], users);
        if (!known)
            edges[count++] = users;
    }
    /* Take away what hangs by one edge, until nothing does. */
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (size_t i = 0; i < count; i++) {
            mz_threads others = MZ_NO_THREADS;
            for (size_t j = 0; j < count; j++)
                others |= j == i ? MZ_NO_THREADS : edges[j];
            if (mz_threads_equal(edges[i] & others, edges[i]))
                continue;
            edges[i] = edges[--count];
            smaller = true;
        }
    }
    return count == 0;
}
