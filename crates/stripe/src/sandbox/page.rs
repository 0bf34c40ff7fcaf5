//! The pages of a sandbox: their common layout, and the pages of an invoice and a receipt.

use serde_json::Value;

use super::invoices::{self, dollars};
use super::portal::MOUNT;
use super::state::State;
use super::{clock, subscriptions};

/// Escapes text for element content and quoted attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// Returns the text in a JSON value, escaped.
pub(super) fn of(value: &Value) -> String {
    escaped(value.as_str().unwrap_or_default())
}

/// Returns a whole page. It always says that no card is charged.
pub(super) fn layout(prefers_spanish: bool, title: &str, content: &str) -> String {
    let (language, banner) = if prefers_spanish {
        ("es", "Pagos de prueba: no se cobra ninguna tarjeta")
    } else {
        ("en", "Test payments: no card is charged")
    };
    format!(
        "<!doctype html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">\n\
         <link rel=\"stylesheet\" href=\"{MOUNT}/portal.css\">\n</head>\n<body>\n\
         <p class=\"banner\">{banner}</p>\n<main>\n<h1>{title}</h1>\n{content}\n</main>\n</body>\n</html>\n"
    )
}

/// The texts of the pages of invoices and receipts.
struct Words {
    invoice: &'static str,
    receipt: &'static str,
    number: &'static str,
    date: &'static str,
    to: &'static str,
    site: &'static str,
    status: &'static str,
    item: &'static str,
    amount: &'static str,
    discount: &'static str,
    total: &'static str,
    paid_with: &'static str,
    pay: &'static str,
    no_card: &'static str,
    missing: &'static str,
    draft: &'static str,
    open: &'static str,
    paid: &'static str,
    uncollectible: &'static str,
    void: &'static str,
}

const ENGLISH: Words = Words {
    invoice: "Invoice",
    receipt: "Receipt",
    number: "Number",
    date: "Date",
    to: "Billed to",
    site: "For",
    status: "Status",
    item: "Item",
    amount: "Amount",
    discount: "Discount",
    total: "Total",
    paid_with: "Paid with",
    pay: "Pay with the default card",
    no_card: "There is no default card. Add one in Berth, then open this page again.",
    missing: "This page does not exist.",
    draft: "Draft",
    open: "To be paid",
    paid: "Paid",
    uncollectible: "Not paid",
    void: "Void",
};

const SPANISH: Words = Words {
    invoice: "Factura",
    receipt: "Recibo",
    number: "Número",
    date: "Fecha",
    to: "Facturado a",
    site: "Para",
    status: "Estado",
    item: "Concepto",
    amount: "Importe",
    discount: "Descuento",
    total: "Total",
    paid_with: "Pagado con",
    pay: "Pagar con la tarjeta predeterminada",
    no_card: "No hay una tarjeta predeterminada. Agregue una en Berth y abra de nuevo esta página.",
    missing: "Esta página no existe.",
    draft: "Borrador",
    open: "Por pagar",
    paid: "Pagada",
    uncollectible: "No pagada",
    void: "Anulada",
};

impl Words {
    const fn of(prefers_spanish: bool) -> &'static Self {
        if prefers_spanish { &SPANISH } else { &ENGLISH }
    }

    fn status(&self, status: &Value) -> &'static str {
        match status.as_str() {
            Some("open") => self.open,
            Some("paid") => self.paid,
            Some("void") => self.void,
            Some("uncollectible") => self.uncollectible,
            _ => self.draft,
        }
    }
}

/// Returns a description list of names and values.
fn facts(rows: &[(&str, String)]) -> String {
    let rows = rows.iter().filter(|(_, value)| !value.is_empty());
    let rows: String = rows.map(|(name, value)| format!("<dt>{name}</dt>\n<dd>{value}</dd>\n")).collect();
    format!("<dl>\n{rows}</dl>\n")
}

/// Returns the page of an invoice. `None` if there is no such invoice, or if it is a draft.
pub(super) fn invoice(state: &State, id: &str, prefers_spanish: bool, rejection: Option<&str>) -> Option<String> {
    let words = Words::of(prefers_spanish);
    let invoice = state.find(invoices::KIND, id).filter(|invoice| invoice["status"] != "draft")?;
    let alert = rejection.map(|text| format!("<p role=\"alert\">{}</p>\n", escaped(text))).unwrap_or_default();
    let row = |name: &str, cents: i64| format!("<tr><td>{name}</td><td>{}</td></tr>\n", dollars(cents));
    let lines = invoice["lines"]["data"].as_array().into_iter().flatten();
    let lines: String = lines
        .map(|line| {
            let until = |name: &str| clock::day(line["period"][name].as_i64().unwrap_or_default(), prefers_spanish);
            let period = format!("<span class=\"soft\">{} – {}</span>", until("start"), until("end"));
            row(&format!("{}<br>{period}", of(&line["description"])), line["amount"].as_i64().unwrap_or_default())
        })
        .collect();
    let off = |amount: &Value| amount["amount"].as_i64().unwrap_or_default();
    let off: i64 = invoice["total_discount_amounts"].as_array().into_iter().flatten().map(off).sum();
    let discount = if off > 0 {
        format!("<tr><td>{}</td><td>−{}</td></tr>\n", words.discount, dollars(off))
    } else {
        String::new()
    };
    let total = row(&format!("<strong>{}</strong>", words.total), invoice["total"].as_i64().unwrap_or_default());
    let facts = facts(&[
        (words.number, of(&invoice["number"])),
        (words.date, clock::day(invoice["created"].as_i64().unwrap_or_default(), prefers_spanish)),
        (words.to, of(&invoice["customer_name"])),
        (words.site, site_of(state, invoice)),
        (words.status, words.status(&invoice["status"]).to_owned()),
    ]);
    let pay = match (invoice["status"] == "open", has_card(state, invoice)) {
        (false, _) => String::new(),
        (true, true) => {
            format!("<form method=\"post\">\n<button name=\"action\" value=\"pay\">{}</button>\n</form>\n", words.pay)
        }
        (true, false) => format!("<p>{}</p>\n", words.no_card),
    };
    let content = format!(
        "{alert}{facts}<table>\n<thead><tr><th scope=\"col\">{item}</th><th scope=\"col\">{amount}</th></tr></thead>\n\
         <tbody>\n{lines}{discount}{total}</tbody>\n</table>\n{pay}",
        item = words.item,
        amount = words.amount,
    );
    Some(layout(prefers_spanish, words.invoice, &content))
}

/// Returns the description of the subscription that an invoice is for: the name of the site. Empty for older
/// subscriptions.
fn site_of(state: &State, invoice: &Value) -> String {
    let subscription = state.find(subscriptions::KIND, &invoices::subscription_of(invoice));
    subscription.map(|subscription| of(&subscription["description"])).unwrap_or_default()
}

fn has_card(state: &State, invoice: &Value) -> bool {
    let subscription = state.find(subscriptions::KIND, &invoices::subscription_of(invoice));
    subscription.is_some_and(|subscription| invoices::method_of(state, subscription).is_some())
}

/// Returns the receipt of a charge. `None` if there is no such charge, or if it failed.
pub(super) fn receipt(state: &State, id: &str, prefers_spanish: bool) -> Option<String> {
    let words = Words::of(prefers_spanish);
    let charge = state.find("charge", id).filter(|charge| charge["paid"] == true)?;
    let customer = state.find("customer", charge["customer"].as_str().unwrap_or_default());
    let card = &charge["payment_method_details"]["card"];
    let content = facts(&[
        (words.date, clock::day(charge["created"].as_i64().unwrap_or_default(), prefers_spanish)),
        (words.to, customer.map(|customer| of(&customer["name"])).unwrap_or_default()),
        (words.paid_with, format!("<span class=\"brand\">{}</span> •••• {}", of(&card["brand"]), of(&card["last4"]))),
        (words.total, dollars(charge["amount"].as_i64().unwrap_or_default())),
    ]);
    Some(layout(prefers_spanish, words.receipt, &content))
}

/// Returns the page for an invoice or receipt that does not exist.
pub(super) fn missing(prefers_spanish: bool) -> String {
    let words = Words::of(prefers_spanish);
    layout(prefers_spanish, words.invoice, &format!("<p>{}</p>", words.missing))
}
