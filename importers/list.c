/* List of all importers. Add a new one only here. */
#include "import/importer.h"

extern const struct importer palmist_importer;
extern const struct importer most_importer;
extern const struct importer most_binary_importer;
extern const struct importer androtrace_importer;
extern const struct importer blkparse_importer;
extern const struct importer blktrace_importer;
extern const struct importer mobigen_importer;
extern const struct importer strace_importer;
extern const struct importer dwtrace_importer;
extern const struct importer rmp_importer;
extern const struct importer android_trace_importer;
extern const struct importer mobibench_importer;
extern const struct importer iozone_importer;
extern const struct importer counts_importer;
extern const struct importer samples_importer;
extern const struct importer fio_iolog_importer;
extern const struct importer vscsi_importer;
extern const struct importer oracle_general_importer;
extern const struct importer chrome_importer;
extern const struct importer stacks_importer;
extern const struct importer ltrace_importer;
extern const struct importer ftrace_importer;
extern const struct importer perfetto_importer;

/* One per line: clang-format would join the lines. */
/* clang-format off */
const struct importer *const importers[] = {
    &palmist_importer,
    &most_importer,
    &most_binary_importer,
    &androtrace_importer,
    &blkparse_importer,
    &blktrace_importer,
    &mobigen_importer,
    &ltrace_importer,
    &strace_importer,
    &dwtrace_importer,
    &rmp_importer,
    &android_trace_importer,
    &samples_importer,
    &mobibench_importer,
    &iozone_importer,
    &counts_importer,
    &fio_iolog_importer,
    &vscsi_importer,
    &oracle_general_importer,
    &chrome_importer,
    &stacks_importer,
    &ftrace_importer,
    &perfetto_importer,
    NULL,
};
/* clang-format on */
