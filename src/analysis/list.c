#include <string.h>

#include "analysis/analysis.h"

/* List of all analyses; a new one needs a line here. Analyses with rollups come first, so that
 * their notes come first. The unit tests expand this list with one more element, the template. */
#ifndef ALSO_LISTED
#define ALSO_LISTED(ROW)
#endif
#define ANALYSES(ROW)                                                                              \
    ROW(span)                                                                                      \
    ROW(wait)                                                                                      \
    ROW(hour)                                                                                      \
    ROW(operation)                                                                                 \
    ROW(caller)                                                                                    \
    ROW(size)                                                                                      \
    ROW(block)                                                                                     \
    ROW(file_type)                                                                                 \
    ROW(process)                                                                                   \
    ROW(origin)                                                                                    \
    ROW(letters)                                                                                   \
    ROW(depth)                                                                                     \
    ROW(actor)                                                                                     \
    ROW(issuer)                                                                                    \
    ROW(object)                                                                                    \
    ROW(file)                                                                                      \
    ROW(copied)                                                                                    \
    ROW(sector)                                                                                    \
    ROW(popular_sector)                                                                            \
    ROW(popular_file)                                                                              \
    ROW(place)                                                                                     \
    ROW(evidence)                                                                                  \
    ROW(sequence)                                                                                  \
    ROW(gap)                                                                                       \
    ROW(idle)                                                                                      \
    ROW(gap_compared)                                                                              \
    ROW(gap_step)                                                                                  \
    ROW(idle_compared)                                                                             \
    ROW(idle_step)                                                                                 \
    ROW(arrival)                                                                                   \
    ROW(arrival_class)                                                                             \
    ROW(arrival_call)                                                                              \
    ROW(arrival_operation)                                                                         \
    ROW(stage)                                                                                     \
    ROW(stage_disk)                                                                                \
    ROW(stage_process)                                                                             \
    ROW(latency)                                                                                   \
    ROW(latency_histogram)                                                                         \
    ROW(latency_none)                                                                              \
    ROW(latency_size)                                                                              \
    ROW(latency_process)                                                                           \
    ROW(latency_file)                                                                              \
    ROW(latency_filetype)                                                                          \
    ROW(latency_hour)                                                                              \
    ROW(latency_depth)                                                                             \
    ROW(latency_idle)                                                                              \
    ROW(times_none)                                                                                \
    ROW(times_hour)                                                                                \
    ROW(times_operation)                                                                           \
    ROW(times_thread)                                                                              \
    ROW(times_process)                                                                             \
    ROW(times_program)                                                                             \
    ROW(times_file)                                                                                \
    ROW(call)                                                                                      \
    ROW(call_operation)                                                                            \
    ROW(call_thread)                                                                               \
    ROW(call_file)                                                                                 \
    ROW(transfer_size)                                                                             \
    ROW(call_wait)                                                                                 \
    ROW(call_wait_file)                                                                            \
    ROW(call_wait_times)                                                                           \
    ROW(thread_found)                                                                              \
    ROW(call_total)                                                                                \
    ROW(file_found)                                                                                \
    ROW(failure)                                                                                   \
    ROW(return )                                                                                   \
    ROW(state)                                                                                     \
    ROW(state_function)                                                                            \
    ROW(state_interval)                                                                            \
    ROW(wakeup)                                                                                    \
    ROW(wakeup_thread)                                                                             \
    ROW(wakeup_waker)                                                                              \
    ROW(wakeup_pair)                                                                               \
    ROW(why)                                                                                       \
    ROW(why_thread)                                                                                \
    ROW(why_file)                                                                                  \
    ROW(why_waker)                                                                                 \
    ROW(why_chain)                                                                                 \
    ROW(why_slowest)                                                                               \
    ROW(chain_slowest)                                                                             \
    ROW(chain_tree)                                                                                \
    ROW(why_at)                                                                                    \
    ROW(chain_at)                                                                                  \
    ROW(why_cause)                                                                                 \
    ROW(blame)                                                                                     \
    ROW(blame_process)                                                                             \
    ROW(why_lock)                                                                                  \
    ROW(why_found)                                                                                 \
    ROW(thread_depth)                                                                              \
    ROW(slowest)                                                                                   \
    ROW(queue)                                                                                     \
    ROW(queue_hardware)                                                                            \
    ROW(iostat)                                                                                    \
    ROW(heatmap)                                                                                   \
    ROW(heatmap_sector)                                                                            \
    ROW(rate)                                                                                      \
    ROW(rate_process)                                                                              \
    ROW(rate_file)                                                                                 \
    ROW(file_rate)                                                                                 \
    ROW(rate_operation)                                                                            \
    ROW(burst)                                                                                     \
    ROW(reuse)                                                                                     \
    ROW(reuse_key)                                                                                 \
    ROW(working_set)                                                                               \
    ROW(rewrite)                                                                                   \
    ROW(footprint)                                                                                 \
    ROW(locality)                                                                                  \
    ROW(locality_issued)                                                                           \
    ROW(run)                                                                                       \
    ROW(seek)                                                                                      \
    ROW(alignment)                                                                                 \
    ROW(concentration)                                                                             \
    ROW(concentration_sector)                                                                      \
    ROW(concentration_page)                                                                        \
    ROW(file_locality)                                                                             \
    ROW(file_transfer)                                                                             \
    ROW(again)                                                                                     \
    ROW(background)                                                                                \
    ROW(busy_beside)                                                                               \
    ROW(busy)                                                                                      \
    ROW(sleep)                                                                                     \
    ROW(level)                                                                                     \
    ROW(long_call)                                                                                 \
    ROW(file_use)                                                                                  \
    ROW(thread_use)                                                                                \
    ROW(sqlite)                                                                                    \
    ROW(durability)                                                                                \
    ROW(durability_syncs)                                                                          \
    ROW(durability_answers)                                                                        \
    ROW(durability_found)                                                                          \
    ROW(exposed)                                                                                   \
    ROW(tree)                                                                                      \
    ROW(inverted)                                                                                  \
    ROW(hotspot)                                                                                   \
    ROW(weights)                                                                                   \
    ROW(weights_of_times)                                                                          \
    ROW(known)                                                                                     \
    ROW(distribution)                                                                              \
    ALSO_LISTED(ROW)

#define DECLARE(name) extern const struct analysis analysis_##name;
ANALYSES(DECLARE)

#define POINT(name) &analysis_##name,
const struct analysis *const analyses[] = {ANALYSES(POINT) NULL};

const struct analysis *analysis_find(const char *name) {
    size_t i = 0;

    while (analyses[i] != NULL && strcmp(analyses[i]->name, name) != 0) {
        i++;
    }
    return analyses[i];
}
