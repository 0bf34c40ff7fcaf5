//! The intake hours of a site (spec A 2, 3, 5).

use super::TimeOfDay;
use crate::check::{Check, FieldErrors};
use serde::{Deserialize, Serialize};

text_enum! {
    /// A group of days with its own intake hours. The text is the long name.
    #[derive(Deserialize)]
    pub enum TimePeriod {
        /// Monday to Friday. The short name is "Weekdays".
        MondayToFriday = "Monday to Friday",
        /// Saturday and Sunday.
        Weekends = "Weekends",
        /// Public holidays.
        Holidays = "Holidays",
    }
}

impl TimePeriod {
    /// Parses a long or a short name, in any case.
    ///
    /// # Errors
    /// A sentence that lists the names.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim().to_lowercase();
        let named = |period: &&Self| text == period.as_str().to_lowercase() || text == period.short().to_lowercase();
        Self::ALL.iter().find(named).copied().ok_or("The time period must be Monday to Friday, Weekends or Holidays.")
    }

    /// Returns the short name.
    #[must_use]
    pub const fn short(self) -> &'static str {
        match self {
            Self::MondayToFriday => "Weekdays",
            Self::Weekends | Self::Holidays => self.as_str(),
        }
    }
}

/// An intake period, as sent.
#[derive(Debug, Clone, Default, Deserialize, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct IntakePeriodForm {
    /// "Monday to Friday" (or "Weekdays"), "Weekends" or "Holidays".
    pub time_period: String,
    /// `hh:mm:ss`; 00:01:00 means All Day.
    pub from: Option<String>,
    /// `hh:mm:ss`; 00:01:00 means All Day.
    pub to: Option<String>,
    /// True if the site admits guests at that time. The default is true.
    pub enabled: Option<bool>,
}

/// The intake hours of a group of days. If enabled, both times are set, rounded to half hours and in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IntakePeriod {
    /// The group of days.
    pub time_period: TimePeriod,
    /// The start. Both times are All Day for the whole day.
    pub from: Option<TimeOfDay>,
    /// The end.
    pub to: Option<TimeOfDay>,
    /// True if the site admits guests at that time.
    pub enabled: bool,
}

impl IntakePeriod {
    /// Applies the rules of one period (spec A 5).
    ///
    /// # Errors
    /// Field errors at `/timePeriod`, `/from` and `/to`.
    pub fn parse(form: &IntakePeriodForm) -> Result<Self, FieldErrors> {
        let mut check = Check::new();
        let time_period = check.field("/timePeriod", TimePeriod::parse(&form.time_period));
        let from = check.optional("/from", form.from.as_deref(), TimeOfDay::parse).map(TimeOfDay::to_half_hour);
        let to = check.optional("/to", form.to.as_deref(), TimeOfDay::parse).map(TimeOfDay::to_half_hour);
        let enabled = form.enabled.unwrap_or(true);
        let (from, to) = if check.is_ok() && enabled { hours(&mut check, from, to) } else { (from, to) };
        check.build(|| Some(Self { time_period: time_period?, from, to, enabled }))
    }

    /// "All Day" or "9:00 AM - 5:00 PM" (spec B 2, Info tab). Empty if a time is missing.
    #[must_use]
    pub fn text(&self) -> String {
        match (self.from, self.to) {
            (Some(from), _) if from.is_all_day() => from.twelve_hour(),
            (Some(from), Some(to)) => format!("{} - {}", from.twelve_hour(), to.twelve_hour()),
            _ => String::new(),
        }
    }
}

/// Completes and checks the times of an enabled period.
fn hours(check: &mut Check, from: Option<TimeOfDay>, to: Option<TimeOfDay>) -> (Option<TimeOfDay>, Option<TimeOfDay>) {
    match (from, to) {
        (None, None) => return (Some(TimeOfDay::DEFAULT_FROM), Some(TimeOfDay::DEFAULT_TO)),
        // The form disables the second select if the first is All Day, and may leave it out.
        (Some(from), None) if from.is_all_day() => return (Some(from), Some(from)),
        (None, _) => check.reject("/from", "If intake period is selected, both inputs must be filled."),
        (_, None) => check.reject("/to", "If intake period is selected, both inputs must be filled."),
        (Some(from), Some(to)) if from.is_all_day() != to.is_all_day() => {
            let pointer = if from.is_all_day() { "/to" } else { "/from" };
            check.reject(pointer, "\"All Time\" should be selected in both inputs.");
        }
        (Some(from), Some(to)) => {
            check.require(to >= from, "/to", "The end of the intake period cannot be earlier than its start.");
        }
    }
    (from, to)
}

/// Parses the intake periods of a site: each by its own rules, no group of days twice, at least one enabled.
///
/// # Errors
/// Field errors at `/0/from` and the like, and at the whole list.
pub fn parse_intake_periods(forms: &[IntakePeriodForm]) -> Result<Vec<IntakePeriod>, FieldErrors> {
    let mut check = Check::new();
    let mut periods: Vec<IntakePeriod> = Vec::new();
    for (index, form) in forms.iter().enumerate() {
        let Some(period) = check.nested(&format!("/{index}"), IntakePeriod::parse(form)) else { continue };
        let known = periods.iter().any(|other| other.time_period == period.time_period);
        check.require(!known, &format!("/{index}/timePeriod"), "This time period is listed twice.");
        periods.push(period);
    }
    let any_enabled = periods.iter().any(|period| period.enabled) || !check.is_ok();
    check.require(any_enabled, "", "Add at least one intake period.");
    check.finish().map(|()| periods)
}
