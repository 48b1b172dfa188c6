-- report: alignment
-- title: Alignment of transfers
-- kinds: calls
-- needs: address=offset
-- tally: alignment
-- plot: none
-- include: alignment
-- remark
SELECT printf('left out: %d transfers of no known file or place', unplaced)
FROM temp.tally_alignment
WHERE unplaced > 0
LIMIT 1;
