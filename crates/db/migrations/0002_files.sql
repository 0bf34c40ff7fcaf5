-- What is kept of every uploaded picture; the bytes lie in the object store, which never shows them itself.
-- `state`: 'arriving' until both objects are stored, 'kept' from then on, 'going' once nothing refers to it any more and
-- its objects are being removed. No object is without a row, so nothing is ever lost in the store.
-- `keep_until`: not looked at by the sweep before that; put off by each claim, so that a picture that somebody is about
-- to use does not vanish under the form.
CREATE TABLE files (
    path TEXT NOT NULL PRIMARY KEY,
    prefix TEXT NOT NULL CONSTRAINT files_prefix_check CHECK (prefix IN ('org_', 'room_', 'bed_', 'ins_', 'site_', 'card_')),
    state TEXT NOT NULL CONSTRAINT files_state_check CHECK (state IN ('arriving', 'kept', 'going')),
    media_type TEXT NOT NULL,
    size BIGINT NOT NULL,
    thumbnail_size BIGINT NOT NULL,
    width BIGINT NOT NULL,
    height BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    uploaded_by UUID REFERENCES users (id),
    created_at BIGINT NOT NULL,
    keep_until BIGINT NOT NULL
);
CREATE INDEX files_keep_until_index ON files (keep_until);

-- Who refers to a picture, asked by the sweep and by the cards' door.
CREATE INDEX organizations_logo_path_index ON organizations (logo_path) WHERE logo_path IS NOT NULL;
CREATE INDEX insurance_companies_logo_path_index ON insurance_companies (logo_path) WHERE logo_path IS NOT NULL;
CREATE INDEX site_images_image_path_index ON site_images (image_path);
CREATE INDEX rooms_image_path_index ON rooms (image_path) WHERE image_path IS NOT NULL;
CREATE INDEX beds_image_path_index ON beds (image_path) WHERE image_path IS NOT NULL;
CREATE INDEX guests_insurance_card_front_index ON guests (insurance_card_front) WHERE insurance_card_front IS NOT NULL;
CREATE INDEX guests_insurance_card_back_index ON guests (insurance_card_back) WHERE insurance_card_back IS NOT NULL;

-- Secret keys of the installation, shared by its nodes: with 'places' the offers of addresses are signed.
CREATE TABLE installation_keys (
    name TEXT NOT NULL PRIMARY KEY,
    secret TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
