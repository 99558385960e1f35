#include <stddef.h>

/// A file of the studio's page.
typedef struct {
  const char *name;
  const unsigned char *bytes;
  size_t count;
} studio_file;

size_t studio_page_count(void);
studio_file studio_page_file(size_t index);
