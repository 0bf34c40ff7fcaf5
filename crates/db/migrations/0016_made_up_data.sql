-- Says that the people of this database are made up and sign in with a published password: the demo's world, or the one of
-- `berth seed`. Written in the transaction that makes them, so that no other data can be taken for theirs.
CREATE TABLE made_up_data (
    kind TEXT NOT NULL PRIMARY KEY CONSTRAINT made_up_data_kind_check CHECK (kind IN ('demo', 'seed')),
    created_at BIGINT NOT NULL
);
