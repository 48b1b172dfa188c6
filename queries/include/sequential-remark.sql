-- remark definition
-- Uses temp.tally_file_locality.
SELECT 'sequential: starts where the previous transfer of the file in the same direction ended; the first at the '
    || 'start of the file'
FROM (SELECT sum(unplaced) AS unplaced, sum(sequential + random) AS placed FROM temp.tally_file_locality)
WHERE unplaced = 0 AND placed > 0;
-- remark excluded
SELECT printf('sequential: starts where the previous transfer of the file in the same direction ended; the first at '
    || 'the start of the file; %d of %s neither: offset or previous offset unknown',
    sum(unplaced), counted(sum(sequential + random + unplaced), 'transfer{ is|s are}'))
FROM temp.tally_file_locality
HAVING sum(unplaced) > 0;
-- remark definition
SELECT r.text FROM temp.selection AS s
CROSS JOIN main.remark AS r ON r.trace = s.trace
WHERE r.text LIKE 'opens of paths that MobiGen did not know%';
