//! Every sentence that an error answer can carry, with its stable code.
//!
//! Sentences are written in English beside the rule that returns them. Screens show the translation of their code:
//! `web/src/i18n/locales/{en,es}/server.json`. A test (`tests/api/messages.rs`) fails for a sentence without a code: add it here
//! and to both files.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

/// The code of a sentence that is not in [`MESSAGES`], such as one of a bank.
pub const UNTRANSLATED: &str = "untranslated";

/// Codes with their English sentences. `{name}` stands for a value, which the answer holds beside the code.
pub const MESSAGES: &[(&str, &str)] = &[
    // The request itself.
    ("invalid-json", "The request is not valid JSON. Correct it and send it again."),
    ("cut-off", "The request was cut off before it was complete."),
    ("one-host", "Send exactly one Host header."),
    ("foreign-origin", "This request did not come from the Berth website."),
    ("not-found", "Not found. It may have been removed, or you may not have access to it."),
    ("method-not-allowed", "This address does not take that kind of request."),
    ("too-large", "The request is too large."),
    ("headers-too-large", "The headers of the request are too large."),
    ("unsupported-media-type", "Send this request as {mediaType}."),
    ("invalid-idempotency-key", "An Idempotency-Key is 1 to 100 printable characters."),
    ("reused-idempotency-key", "This Idempotency-Key was used for another request."),
    ("invalid-id", "This id is not valid."),
    ("text-expected", "Send a text here."),
    ("boolean-expected", "Send true or false here."),
    ("integer-expected", "Send a whole number here."),
    ("number-expected", "Send a number here."),
    ("list-expected", "Send a list here."),
    ("object-expected", "Send an object with fields here."),
    ("unusable-value", "This value cannot be used here."),
    ("number-out-of-range", "This number is too large or too small."),
    ("list-length", "This list is too long or too short."),
    ("field-twice", "Send this field only once."),
    ("one-of", "Choose one of: {known}."),
    ("some-of", "Choose from: {known}."),
    ("one-of-kind", "Send {known}."),
    ("form-field", "Check the field {field}: {reason}"),
    ("unknown-gender", "The gender must be Male, Female or Other."),
    (
        "control-character",
        "This text contains a control character that cannot be stored. Type it instead of pasting it.",
    ),
    ("control-character-in-name", "The name of a field contains a control character."),
    ("invalid-redirect-uri", "redirectUri is not an address of this site."),
    ("unknown-field", "This field does not exist here."),
    ("unknown-action", "This action does not exist."),
    ("too-many-beds-in-file", "A file takes at most 10,000 beds."),
    ("too-many-rows", "A file takes at most 10,000 rows. Choose fewer days."),
    ("future-day", "Choose today or an earlier day."),
    ("first-day-late", "Choose a first day that is not after the last day."),
    ("search-length", "Type 2 to 50 characters."),
    ("too-many-days", "Choose at most 366 days."),
    ("days-out-of-range", "Choose 1 to 366 days."),
    ("invalid-instant", "Enter the time in this form: 2026-11-21T10:15:00Z."),
    // The service as a whole.
    ("stale", "Someone else changed this in the meantime. Here is how it is now."),
    ("invalid-fields", "Please check the marked fields."),
    ("too-many-attempts", "Too many attempts. Please wait {seconds} seconds and try again."),
    ("code-just-sent", "A code was sent a moment ago. Please wait {seconds} seconds before you ask for another one."),
    ("busy", "The service is busy. Please try again in a moment."),
    ("disk-full", "The server is out of storage space. Nothing was changed."),
    (
        "internal",
        "Something went wrong on our side. Please try again. If it happens again, give support the number below.",
    ),
    ("forbidden", "Your role does not allow this."),
    // Signing in and the own account.
    ("sign-in-needed", "Please sign in."),
    ("code-needed", "Please finish signing in with your code first."),
    ("session-ended", "Your session has ended. Please sign in again."),
    ("wrong-credentials", "Email or password is incorrect."),
    ("own-access-disabled", "Your access is disabled. Please contact the person in charge of your site."),
    ("credentials-required", "Please enter your email and your password."),
    ("wrong-code", "Invalid confirmation code."),
    ("refresh-token-missing", "The refresh_token is missing."),
    ("invitation-token-missing", "The access_token of the invitation is missing."),
    ("unknown-grant", "This kind of sign-in does not exist."),
    ("expired-invitation", "This invitation has been used or has expired. Ask for a new one."),
    ("has-account", "You already have an account. Please sign in."),
    ("invitation-first", "You have no access yet. Accept an invitation first."),
    ("has-password", "You already have a password."),
    ("password-first", "Please create your password first."),
    ("phone-required", "Please enter your phone number"),
    ("fresh-proof", "Please enter your password again to continue."),
    ("wrong-password", "The password is incorrect."),
    ("wrong-old-password", "The old password is incorrect."),
    ("expired-link", "This link has been used or has expired. Please ask for a new one."),
    ("email-taken", "This email is already in use."),
    ("has-authenticator", "You already have an authenticator app. Turn it off first."),
    ("begin-authenticator", "Start setting up the authenticator app again."),
    ("authenticator-first", "Set up an authenticator app first."),
    // Passwords.
    ("new-password-required", "New password is a required field"),
    ("password-minimum", "Password should have at least 12 characters"),
    ("password-maximum", "Password should have at most 128 characters"),
    ("password-uppercase", "Password must have at least one uppercase letter"),
    ("password-lowercase", "Password must have at least one lowercase letter"),
    ("password-digit", "Password must have at least one digit"),
    ("password-special", "Password must have at least one special character (punctuation) — spaces included"),
    ("password-repeated", "Password must not have more than 2 identical characters in a row"),
    ("password-common", "This password is too common and not allowed"),
    ("password-phrase", "Password contains a common phrase or sequence"),
    // Values of many forms.
    ("required", "Required field."),
    ("invisible-characters", "This contains characters that cannot be seen. Please type it again."),
    ("invalid-email", "Invalid email."),
    ("email-must-be-valid", "Email must be a valid email"),
    ("invalid-phone", "Phone number is incorrect"),
    ("service-phone", "Codes cannot be sent to this number. Please enter a mobile number."),
    ("invalid-url", "Invalid URL."),
    ("first-name-too-long", "Maximum length of first name is 50 symbols."),
    ("last-name-too-long", "Maximum length of last name is 1 symbols."),
    ("too-long", "Maximum length is {limit} symbols."),
    ("feedback-too-long", "Maximum length of feedback is 2000 symbols."),
    ("bed-description-too-long", "Maximum length of the description is 2000 symbols."),
    ("email-required", "Email is a required field."),
    ("first-name-mandatory", "First Name is mandatory."),
    ("last-name-mandatory", "Last Name is mandatory."),
    ("first-name-required", "First name is required"),
    ("last-name-required", "Last name is required"),
    ("view-name", "The name of this view is unknown. Reload the page."),
    ("view-text", "A view may contain only ids and codes, such as 25 dense -phone."),
    ("view-length", "Maximum length of a view is 1000 symbols."),
    ("too-many-views", "You already have 60 saved views, and no more can be stored."),
    ("enter-new-email", "Please enter your new email"),
    ("enter-first-name", "Please enter your first name"),
    ("enter-last-name", "Please enter your last name"),
    // Guests and reservations.
    ("gender-required", "Gender is a required field."),
    ("age-required", "Age is a required field."),
    ("service-not-offered", "This site does not offer one of the services."),
    ("general-service-required", "Add at least one service"),
    ("client-type-required", "Type of client is a required field."),
    ("payment-method-required", "Payment method is a required field."),
    ("insurance-company-required", "Please select insurance company."),
    ("unknown-payment-option", "Choose one of the payment options."),
    ("gender-not-served", "This site does not serve guests of this gender."),
    ("minors-not-served", "This site does not accept guests under 18."),
    ("age-not-served", "This site does not serve guests of this age."),
    ("services-not-served", "This site does not offer: {names}."),
    ("client-type-not-served", "This site does not serve this type of client."),
    ("insurance-not-taken", "This organization accepts no insurance."),
    ("payment-method-not-taken", "This organization does not accept this payment method."),
    ("payment-option-not-taken", "This site does not accept this payment option."),
    ("reason-required", "Please enter a reason."),
    (
        "unknown-command",
        "The status must be ACCEPTED, REASSIGNED, SWAP, REJECTED, DISCHARGED, ARRIVED, NOT_ARRIVED, NO_SHOW or UNDO.",
    ),
    ("bed-on-offer", "This bed is offered to someone on the waitlist. Choose another bed."),
    ("undo-bed-on-offer", "The guest's bed is offered to someone on the waitlist now. If they decline, try again."),
    ("bed-available", "A bed is available now. Add the guest instead."),
    ("waitlist-full", "The waitlist is full. Take someone off it first."),
    ("not-waiting", "This person is no longer on the waitlist."),
    ("no-offer", "No bed is offered to this person now. The offer has ended."),
    ("already-waiting", "This person is already on the waitlist."),
    ("offer-minutes", "Choose from 5 to 1440 minutes."),
    ("arrivals-not-asked", "This site does not ask whether guests have arrived."),
    ("already-arrived", "This guest has arrived. Discharge the guest instead."),
    ("not-arrived", "This guest has not arrived yet."),
    ("undo-arrival-too-late", "More than 24 hours have passed since the arrival. Discharge the guest instead."),
    (
        "placement-reason-needed",
        "This placement is against the rules of the site or the house. Enter a reason to override them.",
    ),
    (
        "placement-needs-admin",
        "This placement is against the rules of the site or the house. Only an admin or owner can override them.",
    ),
    ("placement-rules", "Choose genders, ages and types of client only."),
    ("guests-arriving", "Guests are still arriving at this site. Record first whether they have come."),
    ("bed-required", "Choose a bed."),
    ("guest-differs", "The address and the body name different guests."),
    ("already-assigned", "This guest already has a bed. To change the bed, reassign the guest."),
    ("not-assigned", "This guest has no bed yet. Accept the reservation first."),
    ("assigned-cannot-be-declined", "This guest already has a bed. Discharge the guest instead of declining."),
    ("cancelled-by-guest", "The guest cancelled this reservation. Add the guest again to give a bed."),
    ("cancel-needs-call", "The site has accepted this reservation. Call the site to cancel it."),
    ("cancel-by-hand", "Staff of the site entered this reservation. Call the site to cancel it."),
    ("nothing-to-cancel", "This reservation has already ended. There is nothing to cancel."),
    ("phone-digits-needed", "Enter the last four digits of the phone number."),
    ("already-declined", "This reservation has been declined. Add the guest again to give a bed."),
    ("already-discharged", "This guest has been discharged. Add the guest again to give a bed."),
    ("already-expired", "This reservation has expired. Add the guest again to give a bed."),
    ("bed-unknown", "This bed does not belong to the guest's site or was removed. Choose another bed."),
    ("bed-disabled", "This bed is disabled. Enable it or choose another bed."),
    ("bed-taken", "This bed has just been taken by another guest. Choose a vacant bed."),
    ("bed-vacant", "This bed is vacant, so there is no one to swap with. Reassign the guest to it instead."),
    ("own-bed", "Error: Guest already occupies this bed."),
    (
        "subscription-needed",
        "This site has no active subscription. The owner must start one before reservations can be accepted.",
    ),
    ("nothing-to-undo", "There is nothing to undo. This guest is neither declined nor discharged."),
    ("undo-too-late", "This can no longer be undone, because more than 24 hours have passed. Add the guest again."),
    (
        "undo-accept-too-late",
        "Only the person who accepted a guest can undo it, for 10 seconds. Discharge the guest instead.",
    ),
    (
        "undo-accept-hold-over",
        "The hold of this reservation has ended, so the guest keeps the bed. Discharge the guest instead.",
    ),
    ("undo-hold-over", "The hold of this reservation has ended. Add the guest again."),
    ("undo-needs-admin", "Only an admin or owner can undo this now. Ask one of them."),
    ("undo-bed-taken", "The guest's bed has been given to another guest. Add this guest again."),
    ("undo-bed-disabled", "The guest's bed has been disabled. Enable it first, or add the guest again."),
    ("undo-bed-removed", "The guest's bed has been removed. Add the guest again."),
    (
        "undo-no-room",
        "This cannot be undone now, because no bed is vacant. Free a bed or decline another reservation first.",
    ),
    (
        "undo-too-many-reservations",
        "This person has other active reservations now and cannot have more. End one of them first.",
    ),
    ("board-changed", "The beds have changed in the meantime. Reload the page."),
    ("no-vacant-beds", "You cannot add a new guest because there are no vacant beds."),
    ("reservation-merged", "This reservation was merged into another one. Undo the merge first."),
    ("merge-kept-merged", "The reservation that you want to keep was merged into another one. Open that one instead."),
    ("merge-has-others", "Other reservations were merged into this one. Keep it, or undo those merges first."),
    ("merge-has-bed", "This guest has a bed. Keep this reservation, or discharge the guest first."),
    (
        "merge-would-end",
        "This reservation is pending, and the one that you want to keep has ended. Keep the pending one.",
    ),
    ("not-merged", "This reservation is not merged into another one."),
    ("merge-unknown", "Choose another reservation of this person at the same organization."),
    ("third-reservation", "This person already has two active reservations. An admin or owner can allow a third."),
    ("no-more-reservations", "This person already has three active reservations. End one of them first."),
    (
        "not-available",
        "This reservation cannot be made: either this site has no free beds left, or this phone already has two active \
         reservations. We sent you a text message with the reason. Please choose another site or call this one.",
    ),
    ("site-full", "This site has no free beds left. Please choose another site or call this one."),
    ("reservation-ended", "This reservation has ended. Please call the site."),
    // Houses and beds.
    ("bed-occupied-edit", "You can't edit the Bed. It is occupied: reassign or discharge the guest first."),
    ("bed-occupied-disable", "You cannot disable the bed. It is occupied: reassign the guest first."),
    ("bed-occupied-remove", "You can't remove the Bed. It is occupied: reassign or discharge the guest first."),
    ("room-occupied", "You can't delete the Room. It has occupied beds: reassign or discharge their guests first."),
    ("beds-reserved", "Pending reservations need the vacant beds. Decline a reservation or add another bed first."),
    ("unknown-bed-type", "The bed type must be Detox, Treatment or Sober Living."),
    ("house-name-taken", "A house with this name already exists."),
    ("invalid-day", "Enter the day in this form: 2026-12-01."),
    ("year-out-of-range", "Enter a year from 2000 to 2999."),
    ("day-passed", "Choose today or a later day."),
    ("day-too-far", "Choose a day within a year from today."),
    ("bed-name-taken", "A bed with this name already exists in this house."),
    ("bed-needed", "Add at least one bed."),
    ("too-many-beds", "At most 100 beds can be added at once."),
    // Sites.
    (
        "site-busy",
        "You can't delete the site while beds are occupied or reservations pending. Discharge or decline them first.",
    ),
    ("site-is-commercial", "This organization is commercial, and so are its sites."),
    ("site-is-non-commercial", "This organization is non-commercial, and so are its sites."),
    ("unknown-photo", "This photo was not found. Please upload it again."),
    ("alias-too-short", "Alias must be at least 3 characters."),
    ("description-too-short", "Description must be at least 80 characters."),
    ("site-insurers", "Insurers are chosen for the organization, not for a site."),
    ("photo-required", "Please add at least one photo."),
    ("too-many-photos", "A site can have at most 50 photos."),
    ("address-required", "Please choose address from dropdown."),
    ("address-plain", "Enter the street with its number, without web addresses, phone numbers or symbols."),
    ("unknown-time-zone", "This time zone does not exist."),
    ("unknown-language", "One of the languages does not exist."),
    ("unknown-service", "One of the services is not offered by this kind of site."),
    ("service-required", "Add at least one service."),
    ("payment-options-non-commercial", "Only non-commercial sites have payment options."),
    ("unknown-site-payment", "One of the payment options does not exist."),
    ("invalid-stay", "The length of stay must be 1 to 3650 days."),
    ("stay-order", "The longest stay cannot be shorter than the shortest."),
    ("site-differs", "The address and the body name different sites."),
    ("room-required", "Add at least one room."),
    ("house-twice", "This house is listed twice."),
    ("house-beds-elsewhere", "Change the beds of an existing house on the Houses tab."),
    ("house-photo-elsewhere", "Change the photo of an existing house on the Houses tab."),
    ("negative-beds", "The number of beds cannot be below 0."),
    ("room-needs-bed", "Add at least one bed to the room."),
    ("too-many-houses", "At most 50 houses can be added at once."),
    ("too-many-beds-of-site", "At most 500 beds can be added at once."),
    ("foreign-house", "This house does not belong to the site."),
    ("unknown-intake-period", "The time period must be Monday to Friday, Weekends or Holidays."),
    ("intake-incomplete", "If intake period is selected, both inputs must be filled."),
    ("intake-all-time", "\"All Time\" should be selected in both inputs."),
    ("intake-order", "The end of the intake period cannot be earlier than its start."),
    ("intake-twice", "This time period is listed twice."),
    ("intake-required", "Add at least one intake period."),
    ("invalid-time", "The time must be 'hh:mm:ss'."),
    ("invalid-hold", "The hold must be 1 to 72 hours."),
    ("invalid-screening-period", "The screening period must be 'dd:hh:mm:ss'."),
    ("too-many-sites", "At most 1000 sites can be selected at once."),
    // Organizations and insurance companies.
    (
        "organization-busy",
        "You can't delete the organization while a site has occupied beds or pending reservations. Discharge or \
         decline them first.",
    ),
    ("organization-name-required", "Organization name is a required field."),
    ("organization-name-taken", "An organization with this name already exists."),
    ("organization-logo-required", "Please add a logo to organization."),
    ("organization-differs", "This is the id of another organization."),
    ("insurers-commercial-only", "Only commercial organizations work with insurance companies."),
    ("payment-methods-required", "At least one payment method is required."),
    ("unknown-payment-method", "Please choose from the payment methods of the list."),
    ("visibility-global-admin", "Only a global admin may show or hide an organization."),
    ("insurer-removed", "An insurance company in this list was removed. Reload the page."),
    ("insurer-logo-required", "Please add a logo of insurance company."),
    ("reason-length", "Maximum length of a reason is 100 symbols."),
    ("reason-taken", "This reason is on the list already. If it is retired, restore it."),
    ("too-many-reasons", "There are 100 reasons of this kind already. Rename one instead."),
    ("reason-unknown", "This reason is not on the list. Choose another one."),
    ("reason-retired", "This reason is no longer used. Choose another one."),
    ("reason-not-taken", "Only a decline or a discharge has a reason."),
    ("insurer-name-taken", "An insurance company with this name already exists."),
    ("insurer-differs", "This is the id of another insurance company."),
    // Access users and invitations.
    ("own-access", "You cannot change your own access."),
    ("role-not-held-here", "This role cannot be held here."),
    ("user-pending", "You cannot edit a user who hasn't accepted the invitation."),
    ("invitation-accepted", "This person has already accepted the invitation."),
    ("global-admin-not-disabled", "A global admin cannot be disabled. Remove the access instead."),
    ("last-owner", "The last owner of an organization cannot be removed or disabled."),
    ("last-global-admin", "The last global admin cannot be removed or disabled."),
    ("access-place-differs", "This user's access is to another place."),
    ("access-user-differs", "This is the access of another user."),
    ("field-not-changeable", "This field cannot be changed here."),
    ("unknown-role", "This role does not exist."),
    (
        "name-held-elsewhere",
        "This person also has access elsewhere. Only someone who manages all of those places can change the name.",
    ),
    ("already-invited", "This person has already been invited. You can send the invitation again."),
    ("access-disabled", "This person's access is disabled. You can enable it again."),
    ("has-access", "This person already has access."),
    // Images.
    ("image-type", "File \"{name}\" has an invalid file type. Only JPEG, PNG, and GIF are allowed."),
    ("image-type-jpeg", "Invalid file type. Only jpeg, jpg are allowed."),
    ("image-too-large", "File \"{name}\" exceeds the size limit of 5MB."),
    (
        "image-too-many-pixels",
        "File \"{name}\" has too many pixels. A photo can have up to 50 million, any other image up to 24 million.",
    ),
    ("image-broken", "File \"{name}\" could not be read as an image. Please choose another one."),
    ("too-many-images", "At most 5 images can be uploaded at once."),
    ("image-required", "Please choose an image."),
    ("image-again", "Please upload the image again."),
    ("unknown-image-prefix", "The prefix must be one of org_, room_, bed_, ins_, site_ and card_."),
    ("unknown-form-field", "The form has an unknown field \"{name}\"."),
    ("no-form-boundary", "The form has no boundary between its fields."),
    ("upload-cut-off", "The upload was cut off before it was complete."),
    // Cards. The sentences of banks are those that Stripe documents; any other stays as it came.
    ("card-provider-away", "The card provider cannot be reached. Please try again in a moment."),
    ("card-unknown", "The card provider does not know this card. Please enter it again."),
    ("only-cards", "Only cards can be saved."),
    ("card-removed", "This card was removed. Please enter it again."),
    ("card-removed-at-provider", "This card was removed at the card provider. Here is how it is now."),
    ("card-of-someone-else", "This card belongs to someone else."),
    ("card-not-saved", "This card cannot be saved. Please enter it again."),
    ("receipt-email-required", "The first card needs an email address for receipts."),
    ("no-billing-yet", "There is no billing information yet. Add a card first."),
    (
        "last-card",
        "This is the last card, and a subscription is paid with it. Add another card first, or cancel the \
         subscription.",
    ),
    // Subscriptions.
    ("card-needed", "There is no saved card yet. Add a card first."),
    ("plan-not-offered", "This plan is no longer offered. Please choose another one."),
    ("plan-gone", "The plan of this subscription is no longer offered. Start a new subscription with another plan."),
    ("duration-differs", "The duration does not match the plan. Reload the page."),
    ("invalid-code", "Invalid or expired code"),
    ("subscription-live", "This site already has a subscription."),
    ("subscription-open", "A payment of this site's subscription is open. Restart the subscription instead."),
    ("subscription-none-to-restart", "This site has no subscription to restart. Start a new one."),
    ("subscription-nothing-to-pay", "This subscription has no payment to repeat."),
    ("subscription-none-to-cancel", "This site has no subscription to cancel."),
    (
        "subscription-busy",
        "Another change of this subscription is being made right now. Please wait a moment and try again.",
    ),
    ("subscription-unknown", "The card provider does not know this subscription. Cancel it and start a new one."),
    (
        "payment-not-taken",
        "The card provider no longer accepts this payment. Cancel the subscription and start a new one.",
    ),
    ("not-waiting-for-subscription", "This reservation is not waiting for a subscription. Reload the page."),
    ("no-owner-to-ask", "This organization has no other owner to notify. Call support."),
    ("quiet-hours-both", "Enter the start and the end of the quiet hours."),
    ("quiet-hours-same", "The quiet hours cannot end at the time they start. Choose another time."),
    ("event-signature", "The signature of this event is not valid."),
    ("invalid-expiration", "Incorrect expiration date"),
    ("card-declined", "Your card was declined."),
    ("card-insufficient-funds", "Your card has insufficient funds."),
    ("card-number", "Your card number is incorrect."),
    ("card-expired", "Your card has expired."),
    ("card-security-code", "Your card's security code is incorrect."),
    ("card-expiration-month", "Your card's expiration month is invalid."),
    ("card-expiration-year", "Your card's expiration year is invalid."),
    ("card-security-code-invalid", "Your card's security code is invalid."),
];

/// The code of a sentence and the values of its placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coded {
    /// One of [`MESSAGES`], or [`UNTRANSLATED`].
    pub code: &'static str,
    /// The values by the names of their placeholders; empty for most sentences.
    pub values: BTreeMap<&'static str, String>,
}

/// Finds the code of a sentence.
#[must_use]
pub fn coded(sentence: &str) -> Coded {
    static EXACT: LazyLock<HashMap<&str, &str>> =
        LazyLock::new(|| MESSAGES.iter().map(|(code, text)| (*text, *code)).collect());
    if let Some(code) = EXACT.get(sentence) {
        return Coded { code, values: BTreeMap::new() };
    }
    let with_values = MESSAGES.iter().filter(|(_, text)| text.contains('{'));
    with_values
        .filter_map(|(code, text)| Some(Coded { code, values: values_of(text, sentence)? }))
        .next()
        .unwrap_or(Coded { code: UNTRANSLATED, values: BTreeMap::new() })
}

/// Returns the values that turn `pattern` into `sentence`. `None` if it does not match.
fn values_of(pattern: &'static str, sentence: &str) -> Option<BTreeMap<&'static str, String>> {
    let (start, mut pattern) = pattern.split_once('{')?;
    let mut rest = sentence.strip_prefix(start)?;
    let mut values = BTreeMap::new();
    loop {
        let (name, after) = pattern.split_once('}')?;
        let Some((text, next)) = after.split_once('{') else {
            values.insert(name, rest.strip_suffix(after)?.to_owned());
            return Some(values);
        };
        let (value, behind) = rest.split_once(text)?;
        values.insert(name, value.to_owned());
        (rest, pattern) = (behind, next);
    }
}

#[cfg(test)]
mod tests {
    use crate::http::problem::messages::*;

    #[test]
    fn a_code_has_one_sentence() {
        let codes: HashMap<_, _> = MESSAGES.iter().copied().collect();
        let texts: HashMap<_, _> = MESSAGES.iter().map(|(code, text)| (*text, *code)).collect();
        assert_eq!((codes.len(), texts.len()), (MESSAGES.len(), MESSAGES.len()));
        assert!(!codes.contains_key(UNTRANSLATED));
    }

    #[test]
    fn every_sentence_finds_its_own_code() {
        for (code, text) in MESSAGES {
            assert_eq!(coded(text).code, *code);
        }
    }

    #[test]
    fn a_sentence_with_values_is_found_with_its_named_values() {
        let found = coded("File \"front door.jpg\" exceeds the size limit of 5MB.");
        assert_eq!(found.code, "image-too-large");
        assert_eq!(found.values.into_iter().collect::<Vec<_>>(), [("name", "front door.jpg".to_owned())]);
        assert_eq!(coded("Too many attempts. Please wait 34 seconds and try again.").values["seconds"], "34");
    }

    #[test]
    fn a_foreign_sentence_has_no_code() {
        assert_eq!(coded("Do not honor."), Coded { code: UNTRANSLATED, values: BTreeMap::new() });
    }
}
