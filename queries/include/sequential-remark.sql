-- remark
-- Out of temp.tally_file_locality.
SELECT 'sequential: starts where the previous transfer of the file in the same direction ended; the first at the '
    || 'start of the file' || iif(sum(unplaced) > 0, printf('; %d of %d transfers are neither: offset or '
    || 'previous offset unknown', sum(unplaced), sum(sequential + random + unplaced)), '')
FROM temp.tally_file_locality
HAVING count(*) > 0;
