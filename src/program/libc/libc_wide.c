/* Wide characters: the string functions of wchar_t, in terms of the memory that they read and write. */
#include <wchar.h>

#include "program/libc/libc_format.h"

/* See libc_strings.c. */
size_t mz__wide_length(const wchar_t *text, size_t most)
{
    size_t length = 0;
    for (; length < most; length++) {
        mz__made_progress();
        mz__plain_access((uintptr_t)(text + length), sizeof *text, false);
        if (!text[length])
            break;
    }
    return length;
}

MZ__HOOK(size_t, __wrap_wcslen, const wchar_t *text)
{
    return mz__wide_length(text, PTRDIFF_MAX);
}

MZ__HOOK(size_t, __wrap_wcsnlen, const wchar_t *text, size_t most)
{
    return mz__wide_length(text, most);
}

MZ__HOOK(wchar_t *, __wrap_wmemcpy, wchar_t *to, const wchar_t *from, size_t count)
{
    mz__copy_memory(to, from, count * sizeof *to);
    return to;
}

MZ__HOOK(wchar_t *, __wrap_wmemmove, wchar_t *to, const wchar_t *from, size_t count)
{
    mz__copy_memory(to, from, count * sizeof *to);
    return to;
}

MZ__HOOK(wchar_t *, __wrap_wmemset, wchar_t *to, wchar_t value, size_t count)
{
    mz__plain_access((uintptr_t)to, count * sizeof *to, true);
    return wmemset(to, value, count);
}

MZ__HOOK(wchar_t *, __wrap_wcscpy, wchar_t *to, const wchar_t *from)
{
    mz__copy_memory(to, from, (mz__wide_length(from, PTRDIFF_MAX) + 1) * sizeof *to);
    return to;
}

MZ__HOOK(wchar_t *, __wrap_wcscat, wchar_t *to, const wchar_t *from)
{
    size_t before = mz__wide_length(to, PTRDIFF_MAX);
    mz__copy_memory(to + before, from, (mz__wide_length(from, PTRDIFF_MAX) + 1) * sizeof *to);
    return to;
}

/* Both up to where they differ or end. */
static int compare(const wchar_t *a, const wchar_t *b, size_t most)
{
    for (size_t i = 0; i < most; i++) {
        mz__made_progress();
        mz__plain_access((uintptr_t)(a + i), sizeof *a, false);
        mz__plain_access((uintptr_t)(b + i), sizeof *b, false);
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
        if (!a[i])
            break;
    }
    return 0;
}

MZ__HOOK(int, __wrap_wcscmp, const wchar_t *a, const wchar_t *b)
{
    return compare(a, b, PTRDIFF_MAX);
}

MZ__HOOK(int, __wrap_wcsncmp, const wchar_t *a, const wchar_t *b, size_t most)
{
    return compare(a, b, most);
}

MZ__HOOK(wchar_t *, __wrap_wcschr, const wchar_t *text, wchar_t c)
{
    for (;; text++) {
        mz__made_progress();
        mz__plain_access((uintptr_t)text, sizeof *text, false);
        if (*text == c)
            return (wchar_t *)text;
        if (!*text)
            return NULL;
    }
}

MZ__HOOK(wchar_t *, __wrap_wcsdup, const wchar_t *text)
{
    size_t bytes = (mz__wide_length(text, PTRDIFF_MAX) + 1) * sizeof *text;
    wchar_t *copied = mz__allocate(bytes, 16);
    if (copied)
        mz__copy_memory(copied, text, bytes);
    return copied;
}
