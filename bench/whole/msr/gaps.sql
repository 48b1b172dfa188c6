-- trace: msr
-- report: gaps --by completion --top 20
-- columns: start duration
WITH successive AS (
    SELECT lag(completed) OVER (ORDER BY completed) AS begin, completed FROM io
)
SELECT begin, completed - begin AS duration
FROM successive
WHERE completed > begin
ORDER BY duration DESC, begin
LIMIT 20;
