//! Statistics as files: the table beside a chart.

use axum::response::Response;
use berth_domain::id::OrganizationId;
use berth_domain::locale::Locale;
use berth_domain::time::{clock_at, date_at};
use serde::Deserialize;
use utoipa::IntoParams;

use super::read::Scope;
use super::{DecisionNumbers, Numbers, NumbersBand, RangeQuery, ReasonNumbers, count};
use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::{Caller, Site};
use crate::housing::guests;
use crate::http::export::{self, Cell, Column, Format, Table};
use crate::{App, Error, Result};

/// The figure of a file, and its language.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FileQuery {
    /// `occupancy` (the default), `lengthOfStay`, `decisions`, `holds` or `reasons`.
    figure: Option<String>,
    /// `en` (the default) or `es`.
    language: Option<String>,
}

/// A chart with its table.
#[derive(Debug, Clone, Copy)]
enum Figure {
    Occupancy,
    LengthOfStay,
    Decisions,
    Holds,
    Reasons,
}

impl FileQuery {
    fn parse(&self) -> Result<(Figure, Locale)> {
        let figure = match self.figure.as_deref() {
            None | Some("occupancy") => Figure::Occupancy,
            Some("lengthOfStay") => Figure::LengthOfStay,
            Some("decisions") => Figure::Decisions,
            Some("holds") => Figure::Holds,
            Some("reasons") => Figure::Reasons,
            Some(_) => {
                let known = "Choose one of: occupancy, lengthOfStay, decisions, holds, reasons.";
                return Err(Error::field("/figure", known));
            }
        };
        let language = match self.language.as_deref() {
            None => Locale::English,
            Some(text) => Locale::from_text(text).ok_or_else(|| Error::field("/language", "Choose one of: en, es."))?,
        };
        Ok((figure, language))
    }
}

/// The site or organization of a file.
pub(super) struct Subject<'a> {
    pub(super) name: &'a str,
    /// The time zone of the time at which the file was made.
    pub(super) time_zone: &'a str,
    pub(super) scope: Scope,
    /// The place of the audit row.
    pub(super) place: (OrganizationId, Option<&'a Site>),
}

impl Subject<'_> {
    /// Writes the audit row of a download. The file names no guest, but after a leak it matters who downloaded what.
    async fn record(&self, app: &App, caller: &Caller, (title, days, format): (&str, &str, Format)) -> Result<()> {
        let (organization, site) = self.place;
        let object = site.map_or((ObjectKind::Organization, organization.0), |site| (ObjectKind::Site, site.id.0));
        let summary = format!("{title}, {days}, as a {} file", format.extension());
        let place = (Some(organization), site.map(|site| site.id));
        let entry = Entry::placed(place, AuditAction::NumbersExported, Some(object), summary);
        audit_log::record(app, &Author::caller(caller, site), &entry).await
    }
}

/// Answers with a file.
pub(super) async fn answer(
    app: &App,
    caller: &Caller,
    subject: &Subject<'_>,
    range: &RangeQuery,
    query: &FileQuery,
    format: Format,
) -> Result<Response> {
    let (figure, language) = query.parse()?;
    let numbers = count::numbers(app, subject.scope, range).await?;
    let user_id = caller.actor.user_id;
    let name = guests::names(&app.db, vec![user_id]).await?.remove(&user_id);
    let now = app.now();
    let by = name.unwrap_or_else(|| caller.email.clone());
    let time = clock_at(now, subject.time_zone);
    let words = Words(language);
    let (title, summary) = words.about(figure, &numbers);
    let days = match language {
        Locale::English => format!("{} to {}", numbers.from, numbers.to),
        Locale::Spanish => format!("Del {} al {}", numbers.from, numbers.to),
    };
    let made = match language {
        Locale::English => format!("As of {time}, saved by {by}"),
        Locale::Spanish => format!("Situación del {time}, guardado por {by}"),
    };
    let mut facts = vec![format!("{title}: {}", subject.name), days];
    facts.extend(summary);
    facts.push(made);
    let in_english = Words(Locale::English).about(figure, &numbers).0;
    subject.record(app, caller, (in_english, &format!("{} to {}", numbers.from, numbers.to), format)).await?;
    let (columns, rows) = words.table(figure, &numbers);
    let table = Table { name: words.sheet(figure), facts, columns, rows };
    let file = format!("berth {} {title} {}", subject.name, date_at(now, subject.time_zone));
    export::answer(&file, format, table, now).await
}

/// The texts of a file in its language, the same as on the screen.
#[derive(Clone, Copy)]
struct Words(Locale);

impl Words {
    /// Returns the title of a file, and its lines about the whole range.
    fn about(self, figure: Figure, numbers: &Numbers) -> (&'static str, Vec<String>) {
        let pick = |english: &'static str, spanish: &'static str| self.0.pick(english, spanish);
        let line = |label: &str, value: Option<String>| format!("{label}: {}", value.unwrap_or_else(|| "–".to_owned()));
        match figure {
            Figure::Occupancy => (
                pick("Occupancy by day", "Ocupación por día"),
                vec![line(pick("Whole range", "Todo el período"), numbers.occupancy.share.map(percent))],
            ),
            Figure::LengthOfStay => {
                let days = |days: f64| match self.0 {
                    Locale::English => format!("{days} {}", if days == 1.0 { "day" } else { "days" }),
                    Locale::Spanish => format!("{days} {}", if days == 1.0 { "día" } else { "días" }),
                };
                let stays = &numbers.length_of_stay;
                let lines = vec![
                    line(pick("Median", "Mediana"), stays.median_days.map(days)),
                    line(pick("Average", "Promedio"), stays.average_days.map(days)),
                ];
                (pick("Length of stay", "Duración de la estancia"), lines)
            }
            Figure::Decisions => {
                let about = |label: &str, times: &DecisionNumbers| {
                    let median = times.median_minutes.map(|time| time.to_string());
                    let ninetieth = times.ninetieth_minutes.map(|time| time.to_string());
                    [
                        line(&format!("{label}, {}", pick("median (minutes)", "mediana (minutos)")), median),
                        line(
                            &format!("{label}, {}", pick("90% decided within (minutes)", "90 % decidido en (minutos)")),
                            ninetieth,
                        ),
                    ]
                };
                let search = about(self.search(), &numbers.decisions_from_search);
                let by_hand = about(self.by_hand(), &numbers.decisions_by_hand);
                (pick("Time to decision", "Tiempo hasta la decisión"), search.into_iter().chain(by_hand).collect())
            }
            Figure::Holds => (
                pick("How holds ended", "Plazos de reserva"),
                vec![line(pick("Expired", "Vencidos"), numbers.holds.expired_share.map(percent))],
            ),
            Figure::Reasons => {
                let shown = pick(
                    "Other reasons: feedback given for fewer than 3 guests",
                    "Otros motivos: comentarios dados para menos de 3 huéspedes",
                );
                (pick("Reasons", "Motivos"), vec![shown.to_owned()])
            }
        }
    }

    /// Returns the name of the sheet: one word.
    fn sheet(self, figure: Figure) -> &'static str {
        match figure {
            Figure::Occupancy => self.0.pick("Occupancy", "Ocupación"),
            Figure::LengthOfStay => self.0.pick("Stays", "Estancias"),
            Figure::Decisions => self.0.pick("Decisions", "Decisiones"),
            Figure::Holds => self.0.pick("Holds", "Plazos"),
            Figure::Reasons => self.0.pick("Reasons", "Motivos"),
        }
    }

    fn search(self) -> &'static str {
        self.0.pick("From the search", "De la búsqueda")
    }

    fn by_hand(self) -> &'static str {
        self.0.pick("Added by hand", "Añadidos a mano")
    }

    fn table(self, figure: Figure, numbers: &Numbers) -> (Vec<Column>, Vec<Vec<Cell>>) {
        match figure {
            Figure::Occupancy => self.occupancy(numbers),
            Figure::LengthOfStay => self.length_of_stay(numbers),
            Figure::Decisions => self.decisions(numbers),
            Figure::Holds => self.holds(numbers),
            Figure::Reasons => self.reasons(numbers),
        }
    }

    fn column(self, english: &'static str, spanish: &'static str, width: u16) -> Column {
        Column { head: self.0.pick(english, spanish), width }
    }

    fn occupancy(self, numbers: &Numbers) -> (Vec<Column>, Vec<Vec<Cell>>) {
        let columns = vec![
            self.column("Day", "Día", 14),
            self.column("Occupied beds", "Camas ocupadas", 16),
            self.column("Enabled beds", "Camas activas", 18),
            self.column("Occupancy (%)", "Ocupación (%)", 16),
        ];
        let rows = numbers.occupancy.days.iter().map(|day| {
            let share = day.share.map_or(Cell::Empty, |share| Cell::Decimal(share * 100.0));
            vec![Cell::Day(day.date.clone()), Cell::Decimal(day.occupied), Cell::Decimal(day.enabled), share]
        });
        (columns, rows.collect())
    }

    fn length_of_stay(self, numbers: &Numbers) -> (Vec<Column>, Vec<Vec<Cell>>) {
        let stays = &numbers.length_of_stay;
        let columns = vec![
            self.column("Days", "Días", 20),
            self.column("Guests", "Huéspedes", 12),
            self.column("Share (%)", "Porcentaje (%)", 12),
        ];
        let mut from = 1;
        let rows = stays.bands.iter().map(|band| {
            let label = band.up_to.map_or_else(
                || format!("{from} {}", self.0.pick("or more", "o más")),
                |to| format!("{from} {} {to}", self.0.pick("to", "a")),
            );
            from = band.up_to.map_or(from, |to| to + 1);
            vec![Cell::Text(label), number(band.count), part(band.count, stays.guests)]
        });
        (columns, rows.collect())
    }

    fn decisions(self, numbers: &Numbers) -> (Vec<Column>, Vec<Vec<Cell>>) {
        let columns = vec![
            self.column("Time to decision", "Tiempo hasta la decisión", 26),
            Column { head: self.search(), width: 18 },
            Column { head: self.by_hand(), width: 18 },
        ];
        let pairs = numbers.decisions_from_search.bands.iter().zip(&numbers.decisions_by_hand.bands);
        let mut before = 0;
        let rows = pairs.map(|(search, by_hand): (&NumbersBand, &NumbersBand)| {
            let hours = |minutes: i64| match (self.0, minutes / 60) {
                (Locale::English, 1) => "1 hour".to_owned(),
                (Locale::English, hours) => format!("{hours} hours"),
                (Locale::Spanish, 1) => "1 hora".to_owned(),
                (Locale::Spanish, hours) => format!("{hours} horas"),
            };
            let label = search.up_to.map_or_else(
                || format!("{} {}", self.0.pick("More than", "Más de"), hours(before)),
                |to| format!("{} {}", self.0.pick("Up to", "Hasta"), hours(to)),
            );
            before = search.up_to.unwrap_or(before);
            vec![Cell::Text(label), number(search.count), number(by_hand.count)]
        });
        (columns, rows.collect())
    }

    fn holds(self, numbers: &Numbers) -> (Vec<Column>, Vec<Vec<Cell>>) {
        let holds = &numbers.holds;
        let columns = vec![
            self.column("Ended by", "Fin del plazo", 26),
            self.column("Holds", "Plazos", 14),
            self.column("Share (%)", "Porcentaje (%)", 12),
        ];
        let row = |english, spanish, count: u32| {
            let share = part_of(f64::from(count), f64::from(holds.ended));
            vec![Cell::Text(self.0.pick(english, spanish).to_owned()), Cell::Number(count), share]
        };
        let rows = vec![
            row("Guest accepted", "Huésped aceptado", holds.accepted),
            row("Guest declined", "Huésped rechazado", holds.declined),
            row("Cancelled by the guest", "Cancelada por el huésped", holds.cancelled),
            row("No decision in time", "Sin decisión a tiempo", holds.expired),
        ];
        (columns, rows)
    }

    fn reasons(self, numbers: &Numbers) -> (Vec<Column>, Vec<Vec<Cell>>) {
        let columns = vec![
            self.column("Decision", "Decisión", 16),
            self.column("Reason", "Motivo", 60),
            self.column("Guests", "Huéspedes", 12),
        ];
        let rows_of = |decision: &'static str, reasons: &ReasonNumbers| {
            let row = |text: &str, count: u32| {
                vec![Cell::Text(decision.to_owned()), Cell::Text(text.to_owned()), Cell::Number(count)]
            };
            let mut rows: Vec<Vec<Cell>> =
                reasons.chosen.iter().chain(&reasons.listed).map(|reason| row(&reason.reason, reason.guests)).collect();
            rows.push(row(self.0.pick("Other reasons", "Otros motivos"), reasons.other));
            rows.push(row(self.0.pick("No reason given", "Sin motivo"), reasons.none));
            rows
        };
        let mut rows = rows_of(self.0.pick("Declined", "Rechazado"), &numbers.decline_reasons);
        rows.extend(rows_of(self.0.pick("Discharged", "Dado de alta"), &numbers.discharge_reasons));
        (columns, rows)
    }
}

/// Formats a share as a percentage, such as `83.5%`.
fn percent(share: f64) -> String {
    format!("{}%", (share * 1000.0).round() / 10.0)
}

fn number(count: usize) -> Cell {
    Cell::Number(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Returns a part of a whole as a percentage; empty if the whole is 0.
fn part(count: usize, whole: usize) -> Cell {
    let counted = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    part_of(counted(count), counted(whole))
}

fn part_of(part: f64, whole: f64) -> Cell {
    if whole > 0.0 { Cell::Decimal(part / whole * 100.0) } else { Cell::Empty }
}
