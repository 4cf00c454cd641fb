/* From mazurka.toml to command lines. An option there is the row that it is on the command line. */
#include "cmd/project/project.h"

#include <string.h>

#include "base/memory.h"

static const char defaults[] = "defaults", prefix[] = "target.", sources[] = "sources",
                  arguments[] = "arguments", suppressions[] = "suppressions";

/* ---- words ----------------------------------------------------------------------------------------------
 */

static void add_word(mz_project_target *t, const char *word, mz_position position)
{
    mz_words_add(&t->words, word);
    t->places = mz_grow(t->places, &t->place_capacity, t->words.count, sizeof *t->places);
    t->places[t->words.count - 1] = position;
}

/* --NAME, or --NAME=VALUE. */
static void add_option(mz_project_target *t, const char *name, const mz_toml_value *value)
{
    mz_text word = {0};
    mz_text_add(&word, "--%s", name);
    if (value->type != MZ_TOML_BOOLEAN)
        mz_text_add(&word, "=%s", value->text);
    add_word(t, mz_text_string(&word), value->position);
    mz_text_release(&word);
}

/* What belongs to a command line and not to a project. */
static bool is_for_command_lines(const char *key)
{
    static const char *const names[] = {"help", "quiet"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(key, names[i]) == 0)
            return true;
    for (int f = 0; f < MZ_FORMAT_COUNT; f++)
        if (strcmp(key, mz_format_name((mz_format_number)f)) == 0)
            return true;
    return false;
}

static void unknown_key(const mz_project *p, const mz_toml_entry *entry, const char *closest, mz_error *error)
{
    static const char *const own[] = {"sources", "arguments"};
    const char *nearer = mz_closest_name(entry->key, own, sizeof own / sizeof *own);
    mz_toml_wrong(&p->toml, entry->position, error, "there is no option '%s'", entry->key);
    if (nearer || closest)
        mz_error_set_hint(error, "did you mean %s?", nearer ? nearer : closest);
    else
        mz_error_set_hint(error, "keys are sources, arguments, and the options of 'mazurka check' (--help)");
}

/* One value of an option; `item` is the value, or one of an array. */
static void take_item(const mz_project *p, mz_project_target *t, const mz_toml_entry *entry,
                      const mz_option *option, const mz_toml_value *item, mz_error *error)
{
    bool is_optional =
        option->argument && option->argument[0] == '[' && strchr(option->argument, ']')[1] == '\0';
    if (item->type == MZ_TOML_ARRAY)
        mz_toml_wrong(&p->toml, item->position, error, "%s has no array within its array", entry->key);
    else if (item->type == MZ_TOML_BOOLEAN && option->argument && !is_optional)
        mz_toml_wrong(&p->toml, item->position, error, "%s has a value: %s", entry->key, option->argument);
    else if (item->type != MZ_TOML_BOOLEAN && !option->argument)
        mz_toml_wrong(&p->toml, item->position, error, "%s is true or false", entry->key);
    else if (item->type != MZ_TOML_BOOLEAN || item->text[0] == 't')
        add_option(t, entry->key, item);
}

static void take_option(const mz_project *p, mz_project_target *t, const mz_toml_entry *entry,
                        mz_error *error)
{
    const mz_toml_value *value = &entry->value;
    const char *closest = NULL;
    bool are_suppressions = strcmp(entry->key, suppressions) == 0 && value->type == MZ_TOML_ARRAY;
    mz_toml_entry taken = *entry;
    taken.key = are_suppressions ? "suppress" : entry->key;
    const mz_option *option = mz_request_find_option(taken.key, &closest);
    if (!option) {
        unknown_key(p, entry, closest, error);
    } else if (is_for_command_lines(entry->key)) {
        mz_toml_wrong(&p->toml, entry->position, error, "'%s' belongs to a command line", entry->key);
        mz_error_set_hint(error, "mazurka check --%s", entry->key);
    } else if (value->type != MZ_TOML_ARRAY) {
        take_item(p, t, &taken, option, value, error);
    } else {
        for (size_t i = 0; i < value->count; i++)
            take_item(p, t, &taken, option, &value->items[i], error);
    }
}

/* sources, arguments */
static void take_words(const mz_project *p, mz_project_target *t, const mz_toml_entry *entry, mz_error *error)
{
    const mz_toml_value *value = &entry->value;
    size_t count = value->type == MZ_TOML_ARRAY ? value->count : 1;
    const mz_toml_value *items = value->type == MZ_TOML_ARRAY ? value->items : value;
    for (size_t i = 0; i < count; i++)
        if (items[i].type != MZ_TOML_STRING)
            mz_toml_wrong(&p->toml, items[i].position, error, "%s are texts: %s = [\"…\", \"…\"]", entry->key,
                          entry->key);
        else if (items[i].text[0] == '-' && strcmp(entry->key, sources) == 0)
            mz_toml_wrong(&p->toml, items[i].position, error,
                          "a source does not begin with -; options have keys");
        else
            add_word(t, items[i].text, items[i].position);
}

/* ---- targets --------------------------------------------------------------------------------------------
 */

static const mz_toml_entry *find(const mz_project *p, const char *table, const char *key)
{
    for (size_t i = 0; i < p->toml.count; i++)
        if (strcmp(p->toml.entries[i].table, table) == 0 && strcmp(p->toml.entries[i].key, key) == 0)
            return &p->toml.entries[i];
    return NULL;
}

/* A value of the target replaces that of the defaults; arrays are joined. */
static void take_options(const mz_project *p, mz_project_target *t, const char *table, const char *over,
                         mz_error *error)
{
    for (size_t i = 0; i < p->toml.count && !error->set; i++) {
        const mz_toml_entry *entry = &p->toml.entries[i];
        if (strcmp(entry->table, table) != 0 || !entry->key[0] || strcmp(entry->key, sources) == 0 ||
            strcmp(entry->key, arguments) == 0)
            continue;
        if (over && entry->value.type != MZ_TOML_ARRAY && find(p, over, entry->key))
            continue;
        take_option(p, t, entry, error);
    }
}

static void add_target(mz_project *p, const mz_toml_entry *header, mz_error *error)
{
    mz_project_target t = {.name = header->table + strlen(prefix), .position = header->position};
    const mz_toml_entry *files = find(p, header->table, sources), *words = find(p, header->table, arguments);
    add_word(&t, "check", header->position);
    if (strchr(t.name, '.'))
        mz_toml_wrong(&p->toml, header->position, error, "a target has no tables of its own");
    if (!files || (files->value.type == MZ_TOML_ARRAY && files->value.count == 0)) {
        mz_toml_wrong(&p->toml, header->position, error, "the target '%s' has no sources", t.name);
        mz_error_set_hint(error, "sources = [\"%s.c\"]", t.name);
    } else {
        take_words(p, &t, files, error);
    }
    take_options(p, &t, defaults, header->table, error);
    take_options(p, &t, header->table, NULL, error);
    if (words && !error->set) {
        add_word(&t, "--", words->position);
        take_words(p, &t, words, error);
    }
    p->targets = mz_grow(p->targets, &p->capacity, p->count + 1, sizeof *p->targets);
    p->targets[p->count++] = t;
}

static void check_table(const mz_project *p, const mz_toml_entry *entry, mz_error *error)
{
    bool is_target = strncmp(entry->table, prefix, strlen(prefix)) == 0;
    if (strcmp(entry->table, defaults) != 0 && !is_target) {
        static const char hint[] = "there are [defaults] and [target.NAME]";
        if (entry->key[0])
            mz_toml_wrong(&p->toml, entry->position, error, "'%s' stands in no table of a project",
                          entry->key);
        else
            mz_toml_wrong(&p->toml, entry->position, error, "there is no table [%s]", entry->table);
        mz_error_set_hint(error, "%s", hint);
    }
    if (strcmp(entry->table, defaults) == 0 &&
        (strcmp(entry->key, sources) == 0 || strcmp(entry->key, arguments) == 0))
        mz_toml_wrong(&p->toml, entry->position, error, "every target has %s of its own", entry->key);
}

/* Also where there is no target that they would be for. */
static void check_defaults(const mz_project *p, mz_error *error)
{
    mz_project_target nobody = {0};
    take_options(p, &nobody, defaults, NULL, error);
    mz_words_release(&nobody.words);
    mz_release(nobody.places);
}

void mz_project_read(mz_project *p, const char *file, mz_error *error)
{
    *p = (mz_project){0};
    if (!mz_toml_read(&p->toml, file, error))
        return;
    for (size_t i = 0; i < p->toml.count && !error->set; i++)
        check_table(p, &p->toml.entries[i], error);
    if (!error->set)
        check_defaults(p, error);
    for (size_t i = 0; i < p->toml.count && !error->set; i++)
        if (!p->toml.entries[i].key[0] && strcmp(p->toml.entries[i].table, defaults) != 0)
            add_target(p, &p->toml.entries[i], error);
    if (p->count == 0 && !error->set) {
        mz_error_set(error, (mz_position){.file = file}, "it has no target");
        mz_error_set_hint(error, "[target.queue], and below it sources = [\"queue.c\"]");
    }
}

void mz_project_release(mz_project *p)
{
    for (size_t i = 0; i < p->count; i++) {
        mz_words_release(&p->targets[i].words);
        mz_release(p->targets[i].places);
    }
    mz_release(p->targets);
    mz_toml_release(&p->toml);
}

const mz_project_target *mz_project_find(const mz_project *p, const char *name)
{
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->targets[i].name, name) == 0)
            return &p->targets[i];
    return NULL;
}

/* ---- requests -------------------------------------------------------------------------------------------
 */

static void try_words(const mz_words *words, size_t count, mz_error *error)
{
    mz_request request;
    mz_request_parse(&request, MZ_FOR_CHECK, (int)count, words->items, error);
    mz_request_release(&request);
}

/* The word with which the mistake comes: the words before it alone are not wrong in that way. The place of
 * the target if it is none of its own words. */
static mz_position place_of(const mz_project_target *t, const mz_error *error)
{
    for (size_t count = 2; count <= t->words.count; count++) {
        mz_error found = {0};
        try_words(&t->words, count, &found);
        bool same = found.set && strcmp(mz_text_string(&found.message), mz_text_string(&error->message)) == 0;
        mz_error_release(&found);
        if (same)
            return t->places[count - 1];
    }
    return t->position;
}

static void point_to(const mz_project *p, const mz_project_target *t, mz_error *error)
{
    mz_error placed = {0};
    if (error->position.file && error->position.file[0] != '-')
        return; /* it has a place: in a file of suppressions, not in an option */
    mz_toml_wrong(&p->toml, place_of(t, error), &placed, "%s", mz_text_string(&error->message));
    if (error->hint.length > 0)
        mz_error_set_hint(&placed, "%s", mz_text_string(&error->hint));
    mz_error_release(error);
    *error = placed;
}

/* Those that were words stand in the file. */
static void place_suppressions(const mz_project_target *t, mz_suppressions *s)
{
    size_t entry = 0;
    for (size_t w = 0; w < t->words.count; w++)
        if (strncmp(t->words.items[w], "--suppress=", strlen("--suppress=")) == 0 && entry < s->count) {
            s->entries[entry].file = t->places[w].file;
            s->entries[entry++].line = t->places[w].line;
        }
}

static bool is_output(const char *word)
{
    for (int f = 0; f < MZ_FORMAT_COUNT; f++) {
        const char *name = mz_format_name((mz_format_number)f);
        size_t length = strlen(name);
        if (strncmp(word, "--", 2) == 0 && strncmp(word + 2, name, length) == 0 &&
            (word[2 + length] == '\0' || word[2 + length] == '='))
            return true;
    }
    return false;
}

void mz_project_request(const mz_project *p, const mz_project_target *t, const mz_request_words *given,
                        mz_words *words, mz_request *request, mz_error *error)
{
    mz_text trace = {0};
    size_t dashes = 0;
    while (dashes < t->words.count && strcmp(t->words.items[dashes], "--") != 0)
        dashes++;
    size_t behind = t->words.count - dashes;
    mz_text_add(&trace, "--trace=%s.mzt",
                t->name); /* after the target: several may have a source in common */
    mz_words_add(words, "check");
    mz_words_add(words, mz_text_string(&trace));
    mz_words_add_list(words, mz_words_list(&t->words) + 1, dashes - 1);
    for (size_t i = 0; i < given->options.count; i++)
        if (!is_output(given->options.items[i]))
            mz_words_add(words, given->options.items[i]);
    if (behind > 0 || given->arguments.count > 0)
        mz_words_add(words, "--");
    if (behind > 0)
        mz_words_add_list(words, mz_words_list(&t->words) + dashes + 1, behind - 1);
    mz_words_add_list(words, mz_words_list(&given->arguments), given->arguments.count);
    mz_request_parse(request, MZ_FOR_CHECK, (int)words->count, words->items, error);
    if (error->set)
        point_to(p, t, error);
    else
        place_suppressions(t, &request->plan.check.suppressions);
    for (size_t i = 1; i < words->count; i++)
        mz_words_add(&request->plan.check.command, words->items[i]);
    mz_text_release(&trace);
}
