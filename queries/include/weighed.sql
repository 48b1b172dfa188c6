        AND n.kind NOT IN ('error', 'class', 'component')
