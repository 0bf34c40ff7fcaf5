//! Who runs what: organizations, their users, the platform's lists, and the audit log.

pub mod access_users;
pub mod audit_log;
pub mod dashboard;
pub mod insurance_companies;
pub mod invitations;
pub mod organizations;
pub mod reasons;
