#include "model/lexer.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

const char *mz_token_name(mz_token_kind kind)
{
    static const char *const names[] = {
#define MZ_X(name, text) text,
        MZ_TOKENS(MZ_X)
#undef MZ_X
    };
    return names[kind];
}

void mz_lexer_init(mz_lexer *l, const char *file, const char *source, size_t length, mz_error *error)
{
    *l = (mz_lexer){.file = file, .source = source, .length = length, .error = error};
    size_t capacity = 0;
    l->line_starts = mz_grow(NULL, &capacity, 1, sizeof *l->line_starts);
    l->line_starts[l->line_count++] = 0;
    for (size_t i = 0; i < length; i++)
        if (source[i] == '\n') {
            l->line_starts = mz_grow(l->line_starts, &capacity, l->line_count + 1, sizeof *l->line_starts);
            l->line_starts[l->line_count++] = i + 1;
        }
}

void mz_lexer_release(mz_lexer *l)
{
    mz_release(l->line_starts);
}

static size_t line_of(const mz_lexer *l, size_t offset)
{
    size_t low = 0, high = l->line_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (l->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

mz_position mz_lexer_position(const mz_lexer *l, size_t offset)
{
    size_t line = line_of(l, offset);
    return (mz_position){l->file, (uint32_t)line + 1, (uint32_t)(offset - l->line_starts[line]) + 1};
}

void mz_lexer_fail(mz_lexer *l, size_t offset, const char *format, ...)
{
    if (l->error->set)
        return;
    mz_text message = {0};
    va_list arguments;
    va_start(arguments, format);
    mz_text_add_list(&message, format, arguments);
    va_end(arguments);
    mz_error_set(l->error, mz_lexer_position(l, offset), "%s", mz_text_string(&message));
    mz_text_release(&message);
    size_t line = line_of(l, offset), start = l->line_starts[line], end = start;
    while (end < l->length && l->source[end] != '\n' && l->source[end] != '\r')
        end++;
    mz_error_set_source(l->error, l->source + start, end - start);
    l->position = l->length;
    l->depth = 0;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char peek(const mz_lexer *l, size_t ahead)
{
    return l->position + ahead < l->length ? l->source[l->position + ahead] : '\0';
}

static void skip_blanks(mz_lexer *l)
{
    while (l->position < l->length) {
        char c = l->source[l->position];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            l->position++;
        } else if (c == '/' && peek(l, 1) == '/') {
            while (l->position < l->length && l->source[l->position] != '\n' &&
                   l->source[l->position] != '\r')
                l->position++;
        } else {
            return;
        }
    }
}

/* Where the '}>' that ends the block stands, or `length`. Comments and strings do not count. */
static size_t find_repetition_end(const mz_lexer *l, size_t at)
{
    size_t depth = 0;
    for (; at < l->length; at++) {
        char c = l->source[at], next = at + 1 < l->length ? l->source[at + 1] : '\0';
        if (c == '/' && next == '/') {
            while (at < l->length && l->source[at] != '\n' && l->source[at] != '\r')
                at++;
        } else if (c == '"') {
            for (at++; at < l->length && l->source[at] != '"' && l->source[at] != '\n'; at++)
                ;
        } else if (c == '<' && next == '{') {
            depth++;
            at++;
        } else if (c == '}' && next == '>') {
            if (depth-- == 0)
                return at;
            at++;
        }
    }
    return l->length;
}

void mz_lexer_begin_repetition(mz_lexer *l, int64_t count)
{
    if (l->error->set)
        return;
    size_t end = find_repetition_end(l, l->position);
    if (end >= l->length) {
        mz_lexer_fail(l, l->position > 0 ? l->position - 1 : 0,
                      "this repetition block has no end: expected '}>'");
        return;
    }
    l->rounds += (uint64_t)count + 1;
    l->scanned += end - l->position;
    if (l->depth == MZ_MAX_REPETITIONS || l->rounds > 1000000 || l->scanned > (64 << 20)) {
        mz_lexer_fail(l, l->position - 1, "too many repetitions");
        return;
    }
    if (count == 0)
        l->position = end + 2;
    else
        l->repetitions[l->depth++] = (struct mz_repetition){l->position, end, 0, count};
}

void mz_lexer_end_repetition(mz_lexer *l)
{
    if (l->depth == 0) {
        mz_lexer_fail(l, l->position - 2, "'}>' without '<{'");
        return;
    }
    struct mz_repetition *r = &l->repetitions[l->depth - 1];
    if (++r->index < r->count)
        l->position = r->body;
    else
        l->depth--;
}

/* Append the character at the position to the token, $ as the number it stands for. `ends` remembers
 * where each character of the name ends in the source. */
static void take_character(mz_lexer *l, mz_token *token, size_t *ends)
{
    char digits[24] = {l->source[l->position], '\0'};
    if (digits[0] == '$') {
        if (l->depth == 0) {
            mz_lexer_fail(l, l->position,
                          "'$' stands for the number of a repetition: it is known only inside <{n … }>");
            return;
        }
        snprintf(digits, sizeof digits, "%lld", (long long)l->repetitions[l->depth - 1].index);
    }
    l->position++;
    for (const char *d = digits; *d; d++) {
        if (token->length == MZ_NAME_BYTES) {
            mz_lexer_fail(l, token->start, "this name or number is too long");
            return;
        }
        ends[token->length] = l->position;
        token->text[token->length++] = *d;
    }
}

/* Cut a name with '-' in it to the longest declared one. */
static void cut_name(mz_lexer *l, mz_token *token, const size_t *ends)
{
    if (l->declaring || !memchr(token->text, '-', token->length) ||
        l->known(l->context, token->text, token->length))
        return;
    size_t shortest = 0;
    for (size_t cut = token->length; cut-- > 1;)
        if (token->text[cut] == '-') {
            shortest = cut;
            if (l->known(l->context, token->text, cut))
                break;
        }
    token->length = shortest;
    l->position = ends[shortest - 1];
}

static void lex_name(mz_lexer *l, mz_token *token)
{
    size_t ends[MZ_NAME_BYTES];
    token->kind = MZ_TOKEN_NAME;
    for (char c = peek(l, 0); is_letter(c) || is_digit(c) || c == '-' || c == '$'; c = peek(l, 0)) {
        take_character(l, token, ends);
        if (l->error->set)
            return;
    }
    cut_name(l, token, ends);
    token->text[token->length] = '\0';
}

static void lex_number(mz_lexer *l, mz_token *token)
{
    size_t ends[MZ_NAME_BYTES];
    token->kind = MZ_TOKEN_NUMBER;
    while (is_digit(peek(l, 0)) || peek(l, 0) == '$') {
        take_character(l, token, ends);
        if (l->error->set)
            return;
    }
    token->text[token->length] = '\0';
    for (size_t i = 0; i < token->length; i++)
        if (__builtin_mul_overflow(token->value, 10, &token->value) ||
            __builtin_add_overflow(token->value, token->text[i] - '0', &token->value)) {
            mz_lexer_fail(l, token->start, "the number is too large (more than 64 bits)");
            return;
        }
}

static void lex_string(mz_lexer *l, mz_token *token)
{
    token->kind = MZ_TOKEN_STRING;
    for (l->position++; l->position < l->length && l->source[l->position] != '"'; l->position++) {
        if (l->source[l->position] == '\n' || token->length == MZ_NAME_BYTES)
            break;
        token->text[token->length++] = l->source[l->position];
    }
    if (peek(l, 0) != '"')
        mz_lexer_fail(l, token->start, "this string has no closing '\"' on its line, or is too long");
    l->position++;
    token->text[token->length] = '\0';
}

static void lex_symbol(mz_lexer *l, mz_token *token)
{
    static const struct {
        char text[3];
        mz_token_kind kind;
    } symbols[] = {
        {"<{", MZ_TOKEN_REPEAT_BEGIN}, {"}>", MZ_TOKEN_REPEAT_END},
        {"<=", MZ_TOKEN_LESS_EQUAL},   {">=", MZ_TOKEN_GREATER_EQUAL},
        {"==", MZ_TOKEN_EQUAL},        {"!=", MZ_TOKEN_NOT_EQUAL},
        {":=", MZ_TOKEN_ASSIGN},       {"&&", MZ_TOKEN_AND},
        {"||", MZ_TOKEN_OR},           {"<", MZ_TOKEN_LESS},
        {">", MZ_TOKEN_GREATER},       {"=", MZ_TOKEN_IS},
        {"!", MZ_TOKEN_NOT},           {"+", MZ_TOKEN_PLUS},
        {"-", MZ_TOKEN_MINUS},         {"*", MZ_TOKEN_TIMES},
        {"/", MZ_TOKEN_DIVIDE},        {"%", MZ_TOKEN_MODULO},
        {"(", MZ_TOKEN_LEFT_PAREN},    {")", MZ_TOKEN_RIGHT_PAREN},
        {"[", MZ_TOKEN_LEFT_BRACKET},  {"]", MZ_TOKEN_RIGHT_BRACKET},
        {"{", MZ_TOKEN_LEFT_BRACE},    {"}", MZ_TOKEN_RIGHT_BRACE},
        {",", MZ_TOKEN_COMMA},         {";", MZ_TOKEN_SEMICOLON},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        size_t length = strlen(symbols[i].text);
        if (peek(l, 0) != symbols[i].text[0] || (length == 2 && peek(l, 1) != symbols[i].text[1]))
            continue;
        if (symbols[i].kind == MZ_TOKEN_REPEAT_END && l->depth == 0)
            continue; /* '}' and '>' */
        token->kind = symbols[i].kind;
        l->position += length;
        return;
    }
    unsigned char c = (unsigned char)peek(l, 0);
    if (c >= 32 && c < 127)
        mz_lexer_fail(l, l->position, "unexpected character '%c'", c);
    else
        mz_lexer_fail(l, l->position, "unexpected byte 0x%02x", c);
}

void mz_lexer_next(mz_lexer *l, mz_token *token)
{
    skip_blanks(l);
    token->kind = MZ_TOKEN_END;
    token->start = token->end = l->position;
    token->length = 0;
    token->value = 0;
    token->text[0] = '\0';
    if (l->error->set || l->position >= l->length)
        return;
    char c = peek(l, 0);
    if (is_letter(c))
        lex_name(l, token);
    else if (is_digit(c) || c == '$')
        lex_number(l, token);
    else if (c == '"')
        lex_string(l, token);
    else
        lex_symbol(l, token);
    token->end = l->position;
    if (l->error->set)
        token->kind = MZ_TOKEN_END;
}

bool mz_lexer_sees_operator(mz_lexer *l)
{
    size_t position = l->position;
    skip_blanks(l);
    char c = peek(l, 0);
    l->position = position;
    return c == '+' || c == '-' || c == '*' || c == '/' || c == '%';
}

int64_t mz_lexer_repetition(const mz_lexer *l)
{
    return l->depth > 0 ? l->repetitions[l->depth - 1].index : -1;
}

void mz_lexer_excerpt(const mz_lexer *l, size_t start, size_t end, int64_t repetition, mz_text *out)
{
    bool blank = false;
    for (size_t i = start; i < end && i < l->length; i++) {
        char c = l->source[i];
        if (c == '/' && i + 1 < end && l->source[i + 1] == '/') {
            while (i + 1 < end && l->source[i + 1] != '\n')
                i++;
            continue;
        }
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            blank = out->length > 0;
            continue;
        }
        if (blank)
            mz_text_add(out, " ");
        blank = false;
        if (c == '$' && repetition >= 0)
            mz_text_add(out, "%lld", (long long)repetition);
        else
            mz_text_add_bytes(out, &c, 1);
    }
}
