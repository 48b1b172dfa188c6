-- remark
SELECT iif(:q2c IS NULL, 'in flight: issue (D) to completion (C)', 'in flight: queue (Q) to completion (C)')
    || '; at equal times completions first';
-- include: loss-remark
