-- Finds the earlier reservations of a person by phone and email, ended ones included ("was here before", docs/decisions/0061). The
-- indexes of open reservations alone go: a person has few, so these find them as well, and one index less is written.
CREATE INDEX guests_phone_all_index ON guests (phone, created_at);
CREATE INDEX guests_email_key_all_index ON guests (email_key, created_at);
DROP INDEX guests_phone_index;
DROP INDEX guests_email_key_index;
