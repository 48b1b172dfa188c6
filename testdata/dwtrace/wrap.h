/* Logs that are limited by wrapping in place, with every place that the writing may stand at. */
#ifndef DWTRACE_WRAP_H
#define DWTRACE_WRAP_H

/* `ok/wrapped.dwt` and its expectations. */
void write_wrapped_sample(const char *directory);

/* `logs/NAME.dwt`, and of them all `ledger.tsv`, `rows.tsv`, `records.tsv` and `functions.tsv`,
 * each with NAME.dwt in front; `large.dwt` and `large.tsv`, its functions. */
void write_wrapped(const char *directory);

#endif
