//! SQL that finds marks and reads a page from the rows between two of them.

/// The row `l`: the last mark of kind $1 that is not newer than $2 and satisfies `$more`, or $3 and $4 as its time and id if
/// there is none. One statement for both, because every page of a list without marks would need two.
macro_rules! last_mark_before {
    ($order:literal, $more:literal) => {
        concat!(
            "FROM (SELECT COALESCE(m.ordinal, 0) AS ordinal, COALESCE(m.at, $3) AS at, COALESCE(m.id, $4) AS id \
            FROM (SELECT 1 AS one) always LEFT JOIN (SELECT ordinal, at, id FROM audit_marks WHERE kind = $1 AND at <= $2",
            $more,
            " ORDER BY ",
            $order,
            " DESC LIMIT 1) m ON TRUE) l"
        )
    };
}
pub(super) use last_mark_before;

/// A column of the last mark of kind $1 whose number is below $2.
macro_rules! before_page {
    ($column:literal, $otherwise:literal) => {
        concat!(
            "COALESCE((SELECT ",
            $column,
            " FROM audit_marks WHERE kind = $1 AND ordinal < $2 ORDER BY ordinal DESC LIMIT 1), ",
            $otherwise,
            ")"
        )
    };
}
pub(crate) use before_page;

/// A column of the first mark of kind $1 whose number is not below $3.
macro_rules! behind_page {
    ($column:literal, $otherwise:literal) => {
        concat!(
            "COALESCE((SELECT ",
            $column,
            " FROM audit_marks WHERE kind = $1 AND ordinal >= $3 ORDER BY ordinal LIMIT 1), ",
            $otherwise,
            ")"
        )
    };
}
pub(crate) use behind_page;

/// The rows `a` of a page in the order of ids; its newest row has the number $4. `$rows` limits the rows to those of the list:
/// empty for all, or a condition and ` AND `. PostgreSQL reuses the plan of a statement only if known values would not make it
/// much cheaper, so the limit is a subquery, whose value it does not know.
macro_rules! page_by_id {
    ($columns:expr, $rows:literal) => {
        concat!(
            $columns,
            " FROM (SELECT id FROM audit WHERE ",
            $rows,
            "id > $5 AND id > ",
            $crate::admin::audit_log::lists::before_page!("id", "$5"),
            " AND id <= ",
            $crate::admin::audit_log::lists::behind_page!("id", "$6"),
            " ORDER BY id DESC LIMIT (SELECT CAST($7 AS BIGINT)) OFFSET ",
            $crate::admin::audit_log::lists::behind_page!("ordinal", "$8"),
            " - $4) p JOIN audit a ON a.id = p.id ORDER BY a.id DESC"
        )
    };
}
pub(crate) use page_by_id;

/// Like `page_by_id!`, for the lists of some actions, which are in the order of times. `$joined` are the tables that columns come
/// from besides the row.
macro_rules! page_by_time {
    ($columns:expr, $joined:literal) => {
        concat!(
            $columns,
            " FROM (SELECT id FROM audit WHERE (at, id) > (",
            $crate::admin::audit_log::lists::before_page!("at", "$5"),
            ", ",
            $crate::admin::audit_log::lists::before_page!("id", "$6"),
            ") AND (at, id) <= (",
            $crate::admin::audit_log::lists::behind_page!("at", "$7"),
            ", ",
            $crate::admin::audit_log::lists::behind_page!("id", "$8"),
            ") AND action IN ($11..) ORDER BY at DESC, id DESC LIMIT (SELECT CAST($9 AS BIGINT)) OFFSET ",
            $crate::admin::audit_log::lists::behind_page!("ordinal", "$10"),
            " - $4) p JOIN audit a ON a.id = p.id ",
            $joined,
            " ORDER BY a.at DESC, a.id DESC"
        )
    };
}
pub(crate) use page_by_time;
