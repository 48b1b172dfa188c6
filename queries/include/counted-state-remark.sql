-- remark definition
-- Which states rates, heat maps, idle times and the slowest are of (counted_state.h).
SELECT 'states: running, or those that --op chooses';
