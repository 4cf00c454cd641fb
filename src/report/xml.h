/* Text in XML and HTML. */
#ifndef MZ_REPORT_XML_H
#define MZ_REPORT_XML_H

#include "base/text.h"

/* As content or as the value of an attribute; what XML does not have at all becomes U+FFFD. */
void mz_xml_add(mz_text *out, const char *text);

#endif
