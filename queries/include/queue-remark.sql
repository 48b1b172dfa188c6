-- remark
SELECT iif(:q2c IS NULL, 'in flight from issue (D) to completion', 'in flight from where an I/O was asked for (Q) '
    || 'to its completion') || '; of what happens at one time, completions come first';
-- include: loss-remark
