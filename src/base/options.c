#include "base/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- what is offered ------------------------------------------------------------------------------------
 */

void mz_options_offer(mz_command_line *line, const mz_option *options, size_t count, uint32_t audience,
                      void *target)
{
    for (size_t i = 0; i < count; i++) {
        if (options[i].audience != 0 && !(options[i].audience & audience))
            continue;
        line->offers = mz_grow(line->offers, &line->capacity, line->count + 1, sizeof *line->offers);
        line->offers[line->count++] = (mz_offer){.option = &options[i], .target = target};
    }
}

void mz_options_release(mz_command_line *line)
{
    mz_release(line->offers);
    *line = (mz_command_line){0};
}

static mz_offer *find(const mz_command_line *line, const char *name, size_t length)
{
    for (size_t i = 0; i < line->count; i++)
        if (strncmp(line->offers[i].option->name, name, length) == 0 &&
            line->offers[i].option->name[length] == '\0')
            return &line->offers[i];
    return NULL;
}

bool mz_options_given(const mz_command_line *line, const char *name)
{
    const mz_offer *offer = find(line, name, strlen(name));
    return offer && offer->given;
}

static void unknown_option(const mz_command_line *line, const char *name, size_t length, mz_error *error)
{
    char *word = mz_copy_bytes(name, length);
    const char **names = mz_allocate(line->count * sizeof *names);
    size_t count = 0;
    for (size_t i = 0; i < line->count; i++)
        if (line->offers[i].option->type != MZ_OPTION_GONE)
            names[count++] = line->offers[i].option->name;
    const char *closest = mz_closest_name(word, names, count);
    mz_error_set(error, (mz_position){0}, "unknown option --%s", word);
    if (closest)
        mz_error_set_hint(error, "did you mean --%s?", closest);
    else
        mz_error_set_hint(error, "--help lists the options");
    mz_release(names);
    mz_release(word);
}

/* ---- what is given --------------------------------------------------------------------------------------
 */

/* "[K]": the option can be given without a value, too. */
static bool is_optional(const char *argument)
{
    return argument && argument[0] == '[' && argument[strlen(argument) - 1] == ']';
}

static void set(const mz_option *option, void *target, const char *value, mz_error *error)
{
    void *place = (char *)target + option->at;
    switch (option->type) {
    case MZ_OPTION_SETS:
        option->set(target, value, error);
        break;
    case MZ_OPTION_SWITCH:
        *(bool *)place = true;
        break;
    case MZ_OPTION_EITHER:
        *(bool *)place = mz_parse_word(option->name, value, option->argument, error) == 1;
        break;
    case MZ_OPTION_TEXT:
        *(const char **)place = value;
        break;
    case MZ_OPTION_COUNT:
        mz_parse_count(option->name, value, place, error);
        break;
    case MZ_OPTION_SMALL:
        mz_parse_small(option->name, value, place, error);
        break;
    case MZ_OPTION_DURATION:
        mz_parse_duration(option->name, value, place, error);
        break;
    case MZ_OPTION_SIZE:
        mz_parse_size(option->name, value, place, error);
        break;
    case MZ_OPTION_GONE:
        break;
    }
}

/* `attached`: what stands behind it in the same argument, or NULL; `next`: the argument that follows, or
 * NULL. How many arguments were taken. */
static int take(mz_command_line *line, mz_offer *offer, const char *attached, const char *next,
                mz_error *error)
{
    const mz_option *option = line->last = offer->option;
    bool takes_next = option->argument && !attached && !is_optional(option->argument);
    offer->given = true;
    if (option->type == MZ_OPTION_GONE)
        mz_error_set(error, (mz_position){0}, "option --%s is gone: use %s", option->name, option->instead);
    else if (!option->argument && attached)
        mz_error_set(error, (mz_position){0}, "option --%s takes no value", option->name);
    else if (takes_next && !next)
        mz_error_set(error, (mz_position){0}, "option --%s needs a value: --%s=%s", option->name,
                     option->name, option->argument);
    else
        set(option, offer->target, takes_next ? next : attached, error);
    return takes_next ? 2 : 1;
}

static int take_long(mz_command_line *line, const char *name, const char *next, mz_error *error)
{
    const char *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    mz_offer *offer = find(line, name, length);
    if (offer)
        return take(line, offer, equals ? equals + 1 : NULL, next, error);
    unknown_option(line, name, length, error);
    return 1;
}

static int take_short(mz_command_line *line, const char *argument, const char *next, mz_error *error)
{
    int taken = line->other ? line->other(line->context, argument, next, error) : 0;
    for (size_t i = 0; i < line->count && taken == 0; i++)
        if (line->offers[i].option->letter == argument[1])
            taken = take(line, &line->offers[i], argument[2] ? argument + 2 : NULL, next, error);
    if (taken == 0) {
        mz_error_set(error, (mz_position){0}, "unknown option %s", argument);
        mz_error_set_hint(error, "--help lists the options");
    }
    return taken;
}

static void check_together(const mz_command_line *line, mz_error *error)
{
    for (size_t i = 0; i < line->count; i++) {
        const mz_option *option = line->offers[i].option;
        if (!line->offers[i].given || error->set)
            continue;
        if (option->excludes && mz_options_given(line, option->excludes))
            mz_error_set(error, (mz_position){0}, "options --%s and --%s do not go together", option->name,
                         option->excludes);
        if (option->needs && !mz_options_given(line, option->needs))
            mz_error_set(error, (mz_position){0}, "option --%s goes with --%s only", option->name,
                         option->needs);
        if (error->set && option->hint)
            mz_error_set_hint(error, "%s", option->hint);
    }
}

static void keep(const mz_command_line *line, char **words, int count, bool is_word, const mz_error *error)
{
    if (is_word && line->kept_without_words)
        return;
    if (!line->kept || error->set || (line->last && !(line->last->audience & line->kept_for)))
        return;
    for (int i = 0; i < count; i++)
        mz_words_add(line->kept, words[i]);
}

void mz_options_parse(mz_command_line *line, int argc, char **argv, mz_error *error)
{
    bool after_dashes = false, is_word = false;
    for (int i = 1, first; i < argc && !error->set; keep(line, argv + first, i - first, is_word, error)) {
        const char *argument = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        first = i;
        line->last = NULL;
        is_word = after_dashes || argument[0] != '-' || argument[1] == '\0' || strcmp(argument, "--") == 0;
        if (after_dashes || argument[0] != '-' || argument[1] == '\0') {
            line->word(line->context, argument, after_dashes, error);
            i++;
        } else if (strcmp(argument, "--") == 0) {
            after_dashes = true;
            i++;
        } else if (argument[1] == '-') {
            i += take_long(line, argument + 2, next, error);
        } else {
            i += take_short(line, argument, next, error);
        }
    }
    check_together(line, error);
}

enum { HELP_COLUMN = 33 };

void mz_option_help(const mz_option *option, const char *help, mz_text *out)
{
    mz_text line = {0};
    if (option->type == MZ_OPTION_GONE)
        return;
    if (option->letter)
        mz_text_add(&line, "  -%c, --%s", option->letter, option->name);
    else
        mz_text_add(&line, "      --%s", option->name);
    if (is_optional(option->argument))
        mz_text_add(&line, "[=%s", option->argument + 1);
    else if (option->argument)
        mz_text_add(&line, "=%s", option->argument);
    size_t column = mz_text_width(mz_text_string(&line));
    mz_text_add(out, "%s%s", mz_text_string(&line), column < HELP_COLUMN ? "" : "\n");
    mz_text_add_repeated(out, " ", column < HELP_COLUMN ? HELP_COLUMN - column : HELP_COLUMN);
    mz_text_add_folded(out, help, HELP_COLUMN, HELP_COLUMN);
    mz_text_add(out, "\n");
    mz_text_release(&line);
}

void mz_options_help(const mz_command_line *line, mz_text *out)
{
    for (size_t i = 0; i < line->count; i++)
        mz_option_help(line->offers[i].option, line->offers[i].option->help, out);
}

/* ---- values ---------------------------------------------------------------------------------------------
 */

static bool not_a(const char *kind, const char *example, const char *option, const char *text,
                  mz_error *error)
{
    mz_error_set(error, (mz_position){0}, "option --%s: '%s' is not %s", option, text, kind);
    mz_error_set_hint(error, "for example --%s=%s", option, example);
    return false;
}

bool mz_parse_duration(const char *option, const char *text, double *seconds, mz_error *error)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    double unit = strcmp(end, "ms") == 0                  ? 0.001
                  : *end == '\0' || strcmp(end, "s") == 0 ? 1
                  : strcmp(end, "m") == 0                 ? 60
                  : strcmp(end, "h") == 0                 ? 3600
                                                          : 0;
    if (end == text || unit == 0 || errno || !(value > 0) || value > 1e9)
        return not_a("a duration", "10s", option, text, error);
    *seconds = value * unit;
    return true;
}

static bool parse_scaled(const char *kind, uint64_t scale, const char *option, const char *text,
                         uint64_t *out, mz_error *error)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    uint64_t unit = 1;
    if (*end && strchr("kKmMgG", *end)) {
        unit = strchr("kK", *end) ? scale : strchr("mM", *end) ? scale * scale : scale * scale * scale;
        end++;
    }
    if (text[0] < '0' || text[0] > '9' || *end || errno || value == 0 ||
        __builtin_mul_overflow(value, unit, out))
        return not_a(kind, scale == 1024 ? "512M" : "1000000", option, text, error);
    return true;
}

bool mz_parse_count(const char *option, const char *text, uint64_t *count, mz_error *error)
{
    return parse_scaled("a count of at least 1", 1000, option, text, count, error);
}

bool mz_parse_small(const char *option, const char *text, uint32_t *number, mz_error *error)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || value > UINT32_MAX)
        return not_a("a number from 0 on", "2", option, text, error);
    *number = (uint32_t)value;
    return true;
}

bool mz_parse_percent(const char *option, const char *text, double *share, mz_error *error)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    bool plain = (text[0] >= '0' && text[0] <= '9') || text[0] == '.'; /* no spaces, no "nan" */
    if (!plain || end == text || (*end && strcmp(end, "%") != 0) || errno || !(value <= 1e6))
        return not_a("a percentage", "10%", option, text, error);
    *share = value / 100;
    return true;
}

bool mz_parse_size(const char *option, const char *text, uint64_t *bytes, mz_error *error)
{
    return parse_scaled("a size", 1024, option, text, bytes, error);
}

int mz_parse_word(const char *option, const char *text, const char *words, mz_error *error)
{
    size_t length = strlen(text), word;
    int number = 0;
    mz_text known = {0};
    for (const char *rest = words; *rest; rest += word + (rest[word] == '|'), number++) {
        word = strcspn(rest, "|");
        if (word == length && memcmp(rest, text, word) == 0) {
            mz_text_release(&known);
            return number;
        }
        mz_text_add(&known, "%s%.*s", number ? ", " : "", (int)word, rest);
    }
    mz_error_set(error, (mz_position){0}, "option --%s: unknown '%s'", option, text);
    mz_error_set_hint(error, "there are: %s", mz_text_string(&known));
    mz_text_release(&known);
    return 0;
}
