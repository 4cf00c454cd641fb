#include "base/statement.h"

#include <ctype.h>
#include <string.h>

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

size_t mz_statement_length(const char *text)
{
    size_t at = 0;
    int depth = 0;
    for (char quote = 0; text[at] && (text[at] != ';' || depth > 0 || quote); at++) {
        if (text[at] == '\\' && text[at + 1])
            at++;
        else if (quote ? text[at] == quote : text[at] == '"' || text[at] == '\'')
            quote = quote ? 0 : text[at];
        else if (!quote)
            depth += strchr("([{", text[at]) ? 1 : strchr(")]}", text[at]) ? -1 : 0;
    }
    return at;
}

/* Is there a name of its own, and a type before it? `x` of `queue x`, not of `q->x`, `ns::x`, `new x`. */
static bool has_type(const mz_declaration *d)
{
    static const char *const others[] = {"new", "delete", "return", "throw"};
    const char *end = d->type + d->type_length;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (d->type_length == strlen(others[i]) && strncmp(d->type, others[i], d->type_length) == 0)
            return false;
    return d->type_length > 0 && is_name_char(d->type[0]) &&
           (is_name_char(end[-1]) || strchr("*&>", end[-1])) &&
           strncmp(end - (d->type_length > 1 ? 2 : 0), "->", 2) != 0;
}

static bool is_auto(const mz_declaration *d)
{
    const char *type = d->type;
    if (d->type_length > 6 && strncmp(type, "const ", 6) == 0)
        type += 6;
    return strncmp(type, "auto", 4) == 0 && !is_name_char(type[4]);
}

mz_declaration mz_read_declaration(const char *text, bool cxx)
{
    mz_declaration d = {.type = text};
    const char *equals = strchr(text, '='), *open = strchr(text, '('), *bracket = strchr(text, '[');
    bool has_value = equals && equals[1] != '=' && (!open || equals < open);
    if (open && !has_value && !cxx)
        return d;
    bool is_array = bracket && (!has_value || bracket < equals) && (!open || bracket < open);
    const char *end = is_array ? bracket : has_value ? equals : open ? open : text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    const char *start = end;
    while (start > text && is_name_char(start[-1]))
        start--;
    const char *type_end = start;
    while (type_end > text && isspace((unsigned char)type_end[-1]))
        type_end--;
    d.type_length = (size_t)(type_end - text);
    if (start == end || (d.type_length > 0 ? !has_type(&d) : !has_value || is_array))
        return d;
    d.name = start;
    d.name_length = (size_t)(end - start);
    d.value = has_value ? equals + 1 : NULL;
    d.is_untyped = d.type_length == 0 || is_auto(&d);
    return d;
}
