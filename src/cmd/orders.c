/* `mazurka orders`: the weakest memory orders with which a program is safe. */
#include "session/orders/orders.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cmd/command.h"
#include "cmd/print.h"
#include "cmd/request/request.h"
#include "session/orders/orders_patch.h"
#include "session/process/supervisor.h"

static const char *const order_names[] = {"(none)", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
static const char *const kind_names[] = {"load", "store", "update", "exchange", "fence"};

static const char help[] =
    "usage: mazurka orders [--patch|--json] [options of 'mazurka check'] FILE.c … [-- arguments]\n\n"
    "Finds the weakest memory orders with which a program is safe under RC11: of each atomic operation and\n"
    "fence. For a program that fails, the fewest that have to be stronger, and what they have to be. Every\n"
    "suggestion is verified in full.\n\n"
    "options:\n"
    "  --json   the result as JSON on standard output\n"
    "  --patch  the change of the sources on standard output, as 'patch -p0' reads it\n"
    "  All options of 'mazurka check' that are about programs; --timeout is for each search.\n\n"
    "exit codes: 0 such orders are known, 1 the program fails with all orders seq_cst, 2 wrong usage or\n"
    "input, 3 incomplete\n";

static bool changes(const mz_order_site *s)
{
    return s->now != s->written || s->now_failure != s->written_failure;
}

static uint32_t count_changes(const mz_orders *orders)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < orders->sites->count; i++)
        count += changes(&orders->sites->sites[i]);
    return count;
}

/* ---- for people --------------------------------------------------------------------------------------- */

static void add_orders(mz_text *out, const mz_order_site *s, mz_order order, mz_order failure, int width)
{
    mz_text words = {0};
    mz_text_add(&words, "%s", order_names[order]);
    if (s->kind == MZ_SITE_EXCHANGE)
        mz_text_add(&words, "/%s", order_names[failure]);
    mz_text_add(out, "  %-*s", width, mz_text_string(&words));
    mz_text_release(&words);
}

static void add_table(const mz_orders *orders, mz_text *out)
{
    size_t widest = 5;
    mz_text place = {0};
    for (uint32_t i = 0; i < orders->sites->count; i++) {
        const mz_order_site *s = &orders->sites->sites[i];
        mz_text_clear(&place);
        mz_text_add(&place, "%s:%u:%u", s->file, s->line, s->column);
        widest = place.length > widest ? place.length : widest;
    }
    mz_text_add(out, "\n  %-*s  operation  %-16s  %s\n", (int)widest, "place", "written", "safe");
    for (uint32_t i = 0; i < orders->sites->count; i++) {
        const mz_order_site *s = &orders->sites->sites[i];
        const mz_order_reason *r = &orders->reasons[i];
        mz_text_clear(&place);
        mz_text_add(&place, "%s:%u:%u", s->file, s->line, s->column);
        mz_text_add(out, "  %-*s  %-9s", (int)widest, mz_text_string(&place), kind_names[s->kind]);
        add_orders(out, s, (mz_order)s->written, (mz_order)s->written_failure, 16);
        add_orders(out, s, (mz_order)s->now, (mz_order)s->now_failure, changes(s) ? 16 : 0);
        mz_text_add(out, "%s\n", changes(s) ? "  *" : "");
        if (r->why[0])
            mz_text_add(out, "  %-*s    %s%s: %s\n", (int)widest, "",
                        s->kind == MZ_SITE_FENCE && !r->weaker ? "without it" : "with ",
                        s->kind == MZ_SITE_FENCE && !r->weaker ? "" : order_names[r->weaker], r->why);
    }
    mz_text_release(&place);
}

static void add_for_people(const mz_orders *orders, const char *program, mz_text *out)
{
    uint32_t changed = count_changes(orders), count = orders->sites->count;
    bool safe = orders->written == MZ_SAFE;
    mz_text_add(out, "%s: ", program);
    if (orders->written == MZ_INCOMPLETE)
        mz_text_add(out, "INCOMPLETE  %s\n", orders->failure);
    else if (!safe && !orders->is_found)
        mz_text_add(out, "UNSAFE  also with all orders seq_cst: %s\n", orders->failure);
    else if (!orders->is_found)
        mz_text_add(out, "INCOMPLETE  not all orders could be tried\n");
    else if (safe && changed == 0)
        mz_text_add(out, "SAFE  and no order can be weaker\n");
    else if (safe)
        mz_text_add(out, "SAFE  and still so if %u of %u orders %s weaker (*)\n", changed, count,
                    changed == 1 ? "is" : "are");
    else
        mz_text_add(out, "UNSAFE  but safe if %u of %u orders %s stronger (*)\n  as it is: %s\n", changed,
                    count, changed == 1 ? "is" : "are", orders->failure);
    if (orders->is_found && count > 0)
        add_table(orders, out);
    mz_text_add(out, "\n  %u searches under RC11, each to its end\n", orders->checks);
}

/* ---- for programs -------------------------------------------------------------------------------------- */

static void add_string(mz_text *out, const char *key, const char *value)
{
    mz_text_add(out, "\"%s\":\"", key);
    for (const char *c = value; *c; c++) {
        if (*c == '"' || *c == '\\')
            mz_text_add(out, "\\%c", *c);
        else if ((unsigned char)*c < 32)
            mz_text_add(out, "\\u%04x", (unsigned)*c);
        else
            mz_text_add_bytes(out, c, 1);
    }
    mz_text_add(out, "\"");
}

static void add_json_site(const mz_orders *orders, uint32_t i, mz_text *out)
{
    const mz_order_site *s = &orders->sites->sites[i];
    const mz_order_reason *r = &orders->reasons[i];
    mz_text_add(out, "%s{", i ? "," : "");
    add_string(out, "file", s->file);
    mz_text_add(out, ",\"line\":%u,\"column\":%u,", s->line, s->column);
    add_string(out, "operation", kind_names[s->kind]);
    mz_text_add(out, ",");
    add_string(out, "written", order_names[s->written]);
    mz_text_add(out, ",");
    add_string(out, "safe", order_names[s->now]);
    if (s->kind == MZ_SITE_EXCHANGE) {
        mz_text_add(out, ",");
        add_string(out, "written_failure", order_names[s->written_failure]);
        mz_text_add(out, ",");
        add_string(out, "safe_failure", order_names[s->now_failure]);
    }
    if (r->why[0]) {
        mz_text_add(out, ",");
        add_string(out, "weaker", order_names[r->weaker]);
        mz_text_add(out, ",");
        add_string(out, "why_not", r->why);
    }
    mz_text_add(out, "}");
}

static void add_json(const mz_orders *orders, const char *program, mz_text *out)
{
    mz_text_add(out, "{\"tool\":\"mazurka\",");
    add_string(out, "program", program);
    mz_text_add(out, ",");
    add_string(out, "verdict", mz_verdict_word(orders->written));
    mz_text_add(out, ",");
    add_string(out, "failure", orders->written == MZ_SAFE ? "" : orders->failure);
    mz_text_add(out, ",\"found\":%s,\"searches\":%u,\"sites\":[", orders->is_found ? "true" : "false",
                orders->checks);
    for (uint32_t i = 0; i < orders->sites->count; i++)
        add_json_site(orders, i, out);
    mz_text_add(out, "]}\n");
}

/* ---- the command -------------------------------------------------------------------------------------- */

typedef struct wishes {
    bool json, patch, help;
} wishes;

/* Takes its own options out of the words. */
static int take_own(int argc, char **argv, wishes *w)
{
    int count = 0;
    bool arguments = false;
    for (int i = 0; i < argc; i++) {
        arguments |= strcmp(argv[i], "--") == 0;
        bool *own = arguments                                                      ? NULL
                    : strcmp(argv[i], "--json") == 0                               ? &w->json
                    : strcmp(argv[i], "--patch") == 0                              ? &w->patch
                    : strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0 ? &w->help
                                                                                   : NULL;
        if (own)
            *own = true;
        else
            argv[count++] = argv[i];
    }
    argv[count] = NULL;
    return count;
}

static int print(const mz_orders *orders, const char *program, const wishes *w)
{
    mz_text text = {0}, programs = {0};
    add_for_people(orders, program, &text);
    if (w->json)
        add_json(orders, program, &programs);
    if (w->patch && orders->is_found) {
        mz_text left = {0};
        mz_orders_patch(orders, &programs, &left);
        mz_text_add(&text, "%s", mz_text_string(&left));
        mz_text_release(&left);
    }
    int code = orders->is_found               ? MZ_EXIT_SAFE
               : orders->written == MZ_UNSAFE ? MZ_EXIT_BUG
                                              : MZ_EXIT_INCOMPLETE;
    return mz_print("orders", &text, w->json || w->patch ? &programs : NULL, code);
}

static void refuse_models(const mz_settings *s, mz_error *error)
{
    if (error->set || s->native)
        return;
    mz_error_set(error, (mz_position){0}, "'mazurka orders' is for programs in C and C++");
    mz_error_set_hint(error, "a model in dlang has no memory orders");
}

int mz_command_orders(int argc, char **argv)
{
    mz_request request;
    mz_orders orders = {0};
    mz_error error = {0};
    wishes w = {0};
    int code = MZ_EXIT_SAFE;
    if (argc > 1 && strcmp(argv[1], "--help") != 0)
        mz_without_randomisation(argv - 1);
    argc = take_own(argc, argv, &w);
    if (w.help) {
        mz_print_help(stdout, help);
        return MZ_EXIT_SAFE;
    }
    mz_request_parse(&request, MZ_FOR_CHECK, argc, argv, &error);
    refuse_models(&request.plan.check, &error);
    if (!error.set)
        mz_orders_find(&orders, &request.plan.check, &error);
    if (!error.set)
        code = print(&orders, request.plan.check.files[0], &w);
    if (mz_print_error("orders", &error))
        code = MZ_EXIT_USAGE;
    mz_orders_release(&orders);
    mz_request_release(&request);
    return code;
}
