-- trace: most
-- report: popularity --of file
-- columns: name count
SELECT file, count(*) FROM io WHERE file <> 'file-NONE' GROUP BY file;
