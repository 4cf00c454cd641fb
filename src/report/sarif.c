/* SARIF 2.1.0: an error is a result; its steps are a code flow with one thread flow per thread, in which
 * executionOrder says how they interleave. */
#include <string.h>

#include "base/sha256.h"
#include "report/formats.h"
#include "report/table.h"

#define SCHEMA "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

static void add_member(mz_text *out, const char *key, const char *value)
{
    mz_text_add(out, "\"%s\":", key);
    mz_json_add_string(out, value);
}

static void add_message(mz_text *out, const char *text)
{
    mz_text_add(out, "\"message\":{");
    add_member(out, "text", text);
    mz_text_add(out, "}");
}

/* A file name as a URI: what is not allowed there becomes %XX. */
static void add_uri(mz_text *out, const char *file)
{
    mz_text_add(out, "\"artifactLocation\":{\"uri\":\"%s", file[0] == '/' ? "file://" : "");
    for (; *file; file++) {
        unsigned char c = (unsigned char)*file;
        bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("-._~/+", c);
        mz_text_add(out, plain ? "%c" : "%%%02X", c);
    }
    mz_text_add(out, "\"}");
}

static void add_location(mz_text *out, const mz_position *position, const char *message)
{
    mz_text_add(out, "{");
    if (position->file) {
        mz_text_add(out, "\"physicalLocation\":{");
        add_uri(out, position->file);
        if (position->line > 0) {
            mz_text_add(out, ",\"region\":{\"startLine\":%u", position->line);
            if (position->column > 0)
                mz_text_add(out, ",\"startColumn\":%u", position->column);
            mz_text_add(out, "}");
        }
        mz_text_add(out, "}%s", message ? "," : "");
    }
    if (message)
        add_message(out, message);
    mz_text_add(out, "}");
}

/* ---- the steps ------------------------------------------------------------------------------------------
 */

static void add_step(mz_text *out, const mz_report_step *step, size_t order, bool is_end)
{
    mz_text words = {0};
    mz__add_step_words(step, &words);
    mz_text_add(out, "{\"executionOrder\":%zu,\"importance\":\"%s\",\"location\":", order,
                is_end ? "essential" : "important");
    add_location(out, &step->position, mz_text_string(&words));
    mz_text_add(out, "}");
    mz_text_release(&words);
}

/* Those of one thread; how many. `out` may be NULL, to count them. */
static size_t add_steps_of(mz_text *out, const mz_report_error *e, uint32_t thread)
{
    size_t found = 0, moment = 0, order = 0;
    for (size_t i = 0; i <= e->step_count; i++) {
        for (; moment < e->moment_count && e->moments[moment].after <= i; moment++) {
            order++;
            if (e->moments[moment].row.thread != thread)
                continue;
            if (out) {
                mz_text_add(out, "%s", found ? "," : "");
                add_step(out, &e->moments[moment].row, order, e->moments[moment].is_end);
            }
            found++;
        }
        if (i == e->step_count)
            break;
        order++;
        if (e->steps[i].thread != thread)
            continue;
        if (out) {
            mz_text_add(out, "%s", found ? "," : "");
            add_step(out, &e->steps[i], order, false);
        }
        found++;
    }
    return found;
}

static uint32_t last_thread(const mz_report_error *e)
{
    uint32_t last = 0;
    for (size_t i = 0; i < e->step_count; i++)
        last = e->steps[i].thread > last ? e->steps[i].thread : last;
    for (size_t i = 0; i < e->moment_count; i++)
        last = e->moments[i].row.thread > last ? e->moments[i].row.thread : last;
    return last;
}

static void add_flows(mz_text *out, const mz_report *r, const mz_report_error *e)
{
    bool first = true;
    if (e->step_count + e->moment_count == 0)
        return;
    mz_text_add(out, ",\"codeFlows\":[{\"threadFlows\":[");
    for (uint32_t thread = 0; thread <= last_thread(e); thread++) {
        if (add_steps_of(NULL, e, thread) == 0)
            continue;
        mz_text name = {0};
        mz__add_thread_name(r, e, thread, &name);
        mz_text_add(out, "%s{", first ? "" : ",");
        add_member(out, "id", mz_text_string(&name));
        mz_text_add(out, ",\"locations\":[");
        add_steps_of(out, e, thread);
        mz_text_add(out, "]}");
        mz_text_release(&name);
        first = false;
    }
    mz_text_add(out, "]}]");
}

/* ---- results --------------------------------------------------------------------------------------------
 */

/* The same error in the same place has the same one, whatever else changes around it. */
static void add_fingerprint(mz_text *out, const char *kind, const mz_position *position, const char *message)
{
    mz_text words = {0};
    char digits[MZ_SHA256_DIGITS + 1];
    mz_text_add(&words, "%s %s %s", kind, position->file ? position->file : "", message);
    mz_sha256(mz_text_string(&words), words.length, digits);
    mz_text_add(out, ",\"partialFingerprints\":{\"mazurka/v1\":\"%.32s\"}", digits);
    mz_text_release(&words);
}

static void begin_result(mz_text *out, const char *rule, const char *level, const char *message,
                         const mz_position *position)
{
    mz_text_add(out, "{\"ruleId\":\"%s\",\"level\":\"%s\",", rule, level);
    add_message(out, message);
    if (position->file) {
        mz_text_add(out, ",\"locations\":[");
        add_location(out, position, NULL);
        mz_text_add(out, "]");
    }
    add_fingerprint(out, rule, position, message);
}

static void add_results(mz_text *out, const mz_report *r)
{
    bool first = true;
    for (size_t i = 0; i < r->error_count; i++, first = false) {
        const mz_report_error *e = &r->errors[i];
        mz_text_add(out, "%s", first ? "" : ",");
        begin_result(out, mz_failure_name(e->kind), "error", e->message, &e->position);
        add_flows(out, r, e);
        mz_text_add(out, "}");
    }
    for (size_t i = 0; i < r->warning_count; i++, first = false) {
        const mz_warning *w = &r->warnings[i];
        mz_text_add(out, "%s", first ? "" : ",");
        mz_text rule = {0};
        mz_text_add(&rule, "warning/%s", mz_warning_name(w->kind));
        begin_result(out, mz_text_string(&rule), "warning", w->message, &w->position);
        mz_text_add(out, "}");
        mz_text_release(&rule);
    }
}

static void add_rules(mz_text *out)
{
    mz_text_add(out, "\"rules\":[");
    for (int kind = 0; kind < MZ_FAILURE_KIND_COUNT; kind++) {
        mz_text_add(out, "%s{\"id\":\"%s\",\"shortDescription\":{", kind ? "," : "",
                    mz_failure_name((mz_failure_kind)kind));
        add_member(out, "text", mz_failure_description((mz_failure_kind)kind));
        mz_text_add(out, "}}");
    }
    mz_text_add(out, "]");
}

static void add_run(mz_text *out, const mz_report *r)
{
    mz_text_add(out, "{\"tool\":{\"driver\":{\"name\":\"mazurka\",");
    add_member(out, "version", r->version);
    mz_text_add(out, ",");
    add_rules(out);
    mz_text_add(out, "}}");
    if (r->target) { /* by which one run of a file is told from the others */
        mz_text id = {0};
        mz_text_add(&id, "mazurka/%s/%s", r->target, r->algorithm);
        mz_text_add(out, ",\"automationDetails\":{");
        add_member(out, "id", mz_text_string(&id));
        mz_text_add(out, "}");
        mz_text_release(&id);
    }
    mz_text_add(out, ",\"columnKind\":\"unicodeCodePoints\",\"invocations\":[{\"executionSuccessful\":%s",
                mz_report_verdict(r) == MZ_INCOMPLETE ? "false" : "true");
    mz_text_add(out, ",\"exitCode\":%d", mz_verdict_exit_code(mz_report_verdict(r)));
    if (r->reason[0]) {
        mz_text_add(out, ",\"toolExecutionNotifications\":[{\"level\":\"warning\",");
        add_message(out, r->reason);
        mz_text_add(out, "}]");
    }
    mz_text_add(out, "}],\"properties\":{");
    add_member(out, "program", r->program);
    mz_text_add(out, ",");
    add_member(out, "algorithm", r->algorithm);
    mz_text_add(out, ",");
    add_member(out, "verdict", mz_verdict_word(r->verdict));
    mz_text_add(out, "},\"results\":[");
    add_results(out, r);
    mz_text_add(out, "]}");
}

void mz_reports_sarif(const mz_report *reports, size_t count, mz_text *out)
{
    mz_text_add(out, "{\"$schema\":\"" SCHEMA "\",\"version\":\"2.1.0\",\"runs\":[");
    for (size_t i = 0; i < count; i++) {
        mz_text_add(out, "%s", i ? ",\n" : "");
        add_run(out, &reports[i]);
    }
    mz_text_add(out, "]}\n");
}
