#ifndef BENCHMARKS_CSQLITERAW_SHIM_H
#define BENCHMARKS_CSQLITERAW_SHIM_H
#include <sqlite3.h>
#endif
