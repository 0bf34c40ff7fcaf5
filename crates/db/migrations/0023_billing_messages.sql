-- Holds of reservations that were extended because their site's subscription was being paid. The database allows one extension for
-- each reservation: before the hold ends, and by at most 30 minutes.
CREATE TABLE hold_extensions (
    guest_id UUID NOT NULL PRIMARY KEY REFERENCES guests (id),
    -- When the hold would have ended, and when it ends now.
    old_end BIGINT NOT NULL,
    new_end BIGINT NOT NULL,
    extended_at BIGINT NOT NULL,
    CONSTRAINT hold_extensions_length_check CHECK (new_end > old_end AND new_end <= old_end + 1800000),
    CONSTRAINT hold_extensions_in_time_check CHECK (extended_at < old_end)
);

-- What owners were told by email about their subscriptions, each once.
CREATE TABLE billing_notices (
    -- past_due, unpaid, card-expires or plan-gone.
    kind TEXT NOT NULL,
    -- The subscription, or the saved card.
    subject_id UUID NOT NULL,
    -- Its invoice, last month or price.
    detail TEXT NOT NULL,
    told_at BIGINT NOT NULL,
    PRIMARY KEY (kind, subject_id, detail)
);
