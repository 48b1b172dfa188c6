/* List of all importers. Add a new importer to this list only. */
#include "import/importer.h"

#define IMPORTERS(ROW)                                                                             \
    ROW(palmist)                                                                                   \
    ROW(most)                                                                                      \
    ROW(most_binary)                                                                               \
    ROW(androtrace)                                                                                \
    ROW(blkparse)                                                                                  \
    ROW(blktrace)                                                                                  \
    ROW(mobigen)                                                                                   \
    ROW(ltrace)                                                                                    \
    ROW(strace)                                                                                    \
    ROW(dwtrace)                                                                                   \
    ROW(rmp)                                                                                       \
    ROW(android_trace)                                                                             \
    ROW(samples)                                                                                   \
    ROW(mobibench)                                                                                 \
    ROW(iozone)                                                                                    \
    ROW(counts)                                                                                    \
    ROW(fio_iolog)                                                                                 \
    ROW(vscsi)                                                                                     \
    ROW(oracle_general)                                                                            \
    ROW(chrome)                                                                                    \
    ROW(stacks)                                                                                    \
    ROW(ftrace)                                                                                    \
    ROW(perfetto)

#define DECLARE(name) extern const struct importer name##_importer;
IMPORTERS(DECLARE)

#define POINT(name) &name##_importer,
const struct importer *const importers[] = {IMPORTERS(POINT) NULL};
