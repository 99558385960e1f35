#include <sqlite3.h>

// Makes a name in double quotes that no table has an error in a statement, instead of text. Swift cannot call functions with
// variable arguments.
static inline int trellis_refuse_quoted_text(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
}
