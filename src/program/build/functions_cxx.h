/* Names of C++ programs, beside those of functions.h. Whatever else of the C++ library a program leaves
 * undefined after cxx/ was compiled into it is refused.
 *
 * MZ_CXX_MODELLED: new and delete, by their mangled names; linked with --wrap.
 *
 * MZ_CXX_HARMLESS: the installed library's own: constants (types, virtual tables), and functions that keep no
 * state and write no memory of the program. (The personality routine and the unwinder write into the header
 * of the exception; cxx/runtime.cpp sees to that.) */
#ifndef MZ_PROGRAM_BUILD_FUNCTIONS_CXX_H
#define MZ_PROGRAM_BUILD_FUNCTIONS_CXX_H

#include "wire/enforced.h"

#define MZ_CXX_MODELLED(X) MZ_CXX_NEW(X) MZ_CXX_DELETE(X)

#define MZ_CXX_NEW(X)                                                                                        \
    X(_Znwm)                                                                                                 \
    X(_Znam)                                                                                                 \
    X(_ZnwmRKSt9nothrow_t)                                                                                   \
    X(_ZnamRKSt9nothrow_t)                                                                                   \
    X(_ZnwmSt11align_val_t)                                                                                  \
    X(_ZnamSt11align_val_t)

#define MZ_CXX_HARMLESS(X)                                                                                   \
    X(__mazurka_at_end)                                                                                      \
    X(__popcountdi2)                                                                                         \
    X(__clzdi2)                                                                                              \
    X(__ctzdi2)                                                                                              \
    X(__paritydi2)                                                                                           \
    X(__udivti3)                                                                                             \
    X(__umodti3)                                                                                             \
    X(__divti3)                                                                                              \
    X(__modti3)                                                                                              \
    X(__multi3)                                                                                              \
    X(_ZNSt12placeholders2_1E)                                                                               \
    X(_ZNSt12placeholders2_2E)                                                                               \
    X(_ZNSt12placeholders2_3E)                                                                               \
    X(_ZNSt12placeholders2_4E)                                                                               \
    X(_ZNSt12placeholders2_5E)                                                                               \
    X(_ZNSt12placeholders2_6E)                                                                               \
    X(_ZNSt12placeholders2_7E)                                                                               \
    X(_ZNSt12placeholders2_8E)                                                                               \
    X(_ZNSt12placeholders2_9E)                                                                               \
    X(__mazurka_store)                                                                                       \
    X(__mazurka_uncaught)                                                                                    \
    X(__gxx_personality_v0)                                                                                  \
    X(__dynamic_cast)                                                                                        \
    X(__cxa_demangle)                                                                                        \
    X(_Unwind_RaiseException)                                                                                \
    X(_Unwind_Resume_or_Rethrow)                                                                             \
    X(_Unwind_Resume)                                                                                        \
    X(_Unwind_DeleteException)                                                                               \
    X(_ZSt7nothrow)                                                                                          \
    /* std::exception and those derived from it that consist of nothing but their type */                    \
    X(_ZNSt9exceptionD1Ev)                                                                                   \
    X(_ZNSt9exceptionD2Ev)                                                                                   \
    X(_ZNKSt9exception4whatEv)                                                                               \
    X(_ZNSt9bad_allocD1Ev)                                                                                   \
    X(_ZNSt9bad_allocD2Ev)                                                                                   \
    X(_ZNKSt9bad_alloc4whatEv)                                                                               \
    X(_ZNSt20bad_array_new_lengthD1Ev)                                                                       \
    X(_ZNSt8bad_castD1Ev)                                                                                    \
    X(_ZNSt8bad_castD2Ev)                                                                                    \
    X(_ZNSt10bad_typeidD1Ev)                                                                                 \
    X(_ZNSt10bad_typeidD2Ev)                                                                                 \
    X(_ZNSt13bad_exceptionD1Ev)                                                                              \
    X(_ZNSt12bad_weak_ptrD1Ev)                                                                               \
    X(_ZNSt17bad_function_callD1Ev)                                                                          \
    X(_ZTVSt9exception)                                                                                      \
    X(_ZTVSt9bad_alloc)                                                                                      \
    X(_ZTVSt20bad_array_new_length)                                                                          \
    X(_ZTVSt8bad_cast)                                                                                       \
    X(_ZTVSt10bad_typeid)                                                                                    \
    X(_ZTVSt13bad_exception)                                                                                 \
    X(_ZTVSt12bad_weak_ptr)                                                                                  \
    X(_ZTVSt17bad_function_call)                                                                             \
    X(_ZNKSt8bad_cast4whatEv)                                                                                \
    X(_ZNKSt10bad_typeid4whatEv)                                                                             \
    X(_ZNKSt9type_infoeqERKS_)                                                                               \
    X(_ZNKSt9type_info14__is_pointer_pEv)                                                                    \
    X(_ZNSt9type_infoD2Ev)

#endif
