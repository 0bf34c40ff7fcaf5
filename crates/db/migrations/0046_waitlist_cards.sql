-- The insurance card of a person on the waitlist (docs/decisions/0066): paths of pictures, as of guests. When the wait ends, the guest has
-- them, or nobody.
ALTER TABLE waiting_guests ADD COLUMN insurance_card_front TEXT
    CONSTRAINT waiting_guests_card_front_check CHECK (insurance_card_front IS NULL OR ended_at IS NULL);
ALTER TABLE waiting_guests ADD COLUMN insurance_card_back TEXT
    CONSTRAINT waiting_guests_card_back_check CHECK (insurance_card_back IS NULL OR ended_at IS NULL);
CREATE INDEX waiting_guests_insurance_card_front_index ON waiting_guests (insurance_card_front) WHERE insurance_card_front IS NOT NULL;
CREATE INDEX waiting_guests_insurance_card_back_index ON waiting_guests (insurance_card_back) WHERE insurance_card_back IS NOT NULL;
