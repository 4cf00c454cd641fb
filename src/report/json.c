#include <string.h>

#include "report/formats.h"

static void add_string(mz_text *out, const char *text)
{
    mz_text_add(out, "\"");
    for (size_t bytes; *text; text += bytes) {
        unsigned char c = (unsigned char)*text;
        bytes = mz_utf8_bytes(text, strlen(text));
        if (bytes == 0) { /* a file name can be anything, JSON cannot */
            mz_text_add(out, "\\ufffd");
            bytes = 1;
        } else if (c == '"' || c == '\\') {
            mz_text_add(out, "\\%c", c);
        } else if (c < 32 || c == 127) {
            mz_text_add(out, "\\u%04x", c);
        } else {
            mz_text_add_bytes(out, text, bytes);
        }
    }
    mz_text_add(out, "\"");
}

void mz_json_add_string(mz_text *out, const char *text)
{
    add_string(out, text);
}

static void add_member(mz_text *out, const char *key, const char *value)
{
    mz_text_add(out, "\"%s\":", key);
    add_string(out, value);
}

static void add_strings(mz_text *out, const char *const *lines, size_t count)
{
    mz_text_add(out, "[");
    for (size_t i = 0; i < count; i++) {
        mz_text_add(out, "%s", i ? "," : "");
        add_string(out, lines[i]);
    }
    mz_text_add(out, "]");
}

static void add_relation(mz_text *out, const char *key, mz_relation relation)
{
    const char *names[MZ_REFINEMENT_COUNT];
    size_t count = 0;
    for (int i = 0; i < MZ_REFINEMENT_COUNT; i++)
        if (relation >> i & 1)
            names[count++] = mz_refinement_name(i);
    mz_text_add(out, ",\"%s\":", key);
    add_strings(out, names, count);
}

static void add_steps(const mz_report_error *e, mz_text *out)
{
    mz_text_add(out, "\"steps\":[");
    for (size_t i = 0; i < e->step_count; i++) {
        const mz_report_step *step = &e->steps[i];
        mz_text_add(out, "%s{\"thread\":%u,\"line\":%u,", i ? "," : "", step->thread, step->position.line);
        add_member(out, "operation", step->text);
        mz_text_add(out, ",");
        add_member(out, "effect", step->effect);
        mz_text_add(out, "}");
    }
    mz_text_add(out, "]");
}

static void add_error(const mz_report_error *e, mz_text *out)
{
    mz_text_add(out, "{");
    add_member(out, "kind", mz_failure_name(e->kind));
    mz_text_add(out, ",");
    add_member(out, "message", e->message);
    mz_text_add(out, ",");
    add_member(out, "file", e->position.file ? e->position.file : "");
    mz_text_add(out, ",");
    add_member(out, "initial_choices", e->initial_choices);
    mz_text_add(out, ",");
    add_member(out, "trace", e->trace ? e->trace : "");
    mz_text_add(out, ",\"line\":%u,\"column\":%u,\"thread\":%u,\"occurrences\":%llu,", e->position.line,
                e->position.column, e->thread, (unsigned long long)e->occurrences);
    add_steps(e, out);
    static const char *const decided[] = {"", "in-step", "perhaps", "at-start"};
    mz_text_add(out, ",\"decisive\":%zu,\"continuations\":%llu,",
                e->decided == MZ_DECIDED_IN_STEP || e->decided == MZ_DECIDED_PERHAPS ? e->decisive : 0,
                (unsigned long long)e->continuations);
    add_member(out, "decided", decided[e->decided]);
    mz_text_add(out, "}");
}

static void add_warning(const mz_warning *w, mz_text *out)
{
    mz_text_add(out, "{");
    add_member(out, "kind", mz_warning_name(w->kind));
    mz_text_add(out, ",");
    add_member(out, "message", w->message);
    mz_text_add(out, ",");
    add_member(out, "file", w->position.file ? w->position.file : "");
    mz_text_add(out, ",\"line\":%u,\"column\":%u}", w->position.line, w->position.column);
}

static void add_unasked(const mz_report_unasked *u, mz_text *out)
{
    mz_text_add(out, "{");
    add_member(out, "kind", mz_failure_name(u->kind));
    mz_text_add(out, ",");
    add_member(out, "message", u->message);
    mz_text_add(out, ",");
    add_member(out, "file", u->position.file ? u->position.file : "");
    mz_text_add(out, ",\"line\":%u,\"column\":%u}", u->position.line, u->position.column);
}

void mz_report_json(const mz_report *r, mz_text *out)
{
    mz_text_add(out, "{\"tool\":\"mazurka\",");
    add_member(out, "version", r->version);
    mz_text_add(out, ",");
    if (r->target) {
        add_member(out, "target", r->target);
        mz_text_add(out, ",");
    }
    add_member(out, "program", r->program);
    mz_text_add(out, ",");
    add_member(out, "algorithm", r->algorithm);
    mz_text_add(out, ",");
    add_member(out, "verdict", mz_verdict_word(r->verdict));
    if (r->refused)
        add_member(out, "refused", r->refused);
    mz_text_add(out, ",");
    add_member(out, "memory", mz_memory_name(r->memory));
    add_relation(out, "relation", r->relation);
    add_relation(out, "refined", r->refined);
    for (size_t i = 0; i < r->count_count; i++)
        mz_text_add(out, ",\"%s\":%llu", r->counts[i].key, (unsigned long long)r->counts[i].value);
    mz_text_add(out, ",\"seconds\":%.6f,\"peak_bytes\":%llu,\"threads\":%u,\"share_done\":%.6f", r->seconds,
                (unsigned long long)r->peak_bytes, r->thread_count, r->share_done);
    mz_text_add(out, ",\"notes\":");
    add_strings(out, r->notes, r->note_count);
    mz_text_add(out, ",\"exit_statuses\":[");
    for (size_t i = 0; i < r->exit_status_count; i++)
        mz_text_add(out, "%s%u", i ? "," : "", r->exit_statuses[i]);
    mz_text_add(out, "],\"assumptions\":");
    add_strings(out, r->assumptions, r->assumption_count);
    mz_text_add(out, ",\"checked\":[");
    bool first = true;
    for (int kind = 0; kind < MZ_FAILURE_KIND_COUNT; kind++)
        if (r->checks & (1u << kind)) {
            mz_text_add(out, "%s", first ? "" : ",");
            add_string(out, mz_failure_check_name((mz_failure_kind)kind));
            first = false;
        }
    mz_text_add(out, "],");
    add_member(out, "reason", r->reason);
    if (r->numbers) {
        mz_text_add(out, ",");
        add_member(out, "numbers", r->numbers);
    }
    if (r->alone) {
        mz_text_add(out, ",");
        add_member(out, "one_process", r->alone);
    }
    mz_text_add(out, ",\"bounded\":%s,\"accepted\":%s", r->bounded ? "true" : "false",
                mz_report_verdict(r) == MZ_SAFE ? "true" : "false");
    if (r->advice_count > 0) {
        mz_text_add(out, ",\"advice\":");
        add_strings(out, r->advice, r->advice_count);
    }
    if (r->found_by && r->found_by[0]) {
        mz_text_add(out, ",");
        add_member(out, "found_by", r->found_by);
    }
    if (r->checkpoint) {
        mz_text_add(out, ",");
        add_member(out, "checkpoint", r->checkpoint);
    }
    if (r->client_count > 0) {
        mz_text_add(
            out,
            ",\"clients\":%zu,\"clients_checked\":%zu,\"client_next\":%zu,\"sequences\":%llu,\"calls\":%u",
            r->client_count, r->clients_checked, r->client_next, (unsigned long long)r->sequences, r->calls);
        mz_text_add(out, ",");
        add_member(out, "client", r->client ? r->client : "");
        mz_text_add(out, ",");
        add_member(out, "history", r->history ? r->history : "");
        mz_text_add(out, ",\"intervals\":%s", r->calls_json ? r->calls_json : "[]");
        if (r->progress_json)
            mz_text_add(out, ",\"progress\":%s", r->progress_json);
        if (r->coverage_json)
            mz_text_add(out, ",\"coverage\":%s", r->coverage_json);
    }
    if (r->output) {
        mz_text_add(out, ",");
        add_member(out, "output", r->output);
    }
    if (r->way) {
        mz_text_add(out, ",\"way\":{");
        add_member(out, "trace", r->way->trace ? r->way->trace : "");
        mz_text_add(out, ",");
        add_steps(r->way, out);
        mz_text_add(out, "}");
    }
    mz_text_add(out, ",\"warnings\":[");
    for (size_t i = 0; i < r->warning_count; i++) {
        mz_text_add(out, "%s", i ? "," : "");
        add_warning(&r->warnings[i], out);
    }
    mz_text_add(out, "],\"unasked\":[");
    for (size_t i = 0; i < r->unasked_count; i++) {
        mz_text_add(out, "%s", i ? "," : "");
        add_unasked(&r->unasked[i], out);
    }
    mz_text_add(out, "],\"errors\":[");
    for (size_t i = 0; i < r->error_count; i++) {
        mz_text_add(out, "%s", i ? "," : "");
        add_error(&r->errors[i], out);
    }
    mz_text_add(out, "]}");
}

void mz_reports_json(const mz_report *reports, size_t count, mz_text *out)
{
    bool is_list = count > 1 || (count == 1 && reports[0].target);
    mz_text_add(out, "%s", is_list ? "[" : "");
    for (size_t i = 0; i < count; i++) {
        mz_text_add(out, "%s", i ? ",\n" : "");
        mz_report_json(&reports[i], out);
    }
    mz_text_add(out, "%s\n", is_list ? "]" : "");
}
