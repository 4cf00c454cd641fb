/* Shared by the three parts of the parser: declarations (parser.c), statements, expressions. */
#ifndef MZ_MODEL_PARSER_INTERNAL_H
#define MZ_MODEL_PARSER_INTERNAL_H

#include "model/lexer.h"
#include "model/parser.h"

enum {
    MZ_MAX_NESTING = 100,
    MZ_MAX_OPERATORS = 10000,
    MZ_MAX_STATEMENTS = 200000,
    MZ_MAX_NAMES = 4096,
    MZ_MAX_LOCATIONS = 1 << 20
};

typedef struct mz_parser {
    mz_lexer lexer;
    mz_token token;      /* the one to look at */
    size_t previous_end; /* of the token before */
    mz_program *program;
    mz_error *error;
    mz_definition *definitions;
    size_t definition_count;
    bool in_process;
    bool in_atomic, in_atomic_loop;
    uint32_t nesting, statements, operators;
    uint32_t warnings;
    size_t last_warning;
} mz_parser;

void mz__advance(mz_parser *parser);
bool mz__accept(mz_parser *parser, mz_token_kind kind);
/* Consume the token or fail: "expected ',' <context>, found …". */
bool mz__expect(mz_parser *parser, mz_token_kind kind, const char *context);
void mz__unexpected(mz_parser *parser, const char *expected);
bool mz__is_name(const mz_token *token, const char *name);
bool mz__is_reserved(const mz_token *token);
const mz_variable *mz__find_variable(const mz_parser *parser, const char *name, size_t length);
const mz_parameter *mz__find_parameter(const mz_parser *parser, const char *name, size_t length);
void mz__unknown_name(mz_parser *parser, const mz_token *name);

mz_expression *mz__parse_expression(mz_parser *parser);
/* A number: a literal, a parameter, a constant, or a constant expression in parentheses. */
int64_t mz__parse_number(mz_parser *parser, const char *what, int64_t low, int64_t high);
/* Something that can be assigned to; `name` has been consumed. */
mz_expression *mz__parse_target(mz_parser *parser, const mz_token *name);
mz_expression *mz__parse_cas(mz_parser *parser, size_t offset);
mz_expression *mz__number(mz_parser *parser, size_t offset, int64_t value);
mz_expression *mz__binary(mz_parser *parser, mz_expression_kind kind, size_t offset, mz_expression *left,
                          mz_expression *right);
mz_expression *mz__cas(mz_parser *parser, size_t offset, mz_expression *target, mz_expression *expected,
                       mz_expression *desired);

/* Statements up to a token that cannot start one; NULL if there are none. */
mz_statement *mz__parse_statements(mz_parser *parser);

#endif
