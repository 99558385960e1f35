#include <sqlite3.h>

// Makes unknown names in double quotes an error. By default, SQLite reads them as text. Swift cannot call variadic functions.
static inline int trellis_refuse_quoted_text(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
}
