#include "report/xml.h"

#include <string.h>

void mz_xml_add(mz_text *out, const char *text)
{
    for (size_t bytes; *text; text += bytes) {
        unsigned char c = (unsigned char)*text;
        bytes = mz_utf8_bytes(text, strlen(text));
        if (bytes == 0 || (c < 32 && c != '\n' && c != '\t')) {
            mz_text_add(out, "\xef\xbf\xbd");
            bytes = 1;
        } else if (c == '<' || c == '>' || c == '&' || c == '"') {
            mz_text_add(out, "%s", c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : "&quot;");
        } else {
            mz_text_add_bytes(out, text, bytes);
        }
    }
}
