-- trace: most-binary
-- report: gaps --by completion --top 20
-- columns: start duration
-- reads: all
WITH successive AS (
    SELECT lag(time) OVER (ORDER BY id) AS begin, time FROM event
)
SELECT printf('%d.%09d', begin / 1000000000, begin % 1000000000), time - begin AS duration
FROM successive
WHERE time > begin
ORDER BY duration DESC, begin
LIMIT 20;
