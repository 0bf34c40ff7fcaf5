-- Work on existing rows that SQL alone cannot do, such as new keys for names: a row once it is done.
CREATE TABLE finished_upgrades (
    name TEXT NOT NULL PRIMARY KEY
);
