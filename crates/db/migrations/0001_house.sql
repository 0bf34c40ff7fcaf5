-- The house: organizations, sites, rooms, beds, guests, stays, people, sessions, and what records and sends.
-- One text for SQLite and PostgreSQL. Types: UUID, BOOLEAN, BIGINT, TEXT. Times are epoch milliseconds.
-- Indexes of uniqueness are named {table}_{columns}_key, checks {table}_{rule}_check.

CREATE TABLE organizations (
    id UUID NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    logo_path TEXT,
    is_commercial BOOLEAN NOT NULL,
    is_disabled BOOLEAN NOT NULL DEFAULT FALSE,
    created_at BIGINT NOT NULL,
    deleted_at BIGINT
);
CREATE UNIQUE INDEX organizations_name_key_key ON organizations (name_key) WHERE deleted_at IS NULL;

-- Methods 1 Private pay, 2 Insurance, 3 Medicaid or No Insurance (spec B 3).
CREATE TABLE organization_payment_methods (
    organization_id UUID NOT NULL REFERENCES organizations (id),
    method BIGINT NOT NULL CONSTRAINT organization_payment_methods_method_check CHECK (method BETWEEN 1 AND 3),
    PRIMARY KEY (organization_id, method)
);

CREATE TABLE insurance_companies (
    id UUID NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    logo_path TEXT,
    is_primary BOOLEAN NOT NULL DEFAULT FALSE,
    created_at BIGINT NOT NULL,
    deleted_at BIGINT
);
CREATE UNIQUE INDEX insurance_companies_name_key_key ON insurance_companies (name_key) WHERE deleted_at IS NULL;

CREATE TABLE organization_insurance_companies (
    organization_id UUID NOT NULL REFERENCES organizations (id),
    insurance_company_id UUID NOT NULL REFERENCES insurance_companies (id),
    PRIMARY KEY (organization_id, insurance_company_id)
);

-- `version` is raised by every change to the site's rooms, beds or guests (DESIGN 2, "touch").
CREATE TABLE sites (
    id UUID NOT NULL PRIMARY KEY,
    organization_id UUID NOT NULL REFERENCES organizations (id),
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    alias TEXT,
    description TEXT NOT NULL,
    is_disabled BOOLEAN NOT NULL DEFAULT FALSE,
    address TEXT NOT NULL,
    address_key TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    contact_phone TEXT NOT NULL,
    contact_email TEXT NOT NULL,
    contact_web TEXT,
    hold_hours BIGINT NOT NULL CONSTRAINT sites_hold_hours_check CHECK (hold_hours BETWEEN 1 AND 72),
    length_of_stay_days_min BIGINT,
    length_of_stay_days_max BIGINT,
    version BIGINT NOT NULL DEFAULT 1,
    created_at BIGINT NOT NULL,
    deleted_at BIGINT
);
CREATE INDEX sites_organization_id_index ON sites (organization_id, name_key);

CREATE TABLE site_images (
    site_id UUID NOT NULL REFERENCES sites (id),
    position BIGINT NOT NULL,
    image_path TEXT NOT NULL,
    PRIMARY KEY (site_id, position)
);
CREATE TABLE site_languages (
    site_id UUID NOT NULL REFERENCES sites (id),
    language_id TEXT NOT NULL,
    PRIMARY KEY (site_id, language_id)
);
CREATE TABLE site_services (
    site_id UUID NOT NULL REFERENCES sites (id),
    service_id TEXT NOT NULL,
    PRIMARY KEY (site_id, service_id)
);
CREATE TABLE site_payment_options (
    site_id UUID NOT NULL REFERENCES sites (id),
    option_id TEXT NOT NULL,
    PRIMARY KEY (site_id, option_id)
);
CREATE TABLE site_intake_periods (
    site_id UUID NOT NULL REFERENCES sites (id),
    time_period TEXT NOT NULL,
    from_time TEXT,
    to_time TEXT,
    enabled BOOLEAN NOT NULL,
    PRIMARY KEY (site_id, time_period)
);

-- What billing knows of a site (spec B 3). At most one live subscription a site.
CREATE TABLE site_subscriptions (
    id UUID NOT NULL PRIMARY KEY,
    site_id UUID NOT NULL REFERENCES sites (id),
    status TEXT NOT NULL,
    paid_period_end BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX site_subscriptions_site_id_key ON site_subscriptions (site_id)
    WHERE status NOT IN ('canceled', 'incomplete_expired');
CREATE INDEX site_subscriptions_site_id_index ON site_subscriptions (site_id, created_at);

CREATE TABLE rooms (
    id UUID NOT NULL PRIMARY KEY,
    site_id UUID NOT NULL REFERENCES sites (id),
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    image_path TEXT,
    position BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    deleted_at BIGINT,
    CONSTRAINT rooms_id_site_id_key UNIQUE (id, site_id)
);
CREATE UNIQUE INDEX rooms_site_id_name_key_key ON rooms (site_id, name_key) WHERE deleted_at IS NULL;

CREATE TABLE beds (
    id UUID NOT NULL PRIMARY KEY,
    site_id UUID NOT NULL,
    room_id UUID NOT NULL,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    kind TEXT NOT NULL CONSTRAINT beds_kind_check CHECK (kind IN ('Detox', 'Treatment', 'Sober Living')),
    description TEXT,
    image_path TEXT,
    position BIGINT NOT NULL,
    disabled BOOLEAN NOT NULL DEFAULT FALSE,
    created_at BIGINT NOT NULL,
    deleted_at BIGINT,
    CONSTRAINT beds_id_site_id_key UNIQUE (id, site_id),
    FOREIGN KEY (room_id, site_id) REFERENCES rooms (id, site_id)
);
CREATE UNIQUE INDEX beds_room_id_name_key_key ON beds (room_id, name_key) WHERE deleted_at IS NULL;
CREATE INDEX beds_site_id_index ON beds (site_id);

-- A person: who signs in. Roles are memberships.
CREATE TABLE users (
    id UUID NOT NULL PRIMARY KEY,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    password_hash TEXT,
    phone TEXT,
    phone_confirmed_at BIGINT,
    created_at BIGINT NOT NULL,
    deleted_at BIGINT
);
CREATE UNIQUE INDEX users_email_key_key ON users (email_key) WHERE deleted_at IS NULL;

-- An access user of the spec: one role of one person in one place (spec A 3).
CREATE TABLE memberships (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    role TEXT NOT NULL,
    organization_id UUID REFERENCES organizations (id),
    site_id UUID REFERENCES sites (id),
    status TEXT NOT NULL CONSTRAINT memberships_status_check
        CHECK (status IN ('PendingInvitation', 'Active', 'Disabled')),
    receive_reservation_texts BOOLEAN NOT NULL DEFAULT FALSE,
    created_at BIGINT NOT NULL,
    created_by UUID REFERENCES users (id),
    deleted_at BIGINT,
    CONSTRAINT memberships_scope_check CHECK (
        (role = 'GlobalAdmin' AND organization_id IS NULL AND site_id IS NULL)
        OR (role = 'Owner' AND organization_id IS NOT NULL AND site_id IS NULL)
        OR (role IN ('Admin', 'Intake', 'Staff') AND organization_id IS NULL AND site_id IS NOT NULL))
);
CREATE UNIQUE INDEX memberships_user_id_site_id_key ON memberships (user_id, site_id)
    WHERE site_id IS NOT NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX memberships_user_id_organization_id_key ON memberships (user_id, organization_id)
    WHERE organization_id IS NOT NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX memberships_user_id_key ON memberships (user_id)
    WHERE role = 'GlobalAdmin' AND deleted_at IS NULL;
CREATE INDEX memberships_site_id_index ON memberships (site_id);
CREATE INDEX memberships_organization_id_index ON memberships (organization_id);

-- A guest and the reservation he came with (spec B 3). The state is derived from the times (DESIGN 3).
CREATE TABLE guests (
    id UUID NOT NULL PRIMARY KEY,
    site_id UUID NOT NULL REFERENCES sites (id),
    code TEXT NOT NULL,
    first_name TEXT NOT NULL,
    first_name_key TEXT NOT NULL,
    last_name TEXT NOT NULL,
    gender TEXT NOT NULL,
    age_service_id TEXT NOT NULL,
    client_service_id TEXT,
    phone TEXT NOT NULL,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    location TEXT,
    source TEXT NOT NULL,
    payment_method BIGINT,
    medi_cal_choice TEXT,
    insurance_company_id UUID REFERENCES insurance_companies (id),
    policy_number TEXT,
    group_number TEXT,
    insurance_card_front TEXT,
    insurance_card_back TEXT,
    feedback TEXT,
    version BIGINT NOT NULL DEFAULT 1,
    created_at BIGINT NOT NULL,
    created_by UUID REFERENCES users (id),
    expires_at BIGINT,
    accepted_at BIGINT,
    reassigned_at BIGINT,
    rejected_at BIGINT,
    discharged_at BIGINT,
    expired_at BIGINT,
    reminded BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT guests_id_site_id_key UNIQUE (id, site_id),
    CONSTRAINT guests_source_check CHECK (source IN ('Admin', 'Web')),
    CONSTRAINT guests_one_end_check CHECK (
        (CASE WHEN accepted_at IS NULL THEN 0 ELSE 1 END)
        + (CASE WHEN rejected_at IS NULL THEN 0 ELSE 1 END)
        + (CASE WHEN expired_at IS NULL THEN 0 ELSE 1 END) <= 1),
    CONSTRAINT guests_accepted_first_check CHECK (
        accepted_at IS NOT NULL OR (reassigned_at IS NULL AND discharged_at IS NULL)),
    CONSTRAINT guests_expired_after_hold_check CHECK (expired_at IS NULL OR expired_at >= expires_at)
);
CREATE UNIQUE INDEX guests_code_key ON guests (code);
-- The ones that still matter to a board: pending or assigned.
CREATE INDEX guests_active_index ON guests (site_id, created_at)
    WHERE rejected_at IS NULL AND expired_at IS NULL AND discharged_at IS NULL;
CREATE INDEX guests_history_index ON guests (site_id, created_at);
CREATE INDEX guests_due_index ON guests (expires_at)
    WHERE accepted_at IS NULL AND rejected_at IS NULL AND expired_at IS NULL AND expires_at IS NOT NULL;
CREATE INDEX guests_phone_index ON guests (phone)
    WHERE rejected_at IS NULL AND expired_at IS NULL AND discharged_at IS NULL;
CREATE INDEX guests_email_key_index ON guests (email_key)
    WHERE rejected_at IS NULL AND expired_at IS NULL AND discharged_at IS NULL;

CREATE TABLE guest_services (
    guest_id UUID NOT NULL REFERENCES guests (id),
    service_id TEXT NOT NULL,
    PRIMARY KEY (guest_id, service_id)
);

-- One row per person (hashed phone or e-mail), locked while a reservation of hers is created, so that two
-- sites cannot both give the last of her two active reservations.
CREATE TABLE person_locks (
    person TEXT NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL DEFAULT 1
);

-- Occupancy: an open row holds a bed. A bed has at most one, a guest at most one, both at the same site.
CREATE TABLE stays (
    id UUID NOT NULL PRIMARY KEY,
    site_id UUID NOT NULL,
    guest_id UUID NOT NULL,
    bed_id UUID NOT NULL,
    started_at BIGINT NOT NULL,
    started_by UUID REFERENCES users (id),
    ended_at BIGINT,
    ended_by UUID REFERENCES users (id),
    end_reason TEXT,
    FOREIGN KEY (guest_id, site_id) REFERENCES guests (id, site_id),
    FOREIGN KEY (bed_id, site_id) REFERENCES beds (id, site_id),
    CONSTRAINT stays_end_check CHECK ((ended_at IS NULL) = (end_reason IS NULL)),
    CONSTRAINT stays_order_check CHECK (ended_at IS NULL OR ended_at >= started_at)
);
CREATE UNIQUE INDEX stays_bed_id_key ON stays (bed_id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX stays_guest_id_key ON stays (guest_id) WHERE ended_at IS NULL;
CREATE INDEX stays_site_id_index ON stays (site_id) WHERE ended_at IS NULL;
CREATE INDEX stays_guest_id_index ON stays (guest_id, started_at);
CREATE INDEX stays_bed_id_index ON stays (bed_id, started_at);

-- A signed-in session. A refresh token family is one session.
CREATE TABLE sessions (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    is_cookie BOOLEAN NOT NULL,
    address TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    proved_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    ended_at BIGINT,
    end_reason TEXT
);
CREATE INDEX sessions_user_id_index ON sessions (user_id);

-- Every secret that opens something, as SHA-256: first-step, access, refresh, cookie, invitation, device.
CREATE TABLE secrets (
    hash TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL CONSTRAINT secrets_kind_check
        CHECK (kind IN ('first_step', 'access', 'refresh', 'cookie', 'invitation', 'reset', 'email', 'device')),
    user_id UUID NOT NULL REFERENCES users (id),
    session_id UUID REFERENCES sessions (id),
    detail TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT,
    tries BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX secrets_user_id_index ON secrets (user_id);
CREATE INDEX secrets_expires_at_index ON secrets (expires_at);

-- Codes by SMS: bound to one first-step token (or session) and one phone; five tries; one use.
CREATE TABLE codes (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    bound_to TEXT NOT NULL,
    phone TEXT NOT NULL,
    hash TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT
);
CREATE INDEX codes_bound_to_index ON codes (bound_to, created_at);

-- Limits: how often something happened for one key in its window, and until when it is refused.
CREATE TABLE throttles (
    key TEXT NOT NULL PRIMARY KEY,
    window_start BIGINT NOT NULL,
    count BIGINT NOT NULL,
    blocked_until BIGINT NOT NULL,
    strikes BIGINT NOT NULL
);

CREATE TABLE agreement_acceptances (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    version TEXT NOT NULL,
    accepted_at BIGINT NOT NULL,
    address TEXT NOT NULL
);

-- The trail: rows never change. Actor columns are copies, since people leave.
CREATE TABLE audit (
    id UUID NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    action TEXT NOT NULL,
    actor_id UUID,
    actor_email TEXT,
    actor_role TEXT,
    organization_id UUID,
    site_id UUID,
    object_type TEXT,
    object_id UUID,
    summary TEXT NOT NULL,
    address TEXT NOT NULL,
    request_id TEXT NOT NULL
);
CREATE INDEX audit_action_index ON audit (action, at, id);
CREATE INDEX audit_site_id_index ON audit (site_id, at);
CREATE INDEX audit_object_id_index ON audit (object_id, at);

-- Mail and SMS, written with the change that causes them, sent by a job with retries.
CREATE TABLE outbox (
    id UUID NOT NULL PRIMARY KEY,
    channel TEXT NOT NULL CONSTRAINT outbox_channel_check CHECK (channel IN ('email', 'sms')),
    recipient TEXT NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    locked_until BIGINT NOT NULL DEFAULT 0,
    attempts BIGINT NOT NULL DEFAULT 0,
    sent_at BIGINT,
    failed_at BIGINT,
    last_error TEXT
);
CREATE INDEX outbox_due_index ON outbox (due_at) WHERE sent_at IS NULL AND failed_at IS NULL;
CREATE INDEX outbox_created_at_index ON outbox (created_at);

-- The answer to a command that a client may repeat.
CREATE TABLE idempotency_keys (
    owner TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    status BIGINT,
    body TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (owner, key)
);
CREATE INDEX idempotency_keys_created_at_index ON idempotency_keys (created_at);

-- Recurring work, shared by several nodes under a lease.
CREATE TABLE jobs (
    name TEXT NOT NULL PRIMARY KEY,
    due_at BIGINT NOT NULL,
    locked_until BIGINT NOT NULL DEFAULT 0
);
