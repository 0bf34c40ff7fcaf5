-- What is known of a site's subscription at Stripe. Rows without `stripe_id` were made by hand and are never compared.
ALTER TABLE site_subscriptions ADD COLUMN stripe_id TEXT;
ALTER TABLE site_subscriptions ADD COLUMN stripe_customer TEXT;
ALTER TABLE site_subscriptions ADD COLUMN stripe_price TEXT;
ALTER TABLE site_subscriptions ADD COLUMN duration_months BIGINT;
ALTER TABLE site_subscriptions ADD COLUMN latest_invoice TEXT;
-- When the read of Stripe began that the row comes from: an older read never overwrites a newer one.
ALTER TABLE site_subscriptions ADD COLUMN synced_at BIGINT;
CREATE UNIQUE INDEX site_subscriptions_stripe_id_key ON site_subscriptions (stripe_id);
CREATE INDEX site_subscriptions_synced_at_index ON site_subscriptions (synced_at)
    WHERE status NOT IN ('canceled', 'incomplete_expired');

-- What Stripe is asked to change, written down before it is asked. The key and the parameters are sent again while the outcome
-- is unknown, and never after.
CREATE TABLE billing_operations (
    id UUID NOT NULL PRIMARY KEY,
    organization_id UUID NOT NULL REFERENCES organizations (id),
    site_id UUID NOT NULL REFERENCES sites (id),
    -- start, pay or cancel.
    kind TEXT NOT NULL,
    -- Counts the operations of one kind at the site.
    attempt BIGINT NOT NULL,
    idempotency_key TEXT NOT NULL,
    -- JSON.
    parameters TEXT NOT NULL,
    -- Who asked; none for a job.
    actor_id UUID,
    actor_email TEXT,
    actor_role TEXT,
    created_at BIGINT NOT NULL,
    -- Until when a request or a job waits for Stripe's answer: nobody else asks meanwhile.
    busy_until BIGINT NOT NULL,
    -- How often Stripe was asked.
    tries BIGINT NOT NULL,
    -- done, refused or given-up.
    outcome TEXT,
    finished_at BIGINT
);
-- One change at a time for each site.
CREATE UNIQUE INDEX billing_operations_site_id_key ON billing_operations (site_id) WHERE finished_at IS NULL;
CREATE INDEX billing_operations_site_id_index ON billing_operations (site_id, kind);
CREATE UNIQUE INDEX billing_operations_idempotency_key_key ON billing_operations (idempotency_key);

-- Events of Stripe, each handled once, whether a webhook or the list of events brought it. Only id and kind are believed: the
-- object is read again.
CREATE TABLE billing_events (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    object_id TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    tries BIGINT NOT NULL,
    retry_at BIGINT NOT NULL,
    handled_at BIGINT
);
CREATE INDEX billing_events_retry_at_index ON billing_events (retry_at) WHERE handled_at IS NULL;
CREATE INDEX billing_events_handled_at_index ON billing_events (handled_at);

-- How far the list of Stripe's events has been read.
CREATE TABLE billing_marks (
    name TEXT NOT NULL PRIMARY KEY,
    event_id TEXT,
    read_at BIGINT NOT NULL
);

-- Copies of Stripe's invoices, for the billing history while Stripe is away and after a customer was deleted.
CREATE TABLE billing_invoices (
    id TEXT NOT NULL PRIMARY KEY,
    site_id UUID NOT NULL REFERENCES sites (id),
    number TEXT,
    -- When it was made, in milliseconds.
    issued_at BIGINT NOT NULL,
    description TEXT NOT NULL,
    amount_cents BIGINT NOT NULL,
    currency TEXT NOT NULL,
    status TEXT NOT NULL,
    hosted_url TEXT,
    receipt_url TEXT
);
CREATE INDEX billing_invoices_site_id_index ON billing_invoices (site_id, issued_at);
