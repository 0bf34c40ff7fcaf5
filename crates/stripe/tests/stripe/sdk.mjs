/**
 * Stripe's own SDK drives the sandbox (guide payments 1.7): set up, replay, decline, remove, unknown id. Prints what it saw as
 * one JSON object; the test of the same name judges it. Arguments: port, secret key, API version.
 */
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../../../e2e/package.json', import.meta.url));
const Stripe = require('stripe');

const [port, key, apiVersion] = process.argv.slice(2);
const stripe = new Stripe(key, { host: '127.0.0.1', port: Number(port), protocol: 'http', apiVersion, maxNetworkRetries: 0 });

/** What an error of the SDK says. */
async function refusal(promise) {
  try {
    await promise;
    return null;
  } catch (error) {
    return { class: error.constructor.name, type: error.rawType, code: error.code, decline: error.decline_code, status: error.statusCode };
  }
}

const seen = {};
const form = { email: 'sdk@test.example', name: 'By the SDK', metadata: { organization_id: 'o-1' } };
const customer = await stripe.customers.create(form, { idempotencyKey: 'sdk-1' });
const again = await stripe.customers.create(form, { idempotencyKey: 'sdk-1' });
seen.replay = again.id === customer.id && again.lastResponse.headers['idempotent-replayed'];
seen.otherFields = await refusal(stripe.customers.create({ name: 'Other' }, { idempotencyKey: 'sdk-1' }));
seen.livemode = customer.livemode;

const intent = await stripe.setupIntents.create({ customer: customer.id, usage: 'off_session', payment_method_types: ['card'] });
const confirmed = await stripe.setupIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
seen.setup = confirmed.status;
const card = await stripe.paymentMethods.retrieve(confirmed.payment_method);
seen.card = [card.card.brand, card.card.last4, card.customer === customer.id];
const second = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: customer.id });
seen.declined = await refusal(
  stripe.paymentMethods.attach('pm_card_visa_chargeDeclinedInsufficientFunds', { customer: customer.id }),
);

const all = [];
for await (const method of stripe.customers.listPaymentMethods(customer.id, { type: 'card', limit: 1 })) all.push(method.id);
seen.listed = all.length === 2 && all[0] === second.id;
const updated = await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: second.id } });
seen.default = updated.invoice_settings.default_payment_method === second.id;
seen.detached = (await stripe.paymentMethods.detach(second.id)).customer;
const read = await stripe.customers.retrieve(customer.id, { expand: ['invoice_settings.default_payment_method'] });
seen.noDefault = read.invoice_settings.default_payment_method;
seen.unknown = await refusal(stripe.customers.retrieve('cus_none'));

const session = await stripe.billingPortal.sessions.create({ customer: customer.id, return_url: 'https://berth.test.example/x' });
seen.portal = session.url.startsWith('https://berth.test.example/');
seen.deleted = (await stripe.customers.del(customer.id)).deleted;
seen.gone = (await stripe.customers.retrieve(customer.id)).deleted;
seen.noKey = await refusal(new Stripe('sk_test_other', { host: '127.0.0.1', port: Number(port), protocol: 'http', apiVersion }).customers.list());
console.log(JSON.stringify(seen));
