#ifndef TRELLIS_CSQLITE_SHIM_H
#define TRELLIS_CSQLITE_SHIM_H
#include <sqlite3.h>

// Swift cannot call functions with a variable number of arguments.
static inline int trellis_sqlite3_leave_memory_uncounted(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
#endif
