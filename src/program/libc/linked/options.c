/* Compiled into a program that takes its arguments apart with getopt(): the variables of that are then its
 * own, and begin anew in every execution. The order of the arguments changes step by step as in the C library
 * (an option found behind other arguments is moved before them when the next one is asked for), because a
 * program may look at argv[optind] on the way. All names are weak: the program's own win. */
#line 1 "<options>"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((weak))

struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};

WEAK char *optarg;
WEAK int optind = 1, opterr = 1, optopt = '?';

static char *rest;                 /* of a word of short options */
static int others_from, others_to; /* arguments that were passed over: [from, to) */
static enum { PERMUTE, STOP, RETURN } order;

static void reverse(char **from, char **to)
{
    while (from < --to) {
        char *kept = *from;
        *from++ = *to;
        *to = kept;
    }
}

/* What was passed over changes places with the options behind it. */
static void exchange(char **arguments)
{
    reverse(arguments + others_from, arguments + others_to);
    reverse(arguments + others_to, arguments + optind);
    reverse(arguments + others_from, arguments + optind);
    others_from += optind - others_to;
    others_to = optind;
}

static int is_option(const char *argument)
{
    return argument[0] == '-' && argument[1];
}

static const char *begin(const char *letters)
{
    if (optind == 0 || !others_to) {
        if (optind == 0)
            optind = 1;
        others_from = others_to = optind;
        rest = NULL;
        order = *letters == '-' ? RETURN : *letters == '+' || getenv("POSIXLY_CORRECT") ? STOP : PERMUTE;
    }
    return *letters == '-' || *letters == '+' ? letters + 1 : letters;
}

static void pass_over(int count, char **arguments)
{
    if (others_from != others_to && others_to != optind)
        exchange(arguments);
    else if (others_to != optind)
        others_from = optind;
    while (optind < count && !is_option(arguments[optind]))
        optind++;
    others_to = optind;
}

static void end_at_dashes(int count, char **arguments)
{
    optind++;
    if (others_from != others_to && others_to != optind)
        exchange(arguments);
    else if (others_from == others_to)
        others_from = optind;
    others_to = optind = count;
}

/* The next word of options. -1: there is none; 1: it is another argument; 0: it is at optind. */
static int next_word(int count, char **arguments)
{
    if (others_to > optind)
        others_to = optind;
    if (others_from > optind)
        others_from = optind;
    if (order == PERMUTE)
        pass_over(count, arguments);
    if (optind < count && strcmp(arguments[optind], "--") == 0)
        end_at_dashes(count, arguments);
    if (optind >= count) {
        if (others_from != others_to)
            optind = others_from;
        return -1;
    }
    if (is_option(arguments[optind]))
        return 0;
    if (order == STOP)
        return -1;
    optarg = arguments[optind++];
    return 1;
}

static int says(const char *letters)
{
    return opterr && *letters != ':';
}

static int short_option(int count, char **arguments, const char *letters)
{
    char letter = *rest++;
    const char *known = letter == ':' || letter == ';' ? NULL : strchr(letters, letter);
    if (!*rest) {
        rest = NULL;
        optind++;
    }
    if (!known) {
        if (says(letters))
            fprintf(stderr, "%s: invalid option -- '%c'\n", arguments[0], letter);
        optopt = letter;
        return '?';
    }
    if (known[1] != ':')
        return letter;
    optarg = rest;
    if (rest) {
        optind++;
    } else if (known[2] != ':') {
        if (optind < count) {
            optarg = arguments[optind++];
        } else {
            if (says(letters))
                fprintf(stderr, "%s: option requires an argument -- '%c'\n", arguments[0], letter);
            optopt = letter;
            letter = *letters == ':' ? ':' : '?';
        }
    }
    rest = NULL;
    return letter;
}

static int is_same(const struct option *a, const struct option *b)
{
    return a->has_arg == b->has_arg && a->flag == b->flag && a->val == b->val;
}

/* The option of this name, or the only one that begins so. */
static const struct option *find_long(const char *name, size_t length, const struct option *options,
                                      int exactly_named_only, int *ambiguous)
{
    const struct option *found = NULL;
    *ambiguous = 0;
    for (const struct option *o = options; o->name; o++)
        if (strncmp(o->name, name, length) == 0 && strlen(o->name) == length)
            return o;
    for (const struct option *o = options; o->name; o++) {
        if (strncmp(o->name, name, length) != 0)
            continue;
        if (!found)
            found = o;
        else if (exactly_named_only || !is_same(found, o))
            *ambiguous = 1;
    }
    return found;
}

static void say_ambiguous(char *program, const char *prefix, const char *word, size_t length,
                          const struct option *options)
{
    fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", program, prefix, word);
    for (const struct option *o = options; o->name; o++)
        if (strncmp(o->name, word, length) == 0)
            fprintf(stderr, " '%s%s'", prefix, o->name);
    fprintf(stderr, "\n");
}

static int long_argument(int count, char **arguments, const char *letters, const struct option *option,
                         char *value, const char *prefix)
{
    if (value && !option->has_arg) {
        if (says(letters))
            fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", arguments[0], prefix,
                    option->name);
        optopt = option->val;
        return '?';
    }
    optarg = value;
    if (!value && option->has_arg == 1) {
        if (optind >= count) {
            if (says(letters))
                fprintf(stderr, "%s: option '%s%s' requires an argument\n", arguments[0], prefix,
                        option->name);
            optopt = option->val;
            return *letters == ':' ? ':' : '?';
        }
        optarg = arguments[optind++];
    }
    if (!option->flag)
        return option->val;
    *option->flag = option->val;
    return 0;
}

/* -1: it is no long option, but may be a word of short ones. */
static int long_option(int count, char **arguments, const char *letters, const struct option *options,
                       int *index, int only, const char *prefix)
{
    char *word = arguments[optind] + strlen(prefix), *value = strchr(word, '=');
    size_t length = value ? (size_t)(value - word) : strlen(word);
    int ambiguous;
    const struct option *found = find_long(word, length, options, only, &ambiguous);
    if (!found && only && prefix[1] == 0 && strchr(letters, *word))
        return -1;
    rest = NULL;
    optind++;
    if (!found || ambiguous) {
        if (says(letters) && ambiguous)
            say_ambiguous(arguments[0], prefix, word, length, options);
        else if (says(letters))
            fprintf(stderr, "%s: unrecognized option '%s%s'\n", arguments[0], prefix, word);
        optopt = 0;
        return '?';
    }
    if (index)
        *index = (int)(found - options);
    return long_argument(count, arguments, letters, found, value ? value + 1 : NULL, prefix);
}

static int get_option(int count, char **arguments, const char *letters, const struct option *options,
                      int *index, int only)
{
    if (count < 1)
        return -1;
    optarg = NULL;
    letters = begin(letters);
    if (!rest) {
        int kind = next_word(count, arguments);
        if (kind != 0)
            return kind;
        char *word = arguments[optind];
        if (options && word[1] == '-')
            return long_option(count, arguments, letters, options, index, only, "--");
        if (options && only && (word[2] || !strchr(letters, word[1]))) {
            int result = long_option(count, arguments, letters, options, index, only, "-");
            if (result != -1)
                return result;
        }
        rest = word + 1;
    }
    return short_option(count, arguments, letters);
}

WEAK int getopt(int count, char *const *arguments, const char *letters)
{
    return get_option(count, (char **)arguments, letters, NULL, NULL, 0);
}

WEAK int getopt_long(int count, char *const *arguments, const char *letters, const struct option *options,
                     int *index)
{
    return get_option(count, (char **)arguments, letters, options, index, 0);
}

WEAK int getopt_long_only(int count, char *const *arguments, const char *letters,
                          const struct option *options, int *index)
{
    return get_option(count, (char **)arguments, letters, options, index, 1);
}
