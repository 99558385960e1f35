#ifndef BENCHMARKS_CPOSTGRESRAW_SHIM_H
#define BENCHMARKS_CPOSTGRESRAW_SHIM_H
#include <libpq-fe.h>
#include <malloc.h>
#endif
