-- Each second, the job of holds reads all reservations that wait for a decision. With these columns it reads the index alone; the four that
-- are always NULL are there because SQLite compares them although the condition of the index says so.
DROP INDEX guests_due_index;
CREATE INDEX guests_due_index ON guests
    (expires_at, id, site_id, created_at, reminded, rejected_at, expired_at, discharged_at, accepted_at)
    WHERE accepted_at IS NULL AND rejected_at IS NULL AND expired_at IS NULL AND discharged_at IS NULL AND expires_at IS NOT NULL;
