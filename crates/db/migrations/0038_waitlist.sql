-- People who wait for a bed at a full site, and the offers of freed beds to them (docs/decisions/0066). An open offer keeps its bed: no
-- bed is offered to two people, and nobody has two offers.
CREATE TABLE waiting_guests (
    id UUID NOT NULL PRIMARY KEY,
    site_id UUID NOT NULL REFERENCES sites (id),
    -- Names the person in the audit log, which holds no names.
    code TEXT NOT NULL CONSTRAINT waiting_guests_code_key UNIQUE,
    -- The form of the new guest as JSON, and phone and name as one text. Both are erased when the person stops waiting.
    form TEXT,
    person TEXT,
    bed_kind TEXT CONSTRAINT waiting_guests_bed_kind_check CHECK (bed_kind IN ('Detox', 'Treatment', 'Sober Living')),
    priority_reason TEXT,
    waits_since BIGINT NOT NULL,
    created_by UUID NOT NULL REFERENCES users (id),
    version BIGINT NOT NULL DEFAULT 1,
    ended_at BIGINT,
    outcome TEXT CONSTRAINT waiting_guests_outcome_check CHECK (outcome IN ('placed', 'left', 'site-removed')),
    guest_id UUID REFERENCES guests (id),
    CONSTRAINT waiting_guests_ended_check CHECK (
        (ended_at IS NULL) = (outcome IS NULL)
        AND (ended_at IS NULL) = (form IS NOT NULL)
        AND (ended_at IS NULL) = (person IS NOT NULL)
        AND (ended_at IS NULL OR priority_reason IS NULL)
        AND (guest_id IS NOT NULL) = (COALESCE(outcome, '') = 'placed'))
);
CREATE UNIQUE INDEX waiting_guests_site_id_person_key ON waiting_guests (site_id, person) WHERE ended_at IS NULL;
CREATE INDEX waiting_guests_site_id_index ON waiting_guests (site_id, ended_at);
CREATE INDEX waiting_guests_guest_id_index ON waiting_guests (guest_id);

CREATE TABLE bed_offers (
    id UUID NOT NULL PRIMARY KEY,
    waiting_guest_id UUID NOT NULL REFERENCES waiting_guests (id),
    site_id UUID NOT NULL REFERENCES sites (id),
    bed_id UUID NOT NULL REFERENCES beds (id),
    offered_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL CONSTRAINT bed_offers_expires_check CHECK (expires_at > offered_at),
    ended_at BIGINT CONSTRAINT bed_offers_ended_check CHECK (ended_at >= offered_at),
    outcome TEXT CONSTRAINT bed_offers_outcome_check CHECK (outcome IN ('taken', 'declined', 'lapsed', 'withdrawn')),
    CONSTRAINT bed_offers_outcome_ended_check CHECK ((ended_at IS NULL) = (outcome IS NULL))
);
CREATE UNIQUE INDEX bed_offers_bed_id_key ON bed_offers (bed_id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX bed_offers_waiting_guest_id_key ON bed_offers (waiting_guest_id) WHERE ended_at IS NULL;
CREATE INDEX bed_offers_site_id_index ON bed_offers (site_id, ended_at);
CREATE INDEX bed_offers_bed_id_index ON bed_offers (bed_id);
CREATE INDEX bed_offers_waiting_guest_id_index ON bed_offers (waiting_guest_id, ended_at);

-- How long an offer stands.
ALTER TABLE sites ADD COLUMN offer_minutes BIGINT NOT NULL DEFAULT 30
    CONSTRAINT sites_offer_minutes_check CHECK (offer_minutes BETWEEN 5 AND 1440);
-- Beds on offer: vacant, and not available.
ALTER TABLE site_counts ADD COLUMN offered BIGINT NOT NULL DEFAULT 0
    CONSTRAINT site_counts_offered_check CHECK (offered >= 0);
