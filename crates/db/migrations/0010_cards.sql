-- Who pays for an organization, as Stripe knows it. Before Stripe has answered, the row holds what it was asked with: the same
-- question, with the same idempotency key, from whoever asks next.
CREATE TABLE billing_customers (
    organization_id UUID NOT NULL PRIMARY KEY REFERENCES organizations (id),
    attempt UUID NOT NULL,
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    stripe_id TEXT,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX billing_customers_stripe_id_key ON billing_customers (stripe_id);

-- What may be known of saved cards: never a number or a security code. Stripe is right; these rows answer while it is away.
CREATE TABLE saved_cards (
    id UUID NOT NULL PRIMARY KEY,
    organization_id UUID NOT NULL REFERENCES organizations (id),
    payment_method TEXT NOT NULL,
    brand TEXT NOT NULL,
    last_four TEXT NOT NULL CONSTRAINT saved_cards_last_four_check CHECK (LENGTH(last_four) <= 4),
    expiry_month BIGINT NOT NULL,
    expiry_year BIGINT NOT NULL,
    is_default BOOLEAN NOT NULL DEFAULT FALSE,
    created_at BIGINT NOT NULL,
    -- Since when Stripe is being asked to take it away: it does not count as a card that is left.
    removing_at BIGINT,
    deleted_at BIGINT
);
-- Also of cards that went: Stripe never gives one back.
CREATE UNIQUE INDEX saved_cards_payment_method_key ON saved_cards (payment_method);
-- One default an organization.
CREATE UNIQUE INDEX saved_cards_organization_id_key ON saved_cards (organization_id) WHERE is_default AND deleted_at IS NULL;
CREATE INDEX saved_cards_organization_id_index ON saved_cards (organization_id, created_at);
