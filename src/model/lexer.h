/* dlang tokens. Repetition blocks <{n … $ … }> are unrolled here, character by character, as the thesis's
 * first pass does, so that `x$` is one name and positions stay those of the file. */
#ifndef MZ_MODEL_LEXER_H
#define MZ_MODEL_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Token kinds and how they are called in messages. */
#define MZ_TOKENS(X)                                                                                         \
    X(END, "the end of the file")                                                                            \
    X(NAME, "a name")                                                                                        \
    X(NUMBER, "a number")                                                                                    \
    X(STRING, "a string")                                                                                    \
    X(REPEAT_BEGIN, "'<{'")                                                                                  \
    X(REPEAT_END, "'}>'")                                                                                    \
    X(LESS, "'<'")                                                                                           \
    X(GREATER, "'>'")                                                                                        \
    X(LESS_EQUAL, "'<='")                                                                                    \
    X(GREATER_EQUAL, "'>='")                                                                                 \
    X(EQUAL, "'=='")                                                                                         \
    X(NOT_EQUAL, "'!='")                                                                                     \
    X(IS, "'='")                                                                                             \
    X(ASSIGN, "':='")                                                                                        \
    X(AND, "'&&'")                                                                                           \
    X(OR, "'||'")                                                                                            \
    X(NOT, "'!'")                                                                                            \
    X(PLUS, "'+'")                                                                                           \
    X(MINUS, "'-'")                                                                                          \
    X(TIMES, "'*'")                                                                                          \
    X(DIVIDE, "'/'")                                                                                         \
    X(MODULO, "'%'")                                                                                         \
    X(LEFT_PAREN, "'('")                                                                                     \
    X(RIGHT_PAREN, "')'")                                                                                    \
    X(LEFT_BRACKET, "'['")                                                                                   \
    X(RIGHT_BRACKET, "']'")                                                                                  \
    X(LEFT_BRACE, "'{'")                                                                                     \
    X(RIGHT_BRACE, "'}'")                                                                                    \
    X(COMMA, "','")                                                                                          \
    X(SEMICOLON, "';'")

typedef enum mz_token_kind {
#define MZ_X(name, text) MZ_TOKEN_##name,
    MZ_TOKENS(MZ_X)
#undef MZ_X
} mz_token_kind;

enum { MZ_NAME_BYTES = 200, MZ_MAX_REPETITIONS = 16 };

typedef struct mz_token {
    mz_token_kind kind;
    size_t start, end; /* offsets in the file */
    int64_t value;     /* of a number */
    size_t length;     /* of the name or string in text */
    char text[MZ_NAME_BYTES + 1];
} mz_token;

typedef struct mz_lexer {
    const char *file;
    const char *source;
    size_t length, position;
    size_t *line_starts;
    size_t line_count;
    mz_error *error;
    struct mz_repetition {
        size_t body, end; /* offsets of the body and of its '}>' */
        int64_t index, count;
    } repetitions[MZ_MAX_REPETITIONS];
    size_t depth;
    uint64_t rounds, scanned; /* repetitions begun, bytes searched for their ends: to stop bombs */
    /* Names may contain '-', as in the thesis. `known` tells which are declared, so that x-1 is a
     * difference unless a name x-1 exists; while `declaring`, a name is as long as can be. */
    bool (*known)(void *context, const char *name, size_t length);
    void *context;
    bool declaring;
} mz_lexer;

void mz_lexer_init(mz_lexer *lexer, const char *file, const char *source, size_t length, mz_error *error);
void mz_lexer_release(mz_lexer *lexer);
/* The next token, REPEAT_BEGIN and REPEAT_END included; after an error only END. */
void mz_lexer_next(mz_lexer *lexer, mz_token *token);
/* The block starts at the current position and is read `count` times. */
void mz_lexer_begin_repetition(mz_lexer *lexer, int64_t count);
void mz_lexer_end_repetition(mz_lexer *lexer);

mz_position mz_lexer_position(const mz_lexer *lexer, size_t offset);
void mz_lexer_fail(mz_lexer *lexer, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Does an arithmetic operator come next? */
bool mz_lexer_sees_operator(mz_lexer *lexer);
/* The number that $ stands for here, or -1. */
int64_t mz_lexer_repetition(const mz_lexer *lexer);
/* Source text with $ replaced by the number and white space folded, for reports. */
void mz_lexer_excerpt(const mz_lexer *lexer, size_t start, size_t end, int64_t repetition, mz_text *out);
const char *mz_token_name(mz_token_kind kind);

#endif
