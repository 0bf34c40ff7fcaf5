-- Every two seconds, the job of billing looks for subscriptions to end, to compare and to write about. It used to read all of them, with
-- their sites. Now it begins at the few sites that need none, and reads the rest in an index alone. `status` and `stripe_id` are there
-- because SQLite compares them although the condition of the index says so.
DROP INDEX sites_organization_id_index;
CREATE INDEX sites_organization_id_index ON sites (organization_id, name_key, id);
CREATE INDEX sites_deleted_at_index ON sites (deleted_at, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX organizations_unbilled_index ON organizations (id, deleted_at, is_commercial)
    WHERE deleted_at IS NOT NULL OR NOT is_commercial;
DROP INDEX site_subscriptions_synced_at_index;
CREATE INDEX site_subscriptions_synced_at_index ON site_subscriptions (synced_at, paid_period_end, stripe_id, status)
    WHERE status NOT IN ('canceled', 'incomplete_expired');
CREATE INDEX site_subscriptions_incomplete_index ON site_subscriptions (created_at) WHERE status = 'incomplete';
