-- Finds the earlier reservations of a person by phone and email, ended ones included ("was here before", docs/decisions/0061).
-- They replace the indexes of open reservations, which the same queries used.
CREATE INDEX guests_phone_all_index ON guests (phone, created_at);
CREATE INDEX guests_email_key_all_index ON guests (email_key, created_at);
