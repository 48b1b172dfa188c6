/* The importers of tracetool-kinds: what importers/list.c is to tracetool. */
#include "import/importer.h"

extern const struct importer several_importer, system_calls_importer;

const struct importer *const importers[] = {
    &several_importer,
    &system_calls_importer,
    NULL,
};
