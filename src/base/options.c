#include "base/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void unknown_option(const mz_option_parser *p, const char *name, size_t length, mz_error *error)
{
    char *word = mz_copy_bytes(name, length);
    const char **names = mz_allocate(p->count * sizeof *names);
    for (size_t i = 0; i < p->count; i++)
        names[i] = p->options[i].name;
    const char *closest = mz_closest_name(word, names, p->count);
    mz_error_set(error, (mz_position){0}, "unknown option --%s", word);
    if (closest)
        mz_error_set_hint(error, "did you mean --%s?", closest);
    else
        mz_error_set_hint(error, "--help lists the options");
    mz_release(names);
    mz_release(word);
}

/* "[K]": the option can be given without a value, too. */
static bool is_optional(const char *argument)
{
    return argument && argument[0] == '[' && argument[strlen(argument) - 1] == ']';
}

static int take_value(mz_option_parser *p, const mz_option *option, const char *attached, mz_error *error)
{
    p->value = attached;
    if (!option->argument && attached) {
        mz_error_set(error, (mz_position){0}, "option --%s takes no value", option->name);
        return MZ_OPTION_ERROR;
    }
    if (option->argument && !attached && !is_optional(option->argument)) {
        if (p->next >= p->argc) {
            mz_error_set(error, (mz_position){0}, "option --%s needs a value: --%s=%s", option->name,
                         option->name, option->argument);
            return MZ_OPTION_ERROR;
        }
        p->value = p->argv[p->next++];
    }
    return option->id;
}

int mz_options_next(mz_option_parser *p, mz_error *error)
{
    if (p->next >= p->argc)
        return MZ_OPTION_END;
    const char *argument = p->argv[p->next++];
    if (p->only_words || argument[0] != '-' || argument[1] == '\0') {
        p->word = argument;
        return MZ_OPTION_WORD;
    }
    if (strcmp(argument, "--") == 0) {
        p->only_words = true;
        return mz_options_next(p, error);
    }
    if (argument[1] == '-') {
        const char *name = argument + 2, *equals = strchr(name, '=');
        size_t length = equals ? (size_t)(equals - name) : strlen(name);
        for (size_t i = 0; i < p->count; i++)
            if (strncmp(p->options[i].name, name, length) == 0 && p->options[i].name[length] == '\0')
                return take_value(p, &p->options[i], equals ? equals + 1 : NULL, error);
        unknown_option(p, name, length, error);
        return MZ_OPTION_ERROR;
    }
    if (p->is_other && p->is_other(argument)) {
        p->word = argument;
        return MZ_OPTION_OTHER;
    }
    for (size_t i = 0; i < p->count; i++)
        if (p->options[i].letter == argument[1])
            return take_value(p, &p->options[i], argument[2] ? argument + 2 : NULL, error);
    mz_error_set(error, (mz_position){0}, "unknown option %s", argument);
    mz_error_set_hint(error, "--help lists the options");
    return MZ_OPTION_ERROR;
}

void mz_options_help(const mz_option *options, size_t count, mz_text *out)
{
    for (size_t i = 0; i < count; i++) {
        mz_text line = {0};
        if (options[i].letter)
            mz_text_add(&line, "  -%c, --%s", options[i].letter, options[i].name);
        else
            mz_text_add(&line, "      --%s", options[i].name);
        if (is_optional(options[i].argument))
            mz_text_add(&line, "[=%s", options[i].argument + 1);
        else if (options[i].argument)
            mz_text_add(&line, "=%s", options[i].argument);
        mz_text_add(out, "%-32s %s\n", mz_text_string(&line), options[i].help);
        mz_text_release(&line);
    }
}

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
