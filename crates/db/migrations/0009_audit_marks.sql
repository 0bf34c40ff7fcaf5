-- Where the rows of the trail stand that have a round number in one of its lists, so that a page far down is found by the
-- index and the total is the last mark's number and the few rows behind it (docs/decisions/0031). Written by a job, never
-- by the transactions that write the trail: a counter would be a row that all of them wait for. All of it can be deleted
-- at any time; the job writes it anew. Whoever removes rows of the trail removes the marks in the same transaction.
CREATE TABLE audit_marks (
    kind TEXT NOT NULL,
    ordinal BIGINT NOT NULL,
    at BIGINT NOT NULL,
    id UUID NOT NULL,
    PRIMARY KEY (kind, ordinal)
);
