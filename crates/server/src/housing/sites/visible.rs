//! SQL conditions for the sites that a user may see in lists. `domain::policy` decides about a single site.

/// SQL condition on `sites s` and its `organizations o`: the public search finds the site, and the site takes
/// reservations from it.
macro_rules! is_public {
    () => {
        "s.deleted_at IS NULL AND NOT s.is_disabled AND o.deleted_at IS NULL AND NOT o.is_disabled"
    };
}

/// SQL condition on `sites s`: the user `$user` is a member of the site or of its organization, or `$all` is true.
macro_rules! is_seen_by {
    ($all:literal, $user:literal) => {
        concat!(
            "(",
            $all,
            " OR EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = ",
            $user,
            " AND m.deleted_at IS NULL AND m.status = 'Active' \
             AND (m.organization_id = s.organization_id OR m.site_id = s.id)))"
        )
    };
}

/// SQL query: the ids of the sites that [`is_seen_by`] chooses, removed ones included. Faster for lists: it starts from
/// the user's few memberships.
macro_rules! ids_seen_by {
    ($user:literal) => {
        concat!(
            "SELECT x.id FROM memberships m CROSS JOIN sites x WHERE m.user_id = ",
            $user,
            " AND m.deleted_at IS NULL AND m.status = 'Active' AND x.organization_id = m.organization_id \
             UNION SELECT m.site_id FROM memberships m WHERE m.user_id = ",
            $user,
            " AND m.deleted_at IS NULL AND m.status = 'Active' AND m.site_id IS NOT NULL"
        )
    };
}

pub(crate) use {ids_seen_by, is_public, is_seen_by};
