-- Finding guests by name, code and phone number, over all sites (docs/decisions/0064). Each search reads one of these indexes alone.

-- Prefixes are ranges, which need texts that are sorted by bytes, as SQLite sorts them. Past guests of the whole platform are found by the
-- last digits of the phone, so the number stands backwards, too.
-- only: sqlite
ALTER TABLE guests ADD COLUMN phone_reversed TEXT GENERATED ALWAYS AS (substr(phone, -1, 1) || substr(phone, -2, 1)
    || substr(phone, -3, 1) || substr(phone, -4, 1) || substr(phone, -5, 1) || substr(phone, -6, 1) || substr(phone, -7, 1)
    || substr(phone, -8, 1) || substr(phone, -9, 1) || substr(phone, -10, 1) || substr(phone, -11, 1)) VIRTUAL;
-- only: postgres
ALTER TABLE guests ADD COLUMN phone_reversed TEXT COLLATE "C" GENERATED ALWAYS AS (reverse(right(phone, 11))) STORED;
ALTER TABLE guests ALTER COLUMN first_name_key TYPE TEXT COLLATE "C";
ALTER TABLE guests ALTER COLUMN code TYPE TEXT COLLATE "C";
-- only: both

-- Current guests, by name and by any part of the phone number. The times are null here; with them, the index answers alone.
CREATE INDEX guests_found_index ON guests (site_id, first_name_key, last_name, phone, id, rejected_at, expired_at, discharged_at)
    WHERE rejected_at IS NULL AND expired_at IS NULL AND discharged_at IS NULL;
-- All guests of some sites, likewise.
CREATE INDEX guests_site_id_found_index ON guests (site_id, first_name_key, last_name, phone, id);
-- All guests of the platform, by the beginning of the name and by the last digits of the phone number, newest first.
CREATE INDEX guests_first_name_key_index ON guests (first_name_key, id DESC, last_name);
CREATE INDEX guests_phone_reversed_index ON guests (phone_reversed, id DESC);
-- All users of the platform, for global admins. Accents are only folded in Rust, so names are compared one by one, in this index alone.
CREATE INDEX users_found_index ON users (first_name, last_name, email_key, id, deleted_at) WHERE deleted_at IS NULL;
