#include "session/progress.h"

#include <stdio.h>

#include "base/text.h"
#include "report/report.h"

void mz_progress_show(void *context, const mz_progress *p)
{
    mz_progress_line *shown = context;
    shown->shown = true;
    mz_text line = {0};
    mz_text_add(&line, "%s: ", shown->program);
    mz_text_add_grouped(&line, p->traces);
    mz_text_add(&line, " traces, ");
    mz_text_add_grouped(&line, (uint64_t)p->traces_per_second);
    mz_text_add(&line, "/s");
    if (p->share_done > 0) { /* it is known */
        mz_text_add(&line, ", ~%.2g %% done, ~", p->share_done * 100);
        mz_text_add_duration(&line, p->seconds * (1 - p->share_done) / p->share_done);
        mz_text_add(&line, " left");
    }
    fprintf(stderr, "\r\033[K%.160s", mz_text_string(&line));
    fflush(stderr);
    mz_text_release(&line);
}

void mz_progress_show_clients(mz_progress_line *shown, size_t done, size_t count, uint64_t traces,
                              double seconds)
{
    mz_text line = {0};
    shown->shown = true;
    mz_text_add(&line, "%s: ", shown->program);
    mz_text_add_grouped(&line, done);
    mz_text_add(&line, " of ");
    mz_text_add_grouped(&line, count);
    mz_text_add(&line, " clients, ");
    mz_text_add_grouped(&line, traces);
    mz_text_add(&line, " traces, ");
    mz_text_add_duration(&line, seconds);
    fprintf(stderr, "\r\033[K%.160s", mz_text_string(&line));
    fflush(stderr);
    mz_text_release(&line);
}

void mz_progress_erase(mz_progress_line *line)
{
    if (line->shown)
        fprintf(stderr, "\r\033[K");
    fflush(stderr);
}
