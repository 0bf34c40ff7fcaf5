-- What the wizard asks of a site and the edit page brings back. `edit_version` is raised by edits of the site itself
-- alone, so that an edit made on an old view is refused (412) while guests come and go (`version`). Latitude and
-- longitude are degrees as decimal text. The admin is whoever the site was created with; roles are memberships.
ALTER TABLE sites ADD COLUMN edit_version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE sites ADD COLUMN show_days_of_week BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE sites ADD COLUMN latitude TEXT;
ALTER TABLE sites ADD COLUMN longitude TEXT;
ALTER TABLE sites ADD COLUMN admin_email TEXT;
ALTER TABLE sites ADD COLUMN admin_first_name TEXT;
ALTER TABLE sites ADD COLUMN admin_last_name TEXT;
