-- remark
SELECT '--cdf of block I/O: files where the log names them, else processes; --of chooses';
