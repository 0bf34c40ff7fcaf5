-- Sign-in: consent to invitations, and what a list of one's sessions shows.

-- What the inviter typed is shown until the person accepts, so that an invitation tells nobody who has an account.
-- `accepted_at`: when the person said yes. The membership becomes active with a full sign-in after that.
ALTER TABLE memberships ADD COLUMN invited_email TEXT;
ALTER TABLE memberships ADD COLUMN invited_first_name TEXT NOT NULL DEFAULT '';
ALTER TABLE memberships ADD COLUMN invited_last_name TEXT NOT NULL DEFAULT '';
ALTER TABLE memberships ADD COLUMN accepted_at BIGINT;
-- Invitations that wait for somebody without an account: the names of the user are those that were typed.
UPDATE memberships SET
    invited_first_name = (SELECT u.first_name FROM users u WHERE u.id = memberships.user_id),
    invited_last_name = (SELECT u.last_name FROM users u WHERE u.id = memberships.user_id)
WHERE status = 'PendingInvitation'
    AND EXISTS (SELECT 1 FROM users u WHERE u.id = memberships.user_id AND u.password_hash IS NULL);

-- Where a session was opened, in words such as Chrome and Windows; NULL when the browser does not say.
ALTER TABLE sessions ADD COLUMN browser TEXT;
ALTER TABLE sessions ADD COLUMN system TEXT;
