-- remark
SELECT printf('a run goes on where an I/O of its direction and device begins at its end; the ends of the last %d runs are '
    || 'remembered', ifnull(:streams, 32));
