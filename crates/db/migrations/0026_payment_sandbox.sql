-- The account of the payment sandbox, which takes Stripe's place without keys: one row, which all nodes share. Whoever changes it has
-- seen its version. It holds no card number.
CREATE TABLE payment_sandbox (
    id BIGINT NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL,
    -- All objects of the account, as JSON.
    body TEXT NOT NULL,
    CONSTRAINT payment_sandbox_one_check CHECK (id = 1)
);
