//! Which messages guests and users get and when, and the words that stop them (docs/decisions/0052).

use crate::support::{NOW, accepted, pending};
use berth_domain::guest::{GuestFacts, Source};
use berth_domain::message::{GuestText, NotSent, Notice, OptOut, QuietHours, judge_guest_text, judge_notice, tell_at};
use berth_domain::time::{TimeOfDay, moment_text};
use berth_domain::{Locale, Timestamp};

fn held(until: Timestamp) -> GuestFacts {
    GuestFacts { source: Source::Web, expires_at: Some(until), ..pending(1) }
}

fn declined() -> GuestFacts {
    GuestFacts { rejected_at: Some(NOW), ..held(NOW.plus_hours(1)) }
}

fn judge(text: GuestText, guest: &GuestFacts, last: Option<GuestText>) -> Result<(), NotSent> {
    judge_guest_text((text, NOW), guest, last, NOW)
}

#[test]
fn a_guest_is_sent_only_texts_that_match_the_current_state() {
    let waiting = held(NOW.plus_hours(1));
    let over = held(NOW);
    let cancelled = GuestFacts { cancelled_at: Some(NOW), ..declined() };
    let left = GuestFacts { discharged_at: Some(NOW), ..accepted(1) };
    for (guest, told) in [
        (&waiting, vec![GuestText::Received, GuestText::Ending]),
        (&over, vec![GuestText::Expired]),
        (&accepted(1), vec![GuestText::Accepted]),
        (&declined(), vec![GuestText::Declined]),
        (&cancelled, vec![GuestText::Cancelled]),
        (&left, vec![]),
    ] {
        let sent: Vec<GuestText> =
            GuestText::ALL.iter().copied().filter(|text| judge(*text, guest, None).is_ok()).collect();
        assert_eq!(sent, told, "{guest:?}");
    }
}

#[test]
fn the_same_text_is_never_sent_twice_in_a_row() {
    for (text, guest) in [
        (GuestText::Accepted, accepted(1)),
        (GuestText::Declined, declined()),
        (GuestText::Expired, held(NOW)),
        (GuestText::Ending, held(NOW.plus_hours(1))),
    ] {
        assert_eq!(judge(text, &guest, Some(text)), Err(NotSent::Outdated), "{text}");
        assert_eq!(judge(text, &guest, Some(GuestText::Received)), Ok(()), "{text}");
    }
    let waiting = held(NOW.plus_hours(1));
    for later in [GuestText::Ending, GuestText::Reopened] {
        assert_eq!(judge(GuestText::Received, &waiting, Some(later)), Err(NotSent::Outdated), "{later} says more");
    }
}

#[test]
fn an_undone_decision_is_announced_only_to_guests_who_got_the_decision() {
    let waiting = held(NOW.plus_hours(1));
    assert_eq!(judge(GuestText::Reopened, &waiting, Some(GuestText::Received)), Err(NotSent::Outdated));
    assert_eq!(judge(GuestText::Reopened, &waiting, Some(GuestText::Declined)), Ok(()));
    assert_eq!(judge(GuestText::Reopened, &waiting, Some(GuestText::Accepted)), Ok(()));
    assert_eq!(judge(GuestText::Accepted, &waiting, Some(GuestText::Received)), Err(NotSent::Outdated));
    assert_eq!(judge(GuestText::Reopened, &declined(), Some(GuestText::Declined)), Err(NotSent::Outdated));
    assert_eq!(judge(GuestText::Declined, &waiting, Some(GuestText::Received)), Err(NotSent::Outdated));
}

#[test]
fn a_guest_reminder_is_at_most_ten_minutes_late_and_other_texts_are_never_too_late() {
    let waiting = held(NOW.plus_hours(1));
    let at = |text, guest: &GuestFacts, minutes: i64, more: i64| {
        judge_guest_text((text, NOW.plus_minutes(-minutes).plus_millis(-more)), guest, None, NOW)
    };
    assert_eq!(at(GuestText::Ending, &waiting, 10, 0), Ok(()));
    assert_eq!(at(GuestText::Ending, &waiting, 10, 1), Err(NotSent::Late));
    assert_eq!(at(GuestText::Accepted, &accepted(1), 3 * 24 * 60, 0), Ok(()));
}

#[test]
fn stop_words_must_be_the_whole_text_in_any_case() {
    for text in
        ["STOP", "stop", " Stop. ", "\u{201c}STOP\u{201d}", "ALTO", "alto!", "¡Alto!", "Unsubscribe", "cancel", "parar"]
    {
        assert_eq!(OptOut::read(text), Some(OptOut::Stop), "{text}");
    }
    for text in ["START", "start", "Unstop", "iniciar"] {
        assert_eq!(OptOut::read(text), Some(OptOut::Start), "{text}");
    }
    for text in ["", "...", "I want to stop by", "stop it", "yes", "7KX2QM", "no", "ST OP"] {
        assert_eq!(OptOut::read(text), None, "{text}");
    }
}

#[test]
fn a_time_is_written_in_the_sites_zone_and_the_guests_language() {
    let at = Timestamp::parse("2026-12-01T02:05:00Z").unwrap();
    let zone = "America/Los_Angeles";
    assert_eq!(moment_text(at, zone, Locale::English), "6:05 PM on November 30");
    assert_eq!(moment_text(at, zone, Locale::Spanish), "18:05 del 30 de noviembre");
    assert_eq!(moment_text(at, "no zone", Locale::English), "2:05 AM on December 1");
}

#[test]
fn quiet_hours_use_the_sites_local_time_and_may_cross_midnight() {
    let time = |text| TimeOfDay::parse(text).unwrap();
    let at = |text| Timestamp::parse(text).unwrap();
    let zone = "America/Los_Angeles";
    let night = QuietHours::new(time("22:00:00"), time("07:00:00")).unwrap();
    let noon = QuietHours::new(time("12:00:00"), time("13:30:00")).unwrap();
    for (quiet, now, end) in [
        (night, "2026-12-01T06:00:00Z", Some("2026-12-01T15:00:00Z")),
        (night, "2026-12-01T05:59:59Z", None),
        (night, "2026-12-01T14:59:59Z", Some("2026-12-01T15:00:00Z")),
        (night, "2026-12-01T15:00:00Z", None),
        (noon, "2026-12-01T20:00:00Z", Some("2026-12-01T21:30:00Z")),
        (noon, "2026-12-01T21:30:00Z", None),
        // The night in which clocks are set forward is an hour shorter.
        (night, "2026-03-08T06:00:00Z", Some("2026-03-08T14:00:00Z")),
    ] {
        assert_eq!(quiet.end_after(at(now), zone), end.map(at), "{now}");
    }
    // An end that the clock skips is an hour later; it is never before now.
    let skipped = QuietHours::new(time("01:00:00"), time("02:30:00")).unwrap();
    assert_eq!(skipped.end_after(at("2026-03-08T09:30:00Z"), zone), Some(at("2026-03-08T10:30:00Z")));
    assert!(QuietHours::new(time("22:00:00"), time("22:00:00")).is_err());
    assert!(QuietHours::new(time("00:00:00"), time("24:00:00")).is_err());
}

#[test]
fn users_are_not_notified_about_decided_guests_and_never_reminded_late() {
    let waiting = held(NOW.plus_hours(1));
    let judge =
        |notice, minutes: i64, guest: &GuestFacts| judge_notice((notice, NOW.plus_minutes(-minutes)), guest, NOW);
    for notice in [Notice::HalfTime, Notice::LastHour] {
        assert_eq!(judge(notice, 10, &waiting), Ok(()));
        assert_eq!(judge(notice, 11, &waiting), Err(NotSent::Late));
        assert_eq!(judge(notice, 0, &accepted(1)), Err(NotSent::Outdated));
    }
    assert_eq!(judge(Notice::Arrived, 9 * 60, &waiting), Ok(()), "it still waits");
    assert_eq!(judge(Notice::Arrived, 0, &declined()), Err(NotSent::Outdated));
    assert_eq!(judge(Notice::Expired, 9 * 60, &held(NOW)), Ok(()));
}

#[test]
fn arrivals_in_a_row_are_batched_for_five_minutes_and_reminders_are_sent_at_once() {
    let at = |waiting: &[Notice], last: Option<i64>, quiet: Option<i64>| {
        let minutes = |minutes: i64| NOW.plus_minutes(minutes);
        tell_at(waiting.iter().copied(), last.map(minutes), quiet.map(minutes), NOW)
            .map(|at| (at.millis() - NOW.millis()) / 60_000)
    };
    assert_eq!(at(&[Notice::Arrived], None, None), None, "the first one is sent at once");
    assert_eq!(at(&[Notice::Arrived], Some(-2), None), Some(3));
    assert_eq!(at(&[Notice::Arrived, Notice::Expired], Some(-5), None), None);
    assert_eq!(at(&[Notice::Arrived, Notice::LastHour], Some(-2), None), None);
    assert_eq!(at(&[Notice::LastHour], Some(-2), Some(90)), Some(90), "not in quiet hours");
    assert_eq!(at(&[Notice::Arrived], Some(3), None), None, "the clock went back");
}
