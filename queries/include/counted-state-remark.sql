-- remark definition
-- States that are counted by rates, heat maps, idle times and slowest (counted_state.h).
SELECT 'counted states of threads: running, or those that --op chooses';
