/* JUnit: a check is a test case, an error a failure, what stayed incomplete an error, a sample is skipped. */
#include <string.h>

#include "report/formats.h"
#include "report/xml.h"

static void add_failure(const mz_report *r, const mz_report_error *e, mz_text *out)
{
    mz_text story = {0};
    mz_report_error_text(r, e, MZ_PLAIN_STYLE, &story);
    mz_text_add(out, "      <failure type=\"%s\" message=\"", mz_failure_name(e->kind));
    mz_xml_add(out, e->message);
    mz_text_add(out, "\">");
    mz_xml_add(out, mz_text_string(&story));
    mz_text_add(out, "</failure>\n");
    mz_text_release(&story);
}

static void add_unfinished(const mz_report *r, mz_text *out)
{
    mz_text_add(out, r->only_sampled ? "      <skipped message=\""
                     : r->refused    ? "      <error type=\"refused\" message=\""
                                     : "      <error type=\"incomplete\" message=\"");
    mz_xml_add(out, r->reason);
    mz_text_add(out, "\"/>\n");
}

static void add_case(const mz_report *r, mz_text *out)
{
    mz_text story = {0};
    mz_report_text(r, MZ_PLAIN_STYLE, &story);
    mz_text_add(out, "    <testcase classname=\"mazurka.%s\" name=\"", r->algorithm);
    mz_xml_add(out, r->target ? r->target : r->program);
    mz_text_add(out, "\" time=\"%.6f\">\n", r->seconds);
    for (size_t i = 0; i < r->error_count; i++)
        add_failure(r, &r->errors[i], out);
    if (mz_report_verdict(r) == MZ_INCOMPLETE)
        add_unfinished(r, out);
    mz_text_add(out, "      <system-out>");
    mz_xml_add(out, mz_text_string(&story));
    mz_text_add(out, "</system-out>\n    </testcase>\n");
    mz_text_release(&story);
}

void mz_reports_junit(const mz_report *reports, size_t count, mz_text *out)
{
    size_t failures = 0, errors = 0, skipped = 0;
    double seconds = 0;
    for (size_t i = 0; i < count; i++) {
        mz_verdict verdict = mz_report_verdict(&reports[i]);
        failures += verdict == MZ_UNSAFE;
        errors += verdict == MZ_INCOMPLETE && !reports[i].only_sampled;
        skipped += verdict == MZ_INCOMPLETE && reports[i].only_sampled;
        seconds += reports[i].seconds;
    }
    mz_text numbers = {0};
    mz_text_add(
        &numbers,
        "name=\"mazurka\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.6f\"", count,
        failures, errors, skipped, seconds);
    mz_text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites %s>\n  <testsuite %s>\n",
                mz_text_string(&numbers), mz_text_string(&numbers));
    for (size_t i = 0; i < count; i++)
        add_case(&reports[i], out);
    mz_text_add(out, "  </testsuite>\n</testsuites>\n");
    mz_text_release(&numbers);
}
