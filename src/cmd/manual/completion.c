/* Completion for shells: commands, their options, and the values of these, from the rows. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "algo/algorithm.h"
#include "cmd/command.h"
#include "cmd/request/request.h"

/* ---- values ---------------------------------------------------------------------------------------------
 */

typedef enum value_kind { NO_VALUE, ANY_VALUE, WORDS, FILES, DIRECTORIES } value_kind;

static void add_algorithms(mz_text *words)
{
    for (size_t i = 0; i < mz_algorithm_count; i++)
        mz_text_add(words, "%s%s", i ? " " : "", mz_algorithms[i]->name);
}

static void add_checks(mz_text *words)
{
    for (int kind = 0; kind < MZ_FAILURE_KIND_COUNT; kind++)
        mz_text_add(words, "%s ", mz_failure_check_name((mz_failure_kind)kind));
    mz_text_add(words, "default all");
}

/* "no|yes": lower-case words, which are to be written like that. */
static bool is_list_of_words(const char *argument)
{
    bool several = false;
    for (const char *c = argument; *c; c++) {
        several |= *c == '|';
        if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '|' && *c != '-')
            return false;
    }
    return several;
}

static value_kind value_of(const mz_option *o, mz_text *words)
{
    const char *argument = o->argument;
    if (!argument)
        return NO_VALUE;
    if (strcmp(o->name, "algorithm") == 0)
        add_algorithms(words);
    else if (strcmp(o->name, "check") == 0)
        add_checks(words);
    else if (is_list_of_words(argument))
        for (const char *c = argument; *c; c++)
            mz_text_add(words, "%c", *c == '|' ? ' ' : *c);
    if (words->length > 0)
        return WORDS;
    return strstr(argument, "FILE") ? FILES : strstr(argument, "DIR") ? DIRECTORIES : ANY_VALUE;
}

/* "[FILE]": it may be left out. */
static bool is_optional(const mz_option *o)
{
    return o->argument && o->argument[0] == '[' && o->argument[strlen(o->argument) - 1] == ']';
}

/* An option may have a row for each of several audiences; here it is one. */
static bool is_repeated(const mz_command_line *line, size_t at)
{
    const mz_option *o = line->offers[at].option;
    for (size_t i = 0; i < at; i++)
        if (strcmp(line->offers[i].option->name, o->name) == 0 && line->offers[i].option->letter == o->letter)
            return true;
    return o->type == MZ_OPTION_GONE;
}

/* In single quotes, without one in it. */
static void add_plain(mz_text *out, const char *text, const char *without)
{
    for (; *text; text++)
        if (!strchr(without, *text))
            mz_text_add_bytes(out, text, 1);
}

static void for_each_option(const mz_command *command, mz_text *out,
                            void (*each)(const mz_command *, const mz_option *, mz_text *))
{
    mz_command_line line = {0};
    command->offer(&line, NULL);
    for (size_t i = 0; i < line.count; i++)
        if (!is_repeated(&line, i))
            each(command, line.offers[i].option, out);
    mz_options_release(&line);
}

/* ---- bash -----------------------------------------------------------------------------------------------
 */

static void add_bash_option(const mz_command *command, const mz_option *o, mz_text *out)
{
    (void)command;
    if (o->name[0])
        mz_text_add(out, "--%s%s ", o->name, o->argument && !is_optional(o) ? "=" : "");
    if (o->letter)
        mz_text_add(out, "-%c ", o->letter);
}

static void add_bash_value(const mz_command *command, const mz_option *o, mz_text *out)
{
    mz_text words = {0};
    value_kind kind = value_of(o, &words);
    if (kind == NO_VALUE)
        return;
    mz_text_add(out, "    ");
    if (o->name[0])
        mz_text_add(out, "%s:--%s%s", command->name, o->name, o->letter ? "|" : "");
    if (o->letter)
        mz_text_add(out, "%s:-%c", command->name, o->letter);
    if (kind == WORDS)
        mz_text_add(out, ") _mazurka_words '%s' \"$value\" ;;\n", mz_text_string(&words));
    else
        mz_text_add(out, ") %s ;;\n",
                    kind == FILES         ? "_mazurka_files \"$value\""
                    : kind == DIRECTORIES ? "_mazurka_files \"$value\" -d"
                                          : ":");
    mz_text_release(&words);
}

static const char bash_begin[] =
    "# Completion of mazurka for bash. Made by 'mazurka help --completion=bash'.\n\n"
    "# With \"=\" among the breaks of words, \"--check=as\" is three words to readline.\n"
    "_mazurka_words() { # words, what is there; of a list a,b,c the last\n"
    "    local before= last=$2 word\n"
    "    if [[ $last == *,* ]]; then before=${last%,*}, last=${last##*,}; fi\n"
    "    for word in $1; do\n"
    "        [[ $word == \"$last\"* ]] && COMPREPLY+=(\"$before$word\")\n"
    "    done\n"
    "}\n\n"
    "_mazurka_files() { # what is there, options of compgen\n"
    "    local what=$1 file\n"
    "    shift\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    while IFS= read -r file; do COMPREPLY+=(\"$file\"); done < <(compgen \"${1:--f}\" -- \"$what\")\n"
    "}\n\n"
    "_mazurka_named() { # what is there, how names end; directories, too\n"
    "    local what=$1 file end\n"
    "    shift\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    while IFS= read -r file; do\n"
    "        if [[ -d $file ]]; then COMPREPLY+=(\"$file\"); continue; fi\n"
    "        for end in \"$@\"; do [[ $file == *.\"$end\" ]] && COMPREPLY+=(\"$file\") && break; done\n"
    "    done < <(compgen -f -- \"$what\")\n"
    "}\n\n"
    "_mazurka_targets() { # of mazurka.toml\n"
    "    local name\n"
    "    [[ -r mazurka.toml ]] || return\n"
    "    while IFS= read -r name; do\n"
    "        [[ $name == \"$1\"* ]] && COMPREPLY+=(\"$name\")\n"
    "    done < <(sed -n 's/^ *\\[ *target *\\. *\\([A-Za-z0-9_-]*\\) *\\].*/\\1/p' mazurka.toml)\n"
    "}\n\n"
    "_mazurka_value() { # command, option, what is there\n"
    "    local value=$3\n"
    "    case \"$1:$2\" in\n";

static const char bash_middle[] =
    "    *) return 1 ;;\n"
    "    esac\n"
    "}\n\n"
    "_mazurka() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= options= i\n"
    "    COMPREPLY=()\n"
    "    if [[ $COMP_CWORD -gt 1 ]]; then command=${COMP_WORDS[1]}; fi\n"
    "    if [[ -z $command ]]; then\n"
    "        _mazurka_words \"$_mazurka_commands --help --version\" \"$word\"\n"
    "        return\n"
    "    fi\n"
    "    if [[ $word == = ]]; then _mazurka_value \"$command\" \"$before\" ''; return; fi\n"
    "    if [[ $before == = ]]; then\n"
    "        _mazurka_value \"$command\" \"${COMP_WORDS[COMP_CWORD - 2]}\" \"$word\"\n"
    "        return\n"
    "    fi\n"
    "    if [[ $word == --*=* ]]; then # where \"=\" breaks no words\n"
    "        _mazurka_value \"$command\" \"${word%%=*}\" \"${word#*=}\"\n"
    "        for i in \"${!COMPREPLY[@]}\"; do COMPREPLY[i]=\"${word%%=*}=${COMPREPLY[i]}\"; done\n"
    "        return\n"
    "    fi\n"
    "    if [[ $before == -? ]] && _mazurka_value \"$command\" \"$before\" \"$word\"; then return; fi\n"
    "    case \"$command\" in\n";

static const char bash_end[] =
    "    esac\n"
    "    if [[ $word == -* ]]; then\n"
    "        _mazurka_words \"$options\" \"$word\"\n"
    "        if [[ ${COMPREPLY[0]-} == *= ]]; then compopt -o nospace 2>/dev/null; fi\n"
    "    else\n"
    "        case \"$command\" in\n";

static void add_bash(mz_text *out)
{
    mz_text_add(out, "%s", bash_begin);
    for (int i = 0; i < MZ_COMMAND_COUNT; i++)
        for_each_option(&mz_commands[i], out, add_bash_value);
    mz_text_add(out, "%s", bash_middle);
    for (int i = 0; i < MZ_COMMAND_COUNT; i++) {
        mz_text_add(out, "    %s) options='", mz_commands[i].name);
        for_each_option(&mz_commands[i], out, add_bash_option);
        mz_text_add(out, "' ;;\n");
    }
    mz_text_add(out, "%s", bash_end);
    for (int i = 0; i < MZ_COMMAND_COUNT; i++) {
        const mz_command *c = &mz_commands[i];
        if (c->files[0] == '-')
            mz_text_add(out, "        %s) ;;\n", c->name);
        else if (c->files[0])
            mz_text_add(out, "        %s) %s_mazurka_named \"$word\" %s ;;\n", c->name,
                        strcmp(c->name, "check") == 0 ? "_mazurka_targets \"$word\"; " : "", c->files);
    }
    mz_text_add(out,
                "        help) _mazurka_words \"$_mazurka_commands\" \"$word\" ;;\n"
                "        *) _mazurka_files \"$word\" ;;\n        esac\n    fi\n}\n\n_mazurka_commands='");
    for (int i = 0; i < MZ_COMMAND_COUNT; i++)
        mz_text_add(out, "%s ", mz_commands[i].name);
    mz_text_add(out, "help'\ncomplete -F _mazurka mazurka\n");
}

/* ---- zsh ------------------------------------------------------------------------------------------------
 */

/* ':ARGUMENT:ACTION' */
static void add_zsh_action(const mz_option *o, mz_text *out)
{
    mz_text words = {0};
    value_kind kind = value_of(o, &words);
    if (kind != NO_VALUE) {
        mz_text_add(out, "%s", is_optional(o) ? "::" : ":");
        add_plain(out, o->argument, "'[]:\\");
        mz_text_add(out, ":");
        if (kind == WORDS)
            mz_text_add(out, "_values -s , value %s", mz_text_string(&words));
        else
            mz_text_add(out, "%s", kind == FILES ? "_files" : kind == DIRECTORIES ? "_files -/" : "");
    }
    mz_text_release(&words);
}

static void add_zsh_form(const mz_option *o, const char *name, const char *between, mz_text *out)
{
    mz_text help = {0};
    mz_request_option_help(o, &help);
    mz_text_add(out, "            '*%s%s[", name, o->argument ? between : "");
    add_plain(out, mz_text_string(&help), "'[]:\\");
    mz_text_add(out, "]");
    add_zsh_action(o, out);
    mz_text_add(out, "' \\\n");
    mz_text_release(&help);
}

static void add_zsh_option(const mz_command *command, const mz_option *o, mz_text *out)
{
    mz_text name = {0};
    (void)command;
    if (o->name[0]) {
        mz_text_add(&name, "--%s", o->name);
        add_zsh_form(o, mz_text_string(&name), is_optional(o) ? "=-" : "=", out);
        mz_text_clear(&name);
    }
    if (o->letter) {
        mz_text_add(&name, "-%c", o->letter);
        add_zsh_form(o, mz_text_string(&name), "+", out);
    }
    mz_text_release(&name);
}

static void add_zsh_files(const mz_command *c, mz_text *out)
{
    if (strcmp(c->name, "check") == 0)
        mz_text_add(out, "            '*:target or file:_mazurka_check_words'\n");
    else if (c->files[0] == '-')
        mz_text_add(out, "            '*: :'\n");
    else if (!c->files[0])
        mz_text_add(out, "            '*:file:_files'\n");
    else if (!strchr(c->files, ' ')) /* (…) alone at its end would be taken for attributes of files */
        mz_text_add(out, "            '*:file:_files -g \"*.%s\"'\n", c->files);
    else {
        mz_text_add(out, "            '*:file:_files -g \"*.(");
        for (const char *f = c->files; *f; f++)
            mz_text_add(out, "%c", *f == ' ' ? '|' : *f);
        mz_text_add(out, ")\"'\n");
    }
}

static void add_zsh(mz_text *out)
{
    mz_text_add(out, "#compdef mazurka\n# Completion of mazurka for zsh. Made by 'mazurka help "
                     "--completion=zsh'.\n\n"
                     "_mazurka_check_words() {\n    local -a targets\n"
                     "    [[ -r mazurka.toml ]] && targets=(${(f)\"$(sed -n 's/^ *\\[ *target\\. "
                     "*\\([A-Za-z0-9_-]*\\) *\\].*/\\1/p' mazurka.toml)\"})\n"
                     "    (( $#targets )) && compadd -X targets -a targets\n    _files\n}\n\n"
                     "_mazurka() {\n    local -a commands\n    commands=(\n");
    for (int i = 0; i < MZ_COMMAND_COUNT; i++) {
        mz_text_add(out, "        '%s:", mz_commands[i].name);
        add_plain(out, mz_commands[i].description, "':\\");
        mz_text_add(out, "'\n");
    }
    mz_text_add(out,
                "        'help:say more about a command'\n    )\n    if (( CURRENT == 2 )); then\n"
                "        _describe command commands\n        return\n    fi\n    local command=$words[2]\n"
                "    shift words\n    (( CURRENT-- ))\n    case $command in\n");
    for (int i = 0; i < MZ_COMMAND_COUNT; i++) {
        mz_text_add(out, "    %s)\n        _arguments \\\n", mz_commands[i].name);
        for_each_option(&mz_commands[i], out, add_zsh_option);
        add_zsh_files(&mz_commands[i], out);
        mz_text_add(out, "        ;;\n");
    }
    mz_text_add(out, "    help) _describe command commands ;;\n    esac\n}\n\n"
                     "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n    _mazurka \"$@\"\nelse\n"
                     "    compdef _mazurka mazurka\nfi\n");
}

/* ---- fish -----------------------------------------------------------------------------------------------
 */

static void add_fish_option(const mz_command *command, const mz_option *o, mz_text *out)
{
    mz_text words = {0}, help = {0};
    value_kind kind = value_of(o, &words);
    mz_text_add(out, "complete -c mazurka -n '__fish_seen_subcommand_from %s'", command->name);
    if (o->name[0])
        mz_text_add(out, " -l %s", o->name);
    if (o->letter)
        mz_text_add(out, " -s %c", o->letter);
    if (kind == WORDS)
        mz_text_add(out, " -x -a '%s'", mz_text_string(&words));
    else if (kind == DIRECTORIES)
        mz_text_add(out, " -x -a '(__fish_complete_directories)'");
    else if (kind != NO_VALUE && !is_optional(o))
        mz_text_add(out, kind == FILES ? " -r -F" : " -x");
    mz_request_option_help(o, &help);
    mz_text_add(out, " -d '");
    add_plain(out, mz_text_string(&help), "'\\");
    mz_text_add(out, "'\n");
    mz_text_release(&words);
    mz_text_release(&help);
}

static void add_fish(mz_text *out)
{
    mz_text_add(out, "# Completion of mazurka for fish. Made by 'mazurka help --completion=fish'.\n\n");
    for (int i = 0; i < MZ_COMMAND_COUNT; i++) {
        mz_text_add(out, "complete -c mazurka -n __fish_use_subcommand -f -a %s -d '", mz_commands[i].name);
        add_plain(out, mz_commands[i].description, "'\\");
        mz_text_add(out, "'\n");
    }
    for (int i = 0; i < MZ_COMMAND_COUNT; i++)
        for_each_option(&mz_commands[i], out, add_fish_option);
    mz_text_add(
        out,
        "complete -c mazurka -n '__fish_seen_subcommand_from check; and test -r mazurka.toml' -a "
        "'(string match -rg \"^ *\\\\[ *target\\\\. *([A-Za-z0-9_-]+) *\\\\]\" < mazurka.toml)' -d target\n");
}

void mz_add_completion(const char *shell, mz_text *out)
{
    if (strcmp(shell, "bash") == 0)
        add_bash(out);
    else if (strcmp(shell, "zsh") == 0)
        add_zsh(out);
    else if (strcmp(shell, "fish") == 0)
        add_fish(out);
    else
        fprintf(stderr, "mazurka help: error: no completion for '%s'\n  hint: there are: bash, zsh, fish\n",
                shell);
}
