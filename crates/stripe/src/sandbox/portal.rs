//! The customer portal: the session that opens it, and its page.

use serde_json::{Value, json};
use url::Url;

use super::page::{self, escaped, of};
use super::parameters::Parameters;
use super::rejection::Rejection;
use super::serve::Call;
use super::state::{self, State};
use super::{customers, payment_methods};

const KIND: &str = "billing_portal.session";
/// Lifetime of a session, in seconds.
const LIFETIME: i64 = 60 * 60;
/// The path under which Berth serves the sandbox's routes for browsers.
pub(super) const MOUNT: &str = "/dev/stripe";

pub(super) fn create(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let parameters = &mut call.parameters;
    let customer = parameters.required("customer")?;
    let return_url = parameters.required("return_url")?;
    let locale = parameters.text("locale")?;
    std::mem::take(parameters).done("")?;
    let origin = Url::parse(&return_url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let origin = origin.ok_or_else(|| Rejection::invalid("Not a valid URL").code("url_invalid").param("return_url"))?;
    customers::find(state, &customer, "customer").map_err(|rejection| rejection.with_status(400))?;
    let id = format!("bps_{}", state::random::<20>());
    let url = format!("{}{MOUNT}/portal/{id}", origin.origin().ascii_serialization());
    Ok(state.add(json!({
        "id": id, "object": KIND, "configuration": "bpc_sandbox", "created": state::now(), "customer": customer,
        "customer_account": null, "flow": null, "livemode": false, "locale": locale, "on_behalf_of": null,
        "return_url": return_url, "url": url,
    })))
}

/// Returns a session that has not expired, and its customer.
pub(super) fn find(state: &State, id: &str) -> Option<(Value, Value)> {
    let session = state.find(KIND, id)?;
    let is_fresh = session["created"].as_i64().is_some_and(|created| state::now() - created < LIFETIME);
    let customer = customers::find(state, session["customer"].as_str()?, "customer").ok()?;
    is_fresh.then(|| (session.clone(), customer))
}

/// Does what the person asked for on the page.
pub(super) fn act(state: &mut State, id: &str, fields: &str) -> Result<(), Rejection> {
    let gone = || Rejection::missing("session", id, "session");
    let (_, customer) = find(state, id).ok_or_else(gone)?;
    let customer_id = customer["id"].as_str().unwrap_or_default();
    let mut parameters = Parameters::parse(fields);
    let action = parameters.required("action")?;
    if action == "email" {
        let email = parameters.required("email")?;
        let form = crate::form::Form::new().with("email", email);
        let mut call = Call::inner(customer_id, Parameters::parse(&form.encoded()));
        return customers::update(state, &mut call).map(|_| ());
    }
    let card = parameters.required("card")?;
    let is_theirs = payment_methods::of(state, customer_id).iter().any(|method| method["id"] == card.as_str());
    if !is_theirs {
        return Err(Rejection::missing("PaymentMethod", &card, "card"));
    }
    match action.as_str() {
        "default" => customers::set_default(state, customer_id, &card).map(|_| ()),
        "remove" => {
            payment_methods::take(state, &card);
            Ok(())
        }
        _ => Err(Rejection::invalid("Unknown action.")),
    }
}

/// The texts of the page, in English and in Spanish.
struct Words {
    title: &'static str,
    back: &'static str,
    cards: &'static str,
    no_cards: &'static str,
    ends_in: &'static str,
    until: &'static str,
    is_default: &'static str,
    make_default: &'static str,
    remove: &'static str,
    receipts: &'static str,
    email: &'static str,
    save: &'static str,
    old: &'static str,
}

const ENGLISH: Words = Words {
    title: "Billing information",
    back: "Return to Berth",
    cards: "Payment methods",
    no_cards: "No card is saved.",
    ends_in: "ending in",
    until: "expires",
    is_default: "Default",
    make_default: "Make default",
    remove: "Remove",
    receipts: "Receipts",
    email: "Email for receipts",
    save: "Save",
    old: "This page is no longer open. Please go back to Berth and open it again.",
};

const SPANISH: Words = Words {
    title: "Información de facturación",
    back: "Volver a Berth",
    cards: "Métodos de pago",
    no_cards: "No hay ninguna tarjeta guardada.",
    ends_in: "terminada en",
    until: "vence",
    is_default: "Predeterminada",
    make_default: "Usar por defecto",
    remove: "Quitar",
    receipts: "Recibos",
    email: "Correo para recibos",
    save: "Guardar",
    old: "Esta página ya no está abierta. Vuelva a Berth y ábrala de nuevo.",
};

/// Returns the page of a session. If the session has expired, the page says so.
pub(super) fn page(
    found: Option<&(Value, Value, Vec<Value>)>,
    prefers_spanish: bool,
    rejection: Option<&str>,
) -> String {
    let words = if prefers_spanish { &SPANISH } else { &ENGLISH };
    let content = match found {
        None => format!("<p>{}</p>\n<p><a href=\"/\">{}</a></p>", words.old, words.back),
        Some((session, customer, methods)) => content(words, session, customer, methods, rejection),
    };
    page::layout(prefers_spanish, words.title, &content)
}

fn content(words: &Words, session: &Value, customer: &Value, methods: &[Value], rejection: Option<&str>) -> String {
    let alert = rejection.map(|text| format!("<p role=\"alert\">{}</p>", escaped(text))).unwrap_or_default();
    let rows: String = methods.iter().map(|method| row(words, customer, method)).collect();
    let cards = if rows.is_empty() { format!("<p>{}</p>", words.no_cards) } else { format!("<ul>\n{rows}</ul>") };
    format!(
        "<p>{name}</p>\n<p><a href=\"{return_url}\">{back}</a></p>\n{alert}\n\
         <section aria-labelledby=\"cards\">\n<h2 id=\"cards\">{title}</h2>\n{cards}\n</section>\n\
         <section aria-labelledby=\"receipts\">\n<h2 id=\"receipts\">{receipts}</h2>\n<form method=\"post\">\n\
         <label for=\"email\">{email_label}</label>\n\
         <input id=\"email\" name=\"email\" type=\"email\" required maxlength=\"254\" value=\"{email}\">\n\
         <button name=\"action\" value=\"email\">{save}</button>\n</form>\n</section>",
        name = of(&customer["name"]),
        return_url = of(&session["return_url"]),
        back = words.back,
        title = words.cards,
        receipts = words.receipts,
        email_label = words.email,
        email = of(&customer["email"]),
        save = words.save,
    )
}

/// One card with its buttons.
fn row(words: &Words, customer: &Value, method: &Value) -> String {
    let card = &method["card"];
    let is_default = customer["invoice_settings"]["default_payment_method"] == method["id"];
    let name = format!("{} {} {}", of(&card["brand"]), words.ends_in, of(&card["last4"]));
    let until =
        format!("{} {}/{:02}", words.until, card["exp_month"], card["exp_year"].as_i64().unwrap_or_default() % 100);
    let button = |action: &str, label: &str| {
        format!("<button name=\"action\" value=\"{action}\" aria-label=\"{label}: {name}\">{label}</button>\n")
    };
    let mark = if is_default { format!("<strong>{}</strong>\n", words.is_default) } else { String::new() };
    let make = if is_default { String::new() } else { button("default", words.make_default) };
    let remove = button("remove", words.remove);
    format!(
        "<li><form method=\"post\">\n<input type=\"hidden\" name=\"card\" value=\"{}\">\n\
         <span class=\"card\">{name}<br><span class=\"soft\">{until}</span></span>\n{mark}{make}{remove}</form></li>\n",
        of(&method["id"])
    )
}
