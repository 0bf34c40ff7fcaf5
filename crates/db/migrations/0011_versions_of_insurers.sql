-- Raised by every edit of an insurance company, so that of two global admins neither undoes the other's change unseen.
ALTER TABLE insurance_companies ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
-- Which organizations work with a company: its logo and name stand on the pages of all their sites.
CREATE INDEX organization_insurance_companies_company_index
    ON organization_insurance_companies (insurance_company_id, organization_id);
