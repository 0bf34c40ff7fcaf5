-- How users left their tables and which filters they keep, so that another device of theirs starts with the same (docs/decisions/0069).
-- One row for each user and table or screen. The texts have ids and codes only.
CREATE TABLE user_views (
    user_id UUID NOT NULL REFERENCES users (id),
    name TEXT NOT NULL CONSTRAINT user_views_name_check CHECK (LENGTH(name) BETWEEN 1 AND 60),
    text TEXT NOT NULL CONSTRAINT user_views_text_check CHECK (LENGTH(text) <= 1000),
    PRIMARY KEY (user_id, name)
);
