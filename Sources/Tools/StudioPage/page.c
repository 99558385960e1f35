#include "StudioPage.h"

// Older C standards have no such directive, but the compiler of every Swift 6.3 toolchain does.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "Page/index.html"
};
static const unsigned char studio_css[] = {
#embed "Page/studio.css"
};
static const unsigned char studio_js[] = {
#embed "Page/studio.js"
};
static const unsigned char basics_js[] = {
#embed "Page/basics.js"
};
static const unsigned char draft_js[] = {
#embed "Page/draft.js"
};
static const unsigned char edit_js[] = {
#embed "Page/edit.js"
};
static const unsigned char fields_js[] = {
#embed "Page/fields.js"
};
static const unsigned char conditions_js[] = {
#embed "Page/conditions.js"
};
static const unsigned char columns_js[] = {
#embed "Page/columns.js"
};
static const unsigned char table_js[] = {
#embed "Page/table.js"
};
static const unsigned char views_js[] = {
#embed "Page/views.js"
};
static const unsigned char understand_css[] = {
#embed "Page/understand.css"
};
static const unsigned char understand_js[] = {
#embed "Page/understand.js"
};

static const studio_file files[] = {
  {"index.html", index_html, sizeof index_html}, {"studio.css", studio_css, sizeof studio_css},
  {"studio.js", studio_js, sizeof studio_js},    {"basics.js", basics_js, sizeof basics_js},
  {"draft.js", draft_js, sizeof draft_js},       {"edit.js", edit_js, sizeof edit_js},
  {"fields.js", fields_js, sizeof fields_js},    {"table.js", table_js, sizeof table_js},
  {"views.js", views_js, sizeof views_js},       {"understand.js", understand_js, sizeof understand_js},
  {"understand.css", understand_css, sizeof understand_css},
  {"columns.js", columns_js, sizeof columns_js}, {"conditions.js", conditions_js, sizeof conditions_js},
};

size_t studio_page_count(void) { return sizeof files / sizeof files[0]; }

studio_file studio_page_file(size_t index) { return files[index]; }
