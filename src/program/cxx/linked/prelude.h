// Included before every C++ source. Members of std::string and the like are instantiated in the program,
// where their accesses are seen, and are not those of the installed library.
#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#endif
