/* --entry: which functions of the program are meant by the names that were given. In C a name is the symbol;
 * in C++ it is looked for among the readable ones, without their parameters. */
#include <string.h>

#include "base/memory.h"
#include "program/build/compile_internal.h"
#include "program/symbols/symbols.h"

typedef struct functions {
    mz_words symbols, names; /* as they are linked, and as they are written, without parameters */
} functions;

/* "queue::push(int)" and "queue::push[abi:v2](int)" are called queue::push. */
static void add_function(functions *f, const char *symbol)
{
    mz_text name = {0};
    mz__add_readable_name(symbol, &name);
    char *text = mz_copy_bytes(mz_text_string(&name), strcspn(mz_text_string(&name), "(["));
    mz_words_add(&f->symbols, symbol);
    mz_words_add(&f->names, text);
    mz_release(text);
    mz_text_release(&name);
}

static void refuse_unknown(const char *entry, const functions *f, mz_error *error)
{
    mz_error_set(error, (mz_position){0},
                 "option --entry: the program has no function '%s' that others could call", entry);
    const char *closest = mz_closest_name(entry, (const char *const *)f->names.items, f->names.count);
    if (closest)
        mz_error_set_hint(error, "did you mean '%s'?", closest);
    else
        mz_error_set_hint(error, "a static function cannot be called from outside");
}

static void refuse_ambiguous(const char *entry, const char *one, const char *other, mz_error *error)
{
    mz_text first = {0}, second = {0};
    mz__add_readable_name(one, &first);
    mz__add_readable_name(other, &second);
    mz_error_set(error, (mz_position){0}, "option --entry: '%s' may be %s or %s", entry,
                 mz_text_string(&first), mz_text_string(&second));
    mz_error_set_hint(error, "give its symbol instead: %s or %s", one, other);
    mz_text_release(&first);
    mz_text_release(&second);
}

static bool is_symbol(const functions *f, size_t i, const char *entry)
{
    return strcmp(f->symbols.items[i], entry) == 0;
}

static bool is_name(const functions *f, size_t i, const char *entry)
{
    return strcmp(f->names.items[i], entry) == 0;
}

/* queue::push may be called push, too. */
static bool is_end_of_name(const functions *f, size_t i, const char *entry)
{
    const char *name = f->names.items[i];
    size_t length = strlen(name), end = strlen(entry);
    return length > end + 2 && strcmp(name + length - end, entry) == 0 &&
           strncmp(name + length - end - 2, "::", 2) == 0;
}

/* The symbol of the function; NULL and *error set if there is none, or more than one. */
static const char *find(const functions *f, const char *entry, mz_error *error)
{
    bool (*const ways[])(const functions *, size_t, const char *) = {is_symbol, is_name, is_end_of_name};
    const char *found = NULL;
    for (size_t way = 0; way < sizeof ways / sizeof *ways && !found; way++)
        for (size_t i = 0; i < f->names.count && !error->set; i++) {
            if (!ways[way](f, i, entry))
                continue;
            if (found)
                refuse_ambiguous(entry, found, f->symbols.items[i], error);
            found = f->symbols.items[i];
        }
    if (!found)
        refuse_unknown(entry, f, error);
    return error->set ? NULL : found;
}

/* Nobody has said what its arguments are. A thread function, as pthread_create takes it, gets NULL, and the
 * verdict says so. */
static void check_parameters(mz_symbols *symbols, const char *entry, const char *symbol, mz_text *with_null,
                             mz_error *error)
{
    mz_parameters parameters = {0};
    mz_symbols_parameters(symbols, symbol, &parameters);
    if (parameters.count == 1 && parameters.is_void_pointer) {
        mz_text_add(with_null, "%s%s(NULL)", with_null->length ? ", " : "", entry);
    } else if (parameters.count > 0) {
        mz_error_set(error, (mz_position){0}, "option --entry: '%s' has parameters (%s), but no arguments",
                     entry, mz_text_string(&parameters.names));
        mz_error_set_hint(error,
                          "write the call: --entry='%s(%s)', over what --entry-setup='NAME = …' returns",
                          entry, mz_text_string(&parameters.names));
    }
    mz_text_release(&parameters.names);
}

static char *call_symbol(size_t entry)
{
    mz_text name = {0};
    mz_text_add(&name, "mz_entry_%zu", entry);
    return name.bytes;
}

bool mz__find_entries(const mz_text *library, const mz_compile_options *options, mz_compiled *out,
                      mz_error *error)
{
    functions f = {0};
    size_t cursor = 0;
    for (const char *symbol; (symbol = mz__object_function(library, &cursor)) != NULL;)
        add_function(&f, symbol);
    out->entries = mz_allocate_zeroed(options->entry_count, sizeof *out->entries);
    mz_symbols *symbols = mz_symbols_open(out->library, 0);
    mz_text with_null = {0};
    for (size_t i = 0; i < options->entry_count && !error->set; i++) {
        const char *entry = options->entries[i];
        char *generated = call_symbol(i);
        bool call = *entry && mz__object_has(library, "", generated, true);
        const char *symbol = *entry && !call ? find(&f, entry, error) : "";
        if (symbol)
            out->entries[out->entry_count++] = mz_copy_string(call ? generated : symbol);
        mz_release(generated);
        if (symbol && *symbol)
            check_parameters(symbols, entry, symbol, &with_null, error);
    }
    out->entries_with_null = mz_copy_string(mz_text_string(&with_null));
    mz_text_release(&with_null);
    mz_symbols_close(symbols);
    mz_words_release(&f.symbols);
    mz_words_release(&f.names);
    return !error->set;
}
