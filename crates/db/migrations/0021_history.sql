-- The lists of a site's history, each in the order in which guests came into it. They carry the id and the key of the first
-- name, so that a page is found, counted and searched in the index alone.
CREATE INDEX guests_discharged_index ON guests (site_id, discharged_at, id, first_name_key)
    WHERE discharged_at IS NOT NULL;
CREATE INDEX guests_rejected_index ON guests (site_id, rejected_at, id, first_name_key)
    WHERE rejected_at IS NOT NULL;
-- Also those whose hold is over though no job has recorded it yet; the few whose hold still runs stand at its end.
CREATE INDEX guests_expired_index ON guests (site_id, expires_at, id, expired_at, first_name_key)
    WHERE accepted_at IS NULL AND rejected_at IS NULL AND expires_at IS NOT NULL;
