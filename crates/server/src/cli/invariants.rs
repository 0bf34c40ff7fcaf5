//! The invariants, recounted by SQL: one text per invariant of security-and-proof 3. `berth doctor` runs
//! them, and tests run them after every storm, kill and migration.

use berth_db::Db;
use berth_domain::time::Timestamp;

use crate::Result;
use crate::admin::audit_log::lists::organizations;
use crate::housing::guests;

/// The result of recounting an invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its number, such as `I1`.
    pub invariant: &'static str,
    /// What must be true.
    pub rule: &'static str,
    /// Number of rows that violate it; 0 is right.
    pub violations: i64,
}

const I1: &str = "SELECT COUNT(*) FROM (SELECT bed_id FROM stays WHERE ended_at IS NULL \
    GROUP BY bed_id HAVING COUNT(*) > 1) doubled WHERE $1 IS NOT NULL";

const I2: &str = "SELECT COUNT(*) FROM (SELECT guest_id FROM stays WHERE ended_at IS NULL \
    GROUP BY guest_id HAVING COUNT(*) > 1) doubled WHERE $1 IS NOT NULL";

const I3: &str = "SELECT COUNT(*) FROM stays s JOIN guests g ON g.id = s.guest_id JOIN beds b ON b.id = s.bed_id \
    JOIN rooms r ON r.id = b.room_id \
    WHERE $1 IS NOT NULL AND (g.site_id <> s.site_id OR b.site_id <> s.site_id OR r.site_id <> s.site_id)";

const I4: &str = "SELECT COUNT(*) FROM stays s JOIN beds b ON b.id = s.bed_id JOIN rooms r ON r.id = b.room_id \
    JOIN sites i ON i.id = s.site_id WHERE $1 IS NOT NULL AND s.ended_at IS NULL \
    AND (b.disabled OR b.deleted_at IS NOT NULL OR r.deleted_at IS NOT NULL OR i.deleted_at IS NOT NULL)";

/// Only a bed that is disabled now has an open outage with its day, reason and user.
const I4_OUTAGES: &str = "SELECT COUNT(*) FROM beds b LEFT JOIN bed_outages o ON o.bed_id = b.id AND o.ended_at IS NULL \
    WHERE $1 IS NOT NULL AND b.disabled <> (o.id IS NOT NULL)";

const I5: &str = "SELECT COUNT(*) FROM guests g \
    LEFT JOIN stays s ON s.guest_id = g.id AND s.ended_at IS NULL WHERE $1 IS NOT NULL AND ( \
    (g.accepted_at IS NOT NULL) <> (s.id IS NOT NULL OR g.discharged_at IS NOT NULL) \
    OR (s.id IS NOT NULL AND g.discharged_at IS NOT NULL) \
    OR (g.accepted_at IS NULL AND EXISTS (SELECT 1 FROM stays o WHERE o.guest_id = g.id)))";

const I8: &str = "SELECT COUNT(*) FROM (SELECT g.id, \
    (CASE WHEN g.accepted_at IS NULL AND g.rejected_at IS NULL AND g.expired_at IS NULL \
        AND (g.expires_at IS NULL OR g.expires_at > $1) THEN 1 ELSE 0 END) \
    + (CASE WHEN s.id IS NOT NULL THEN 1 ELSE 0 END) \
    + (CASE WHEN g.rejected_at IS NOT NULL THEN 1 ELSE 0 END) \
    + (CASE WHEN g.discharged_at IS NOT NULL THEN 1 ELSE 0 END) \
    + (CASE WHEN g.expired_at IS NOT NULL OR (g.accepted_at IS NULL AND g.rejected_at IS NULL \
        AND g.expires_at <= $1) THEN 1 ELSE 0 END) AS states \
    FROM guests g LEFT JOIN stays s ON s.guest_id = g.id AND s.ended_at IS NULL) counted WHERE states <> 1";

const I8_LOST: &str = "SELECT COUNT(*) FROM audit a WHERE $1 IS NOT NULL AND a.action = 'guest.created' \
    AND NOT EXISTS (SELECT 1 FROM guests g WHERE g.id = a.object_id)";

/// An extended hold ends when its extension says, which has one row in the trail; later only by the time between a decline and its
/// undo, the first one. The bounds are constraints of the table.
const I9_EXTENDED: &str = "SELECT COUNT(*) FROM hold_extensions x JOIN guests g ON g.id = x.guest_id \
    WHERE $1 IS NOT NULL AND (g.expires_at IS NULL OR g.expires_at < x.new_end OR (g.expires_at > x.new_end \
        + COALESCE((SELECT u.undone_at - u.decided_at FROM guest_undos u WHERE u.guest_id = g.id AND u.kind = 'declined' \
            ORDER BY u.undone_at, u.id LIMIT 1), 0)) \
    OR (SELECT COUNT(*) FROM audit a WHERE a.object_id = g.id AND a.action = 'guest.hold-extended') <> 1)";

// Beds may be disabled or removed after a reservation was made, so these count as if they were still vacant. A walk-in who
// was let in over held capacity takes a bed that a reservation still counts on, as long as the walk-in is there.
const I10_CAPACITY: &str = concat!(
    "SELECT COUNT(*) FROM sites i WHERE (SELECT COUNT(*) FROM guests g WHERE g.site_id = i.id AND ",
    guests::is_pending!("g.", "$1"),
    ") > (SELECT COUNT(*) FROM beds b WHERE b.site_id = i.id) \
     - (SELECT COUNT(*) FROM stays s WHERE s.site_id = i.id AND s.ended_at IS NULL) \
     + (SELECT COUNT(*) FROM guests g WHERE g.site_id = i.id AND ",
    guests::is_open!("g."),
    " AND EXISTS (SELECT 1 FROM audit a WHERE a.object_id = g.id AND a.action = 'guest.over-capacity'))"
);

/// A proved phone has two at most wherever they are; what staff typed counts at the site where they typed it (decision 0033).
const I10_PERSON: &str = concat!(
    "SELECT COUNT(*) FROM (SELECT g.phone FROM guests g WHERE ",
    guests::is_active!("g.", "$1"),
    " AND NOT EXISTS (SELECT 1 FROM audit a WHERE a.object_id = g.id \
     AND a.action IN ('guest.third-allowed', 'guest.over-capacity')) \
     GROUP BY g.phone, CASE WHEN g.source = 'Web' THEN NULL ELSE g.site_id END HAVING COUNT(*) > 2) people"
);

/// The unique indexes allow one open offer per bed and per person. An offered bed can be given to that person.
const I10_OFFERS: &str = "SELECT COUNT(*) FROM bed_offers f JOIN beds b ON b.id = f.bed_id \
    JOIN waiting_guests w ON w.id = f.waiting_guest_id WHERE $1 IS NOT NULL AND f.ended_at IS NULL \
    AND (b.disabled OR b.deleted_at IS NOT NULL OR w.ended_at IS NOT NULL OR w.site_id <> b.site_id OR f.site_id <> b.site_id \
    OR EXISTS (SELECT 1 FROM stays t WHERE t.bed_id = b.id AND t.ended_at IS NULL))";

/// The stored counters of sites equal a recount.
const I15: &str = "SELECT COUNT(*) FROM sites i LEFT JOIN site_counts c ON c.site_id = i.id \
    WHERE $1 IS NOT NULL AND i.deleted_at IS NULL AND (c.site_id IS NULL \
    OR c.rooms <> (SELECT COUNT(*) FROM rooms r WHERE r.site_id = i.id AND r.deleted_at IS NULL) \
    OR c.beds <> (SELECT COUNT(*) FROM beds b WHERE b.site_id = i.id AND b.deleted_at IS NULL) \
    OR c.disabled <> (SELECT COUNT(*) FROM beds b WHERE b.site_id = i.id AND b.deleted_at IS NULL AND b.disabled) \
    OR c.occupied <> (SELECT COUNT(*) FROM stays t WHERE t.site_id = i.id AND t.ended_at IS NULL) \
    OR c.offered <> (SELECT COUNT(*) FROM bed_offers f WHERE f.site_id = i.id AND f.ended_at IS NULL) \
    OR c.beds - c.disabled - c.occupied <> (SELECT COUNT(*) FROM beds b WHERE b.site_id = i.id \
        AND b.deleted_at IS NULL AND NOT b.disabled \
        AND NOT EXISTS (SELECT 1 FROM stays t WHERE t.bed_id = b.id AND t.ended_at IS NULL)))";

/// The page marks of the audit lists equal a recount.
const I15_MARKS: &str = "SELECT COUNT(*) FROM audit_marks m LEFT JOIN ( \
    SELECT 'internal' AS kind, id, ROW_NUMBER() OVER (ORDER BY id) AS number FROM audit \
    UNION ALL SELECT kind, id, ROW_NUMBER() OVER (PARTITION BY kind ORDER BY at, id) AS number FROM ( \
        SELECT id, at, CASE action WHEN 'login.failed' THEN 'failed' WHEN 'guest.created' THEN 'guests' \
            ELSE 'password' END AS kind FROM audit WHERE action IN \
            ('login.failed', 'guest.created', 'password.changed', 'password.created', 'password.reset')) listed \
    ) numbered ON numbered.kind = m.kind AND numbered.id = m.id \
    WHERE $1 IS NOT NULL AND m.kind IN ('internal', 'failed', 'guests', 'password') \
    AND (numbered.number IS NULL OR numbered.number <> m.ordinal)";

/// A view of a list of guests has its set of guests.
const I11_SETS: &str = "SELECT COUNT(*) FROM audit a WHERE $1 IS NOT NULL AND a.guest_set_id IS NOT NULL \
    AND NOT EXISTS (SELECT 1 FROM guest_sets s WHERE s.id = a.guest_set_id)";

/// Each change of a guest has one row: a guest's version counts its changes.
const I11_CHANGES: &str = "SELECT COUNT(*) FROM guests g WHERE $1 IS NOT NULL AND g.version <> (SELECT COUNT(*) FROM audit a \
    WHERE a.object_id = g.id AND a.action IN ('guest.created', 'guest.accepted', 'guest.reassigned', 'guest.swapped', \
    'guest.rejected', 'guest.cancelled', 'guest.discharged', 'guest.accept-undone', 'guest.decline-undone', \
    'guest.discharge-undone', 'guest.expired', 'guest.card-added', 'guest.hold-extended', 'guest.departure-set', \
    'guest.arrived', 'guest.arrival-undone', 'guest.merged', 'guest.merge-undone'))";

/// Each undo reverts one decision about its guest.
const I11_UNDOS: &str = "SELECT COUNT(*) FROM guests g WHERE $1 IS NOT NULL AND ( \
    (SELECT COUNT(*) FROM guest_undos u WHERE u.guest_id = g.id) <> (SELECT COUNT(*) FROM audit a WHERE a.object_id = g.id \
        AND a.action IN ('guest.decline-undone', 'guest.discharge-undone')) \
    OR (SELECT COUNT(*) FROM guest_undos u JOIN audit a ON a.id = u.decision_id AND a.object_id = u.guest_id \
        WHERE u.guest_id = g.id AND a.action IN ('guest.rejected', 'guest.discharged')) \
    + (CASE WHEN (g.rejected_at IS NULL OR COALESCE(g.rejected_at = g.merged_at, FALSE)) AND g.discharged_at IS NULL \
        THEN 0 ELSE 1 END) \
    <> (SELECT COUNT(*) FROM audit a WHERE a.object_id = g.id \
        AND a.action IN ('guest.rejected', 'guest.cancelled', 'guest.discharged')))";

/// Each accept that was not undone has a stay, and no other does.
const I11_ACCEPTS: &str = "SELECT COUNT(*) FROM guests g WHERE $1 IS NOT NULL AND ( \
    (SELECT COUNT(*) FROM undone_accepts u JOIN audit a ON a.id = u.decision_id AND a.object_id = u.guest_id \
        AND a.action = 'guest.accepted' WHERE u.guest_id = g.id) \
        <> (SELECT COUNT(*) FROM audit a WHERE a.object_id = g.id AND a.action = 'guest.accept-undone') \
    OR (SELECT COUNT(*) FROM undone_accepts u WHERE u.guest_id = g.id) \
    + (CASE WHEN g.accepted_at IS NULL THEN 0 ELSE 1 END) \
    <> (SELECT COUNT(*) FROM audit a WHERE a.object_id = g.id AND a.action = 'guest.accepted'))";

/// A guest cancels once, and stays declined.
const I11_CANCELLED: &str = "SELECT COUNT(*) FROM guests g WHERE $1 IS NOT NULL AND ( \
    (g.cancelled_at IS NOT NULL AND (g.source <> 'Web' OR g.rejected_at IS NULL OR g.rejected_at <> g.cancelled_at)) \
    OR (CASE WHEN g.cancelled_at IS NULL THEN 0 ELSE 1 END) \
    <> (SELECT COUNT(*) FROM audit a WHERE a.object_id = g.id AND a.action = 'guest.cancelled'))";

/// A merged reservation has one merge in force, into one that is not merged itself, and each merge and its undo are on record once. The
/// constraints say that it has no bed.
const I11_MERGES: &str = "SELECT COUNT(*) FROM guests g WHERE $1 IS NOT NULL AND ( \
    (g.merged_at IS NOT NULL) <> EXISTS (SELECT 1 FROM guest_merges m JOIN guests k ON k.id = m.kept_id AND k.merged_at IS NULL \
        WHERE m.duplicate_id = g.id AND m.undone_at IS NULL AND m.merged_at = g.merged_at) \
    OR (SELECT COUNT(*) FROM guest_merges m WHERE m.duplicate_id = g.id) \
        <> (SELECT COUNT(*) FROM audit a WHERE a.object_id = g.id AND a.action = 'guest.merged') \
    OR (SELECT COUNT(*) FROM guest_merges m WHERE m.duplicate_id = g.id AND m.undone_at IS NOT NULL) \
        <> (SELECT COUNT(*) FROM audit a WHERE a.object_id = g.id AND a.action = 'guest.merge-undone'))";

/// Each change that a guest is notified of has one text, written with it, and nothing else has one. Guests older than texts
/// have none.
const I21: &str = "SELECT COUNT(*) FROM guests g WHERE $1 IS NOT NULL \
    AND EXISTS (SELECT 1 FROM guest_texts r WHERE r.guest_id = g.id AND r.kind = 'received') \
    AND ((SELECT COUNT(*) FROM guest_texts t WHERE t.guest_id = g.id AND t.kind <> 'ending') \
    <> (SELECT COUNT(*) FROM audit a WHERE a.object_id = g.id AND a.action IN ('guest.created', 'guest.accepted', \
        'guest.rejected', 'guest.accept-undone', 'guest.decline-undone', 'guest.expired', 'guest.cancelled')) \
    OR (SELECT COUNT(*) FROM guest_texts t WHERE t.guest_id = g.id AND t.kind = 'ending') > 1)";

/// A text that was sent is one message: its row in the outbox, as long as it is kept there, goes to the guest's phone.
const I21_SENT: &str = "SELECT COUNT(*) FROM guest_texts t JOIN guests g ON g.id = t.guest_id \
    JOIN outbox o ON o.id = t.outbox_id WHERE $1 IS NOT NULL AND (o.recipient <> g.phone OR o.channel <> 'sms')";

const ALL: [(&str, &str, &str); 22] = [
    ("I1", "a bed has at most one current guest", I1),
    ("I2", "a guest has at most one bed", I2),
    ("I3", "bed, house and guest of a stay belong to the same site", I3),
    ("I4", "a disabled or removed bed has no guest", I4),
    ("I4", "a bed is disabled exactly while it has an open outage", I4_OUTAGES),
    ("I5", "accepted guests have a bed or were discharged, others have none", I5),
    ("I8", "every guest is in exactly one state", I8),
    ("I8", "no reservation on record was lost", I8_LOST),
    ("I9", "a hold that was extended ends when its extension says", I9_EXTENDED),
    (
        "I10",
        "no site has more pending reservations than beds without a guest, walk-ins over capacity aside",
        I10_CAPACITY,
    ),
    ("I10", "nobody has more than two active reservations unless a third was allowed", I10_PERSON),
    ("I10", "a bed on offer is vacant and in use, and the person still waits", I10_OFFERS),
    ("I11", "each change of a guest has exactly one row in the audit trail", I11_CHANGES),
    ("I11", "every decision about a guest stands or was undone, once and on record", I11_UNDOS),
    ("I11", "every accept of a guest stands or was undone, once and on record", I11_ACCEPTS),
    (
        "I11",
        "a reservation that its guest cancelled is declined, and its cancellation is on record once",
        I11_CANCELLED,
    ),
    ("I11", "a merged reservation has one merge in force, on record, into one that is not merged", I11_MERGES),
    ("I11", "the guests that an answer showed are named in the audit trail", I11_SETS),
    ("I21", "each change that a guest is told has one text, written with it", I21),
    ("I21", "a text that was sent is one message to the guest's phone", I21_SENT),
    ("I15", "the counters kept for a site equal a recount", I15),
    ("I15", "the marks of the audit log stand where a recount finds them", I15_MARKS),
];

/// Recounts all invariants in one transaction.
pub async fn recount(db: &Db, now: Timestamp) -> Result<Vec<Finding>> {
    let mut view = db.read().await?;
    let mut findings = Vec::with_capacity(ALL.len());
    for (invariant, rule, text) in ALL {
        let violations = view.query(text).bind(now).scalar::<i64>().await?;
        findings.push(Finding { invariant, rule, violations });
    }
    let violations = organizations::wrong(&mut view).await?;
    findings.push(Finding {
        invariant: "I15",
        rule: "the marks of each organization stand where a count finds them",
        violations,
    });
    view.rollback().await?;
    Ok(findings)
}

/// Returns the broken rules as sentences.
pub async fn broken(db: &Db, now: Timestamp) -> Result<Vec<String>> {
    let findings = recount(db, now).await?;
    let broken = findings.into_iter().filter(|finding| finding.violations != 0);
    Ok(broken.map(|found| format!("{}: {} ({} times not)", found.invariant, found.rule, found.violations)).collect())
}
