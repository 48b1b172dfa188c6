-- report: alignment
-- title: Alignment of transfers
-- kinds: calls
-- needs: address=offset
-- tally: alignment
-- plot: none
-- include: alignment
-- remark
SELECT printf('excluded: %d transfers without a known file or offset', unplaced)
FROM temp.tally_alignment
WHERE unplaced > 0
LIMIT 1;
