/* A page that stands for itself: the results as data, and a script that shows them (page/). */
#include <string.h>

#include "report/assets.h"
#include "report/formats.h"
#include "report/table.h"
#include "report/xml.h"

static void add_member(mz_text *out, const char *key, const char *value)
{
    mz_text_add(out, "\"%s\":", key);
    mz_json_add_string(out, value ? value : "");
}

/* "[["x","0","1"],…]", from what MZ_VALUE_PART and MZ_VALUE_END are between. */
static void add_values(mz_text *out, const char *values)
{
    mz_text_add(out, ",\"values\":[");
    for (bool first = true; *values; first = false) {
        mz_text_add(out, "%s[", first ? "" : ",");
        for (int part = 0; part < 3; part++) {
            size_t length = strcspn(values, MZ_VALUE_PART MZ_VALUE_END);
            mz_text word = {0};
            mz_text_add_bytes(&word, values, length);
            mz_text_add(out, "%s", part ? "," : "");
            mz_json_add_string(out, mz_text_string(&word));
            mz_text_release(&word);
            values += length + (values[length] != '\0');
        }
        mz_text_add(out, "]");
    }
    mz_text_add(out, "]");
}

static void add_row(mz_text *out, const mz_report_step *step, size_t number, bool is_end)
{
    mz_text_add(out, "{\"step\":%zu,\"thread\":%u,\"line\":%u,\"end\":%s,", number, step->thread,
                step->position.line, is_end ? "true" : "false");
    add_member(out, "file", step->position.file);
    mz_text_add(out, ",");
    add_member(out, "text", step->source ? step->source : step->text);
    mz_text_add(out, ",");
    add_member(out, "effect", step->effect);
    add_values(out, step->values ? step->values : "");
    mz_text_add(out, "}");
}

/* Steps have their numbers, moments 0. */
static void add_rows(mz_text *out, const mz_report_error *e)
{
    size_t moment = 0;
    bool first = true;
    mz_text_add(out, "\"rows\":[");
    for (size_t i = 0; i <= e->step_count; i++) {
        for (; moment < e->moment_count && e->moments[moment].after <= i; moment++, first = false) {
            mz_text_add(out, "%s", first ? "" : ",\n");
            add_row(out, &e->moments[moment].row, 0, e->moments[moment].is_end);
        }
        if (i == e->step_count)
            break;
        mz_text_add(out, "%s", first ? "" : ",\n");
        add_row(out, &e->steps[i], i + 1, false);
        first = false;
    }
    mz_text_add(out, "],\"links\":[");
    for (size_t i = 0; i < e->link_count; i++)
        mz_text_add(out, "%s[%u,%u]", i ? "," : "", e->links[i].from + 1, e->links[i].to + 1);
    mz_text_add(out, "]");
}

/* The lines of the text as sentences of one paragraph. */
static void add_story(mz_text *out, const mz_report *r, const mz_report_error *e)
{
    mz_text lines = {0}, words = {0};
    mz__add_decision(r, e, (mz_style){.width = 100000}, &lines);
    for (const char *line = mz_text_string(&lines); *line;) {
        line += strspn(line, " *\n");
        size_t length = strcspn(line, "\n");
        mz_text_add(&words, "%s%.*s", words.length > 0 ? "; " : "", (int)length, line);
        line += length + (line[length] == '\n');
    }
    add_member(out, "story", mz_text_string(&words));
    mz_text_release(&lines);
    mz_text_release(&words);
}

static void add_passing(mz_text *out, const mz_report_error *e)
{
    mz_text_add(out, ",\"decisive\":%zu,\"passing\":[",
                e->decided == MZ_DECIDED_IN_STEP || e->decided == MZ_DECIDED_PERHAPS ? e->decisive : 0);
    for (size_t i = 0; i < e->passing_count; i++) {
        mz_text_add(out, "%s", i ? ",\n" : "");
        add_row(out, &e->passing[i], i + 1, false);
    }
    mz_text_add(out, "],");
}

static void add_error(mz_text *out, const mz_report *r, const mz_report_error *e)
{
    mz_text_add(out, "{\"thread\":%u,\"line\":%u,\"left_out\":%zu,\"switches\":%zu,", e->thread,
                e->position.line, e->original_steps - e->step_count, e->context_switches);
    add_member(out, "kind", mz_failure_name(e->kind));
    mz_text_add(out, ",");
    add_member(out, "message", e->message);
    mz_text_add(out, ",");
    add_member(out, "file", e->position.file);
    mz_text_add(out, ",");
    add_member(out, "trace", e->trace);
    mz_text_add(out, ",");
    add_member(out, "choices", e->initial_choices);
    mz_text_add(out, ",\"names\":[");
    for (uint32_t t = 0; t < (e->thread_count ? e->thread_count : r->thread_count); t++) {
        mz_text name = {0};
        mz__add_thread_name(r, e, t, &name);
        mz_text_add(out, "%s", t ? "," : "");
        mz_json_add_string(out, mz_text_string(&name));
        mz_text_release(&name);
    }
    mz_text_add(out, "]");
    add_passing(out, e);
    add_story(out, r, e);
    mz_text_add(out, ",");
    add_rows(out, e);
    mz_text_add(out, "}");
}

static void add_sources(mz_text *out, const mz_report *r)
{
    mz_text_add(out, "\"sources\":[");
    for (size_t i = 0; i < r->source_count; i++) {
        const mz_report_source *file = &r->sources[i];
        mz_text_add(out, "%s{", i ? "," : "");
        add_member(out, "name", file->name);
        mz_text_add(out, ",\"lines\":[");
        for (size_t line = 0; line < file->line_count; line++) {
            mz_text_add(out, "%s", line ? ",\n" : "");
            mz_json_add_string(out, file->lines[line]);
        }
        mz_text_add(out, "]}");
    }
    mz_text_add(out, "]");
}

static void add_report(mz_text *out, const mz_report *r)
{
    mz_text_add(out, "{\"report\":");
    mz_report_json(r, out);
    mz_text_add(out, ",\"errors\":[");
    for (size_t i = 0; i < r->error_count; i++) {
        mz_text_add(out, "%s", i ? "," : "");
        add_error(out, r, &r->errors[i]);
    }
    mz_text_add(out, "],");
    add_sources(out, r);
    mz_text_add(out, ",\"exploration\":[%s]}", r->exploration ? r->exploration : "");
}

/* Nothing in the data can end the element that it stands in. */
static void add_data(mz_text *out, const mz_report *reports, size_t count)
{
    mz_text data = {0};
    for (size_t i = 0; i < count; i++) {
        mz_text_add(&data, "%s", i ? "," : "");
        add_report(&data, &reports[i]);
    }
    mz_text_add(out, "<script type=\"application/json\" id=\"data\">[");
    for (const char *c = mz_text_string(&data), *next; *c; c = next) {
        next = c + strcspn(c, "<");
        mz_text_add_bytes(out, c, (size_t)(next - c));
        if (*next) {
            mz_text_add(out, "\\u003c");
            next++;
        }
    }
    mz_text_add(out, "]</script>\n");
    mz_text_release(&data);
}

void mz_reports_html(const mz_report *reports, size_t count, mz_text *out)
{
    mz_text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    mz_xml_add(out, count > 0 ? reports[0].program : "");
    mz_text_add(out, " – Mazurka</title>\n<style>\n%s</style>\n</head>\n<body>\n<main id=\"page\"></main>\n",
                mz_asset_text("page.css"));
    add_data(out, reports, count);
    mz_text_add(out, "<script>\n%s</script>\n</body>\n</html>\n", mz_asset_text("page.js"));
}
