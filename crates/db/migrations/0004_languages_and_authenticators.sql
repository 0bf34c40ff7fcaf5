-- Languages of people and of mails, authenticator apps, recovery codes.

-- A locale of domain::locale.
ALTER TABLE users ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
-- An authenticator app (RFC 6238): its secret, sealed; since when it counts; the last 30-second step that was used.
ALTER TABLE users ADD COLUMN totp_sealed TEXT;
ALTER TABLE users ADD COLUMN totp_confirmed_at BIGINT;
ALTER TABLE users ADD COLUMN totp_last_step BIGINT NOT NULL DEFAULT 0;

-- What the mail's page says its language is.
ALTER TABLE outbox ADD COLUMN language TEXT NOT NULL DEFAULT 'en';

-- Ten a user, each good for one second factor.
CREATE TABLE recovery_codes (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    hash TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    used_at BIGINT
);
CREATE UNIQUE INDEX recovery_codes_user_id_hash_key ON recovery_codes (user_id, hash);
