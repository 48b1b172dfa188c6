/* List of all exporters. A new exporter is added only here. */
#include "export/export.h"

#define EXPORTERS(ROW)                                                                             \
    ROW(blktrace)                                                                                  \
    ROW(chrome)                                                                                    \
    ROW(columns)                                                                                   \
    ROW(csv)                                                                                       \
    ROW(fio)                                                                                       \
    ROW(fio_old)                                                                                   \
    ROW(mobigen)                                                                                   \
    ROW(msr)                                                                                       \
    ROW(oracle)                                                                                    \
    ROW(oracle_csv)                                                                                \
    ROW(parquet)                                                                                   \
    ROW(rowbinary)                                                                                 \
    ROW(speedscope)

#define DECLARE(name) extern const struct exporter name##_exporter;
EXPORTERS(DECLARE)

#define POINT(name) &name##_exporter,
const struct exporter *const exporters[] = {EXPORTERS(POINT) NULL};
