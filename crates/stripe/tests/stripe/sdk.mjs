/**
 * Stripe's own SDK drives the sandbox (guide payments 1.7): set up, replay, decline, remove, unknown id; subscribe, decline,
 * coupon, invoice, cancel. Prints what it saw as one JSON object; the test of the same name judges it. Arguments: port, secret
 * key, API version, and a webhook as we sign it: secret, time, header, body.
 */
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../../../e2e/package.json', import.meta.url));
const Stripe = require('stripe');

const [port, key, apiVersion, webhookSecret, time, header, body] = process.argv.slice(2);
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

await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: card.id } });
const prices = await stripe.prices.list({ active: true, type: 'recurring', expand: ['data.product'] });
const price = prices.data.find((one) => one.recurring.interval === 'month' && one.product.name === 'Standard');
seen.price = [price.unit_amount, price.currency];
const order = {
  customer: customer.id,
  items: [{ price: price.id }],
  payment_behavior: 'allow_incomplete',
  metadata: { site_id: 's-1' },
  expand: ['latest_invoice.confirmation_secret', 'latest_invoice.payments'],
};
const subscription = await stripe.subscriptions.create(order, { idempotencyKey: 'sdk-2' });
const repeated = await stripe.subscriptions.create(order, { idempotencyKey: 'sdk-2' });
seen.subscribed = [subscription.status, subscription.latest_invoice.status, repeated.id === subscription.id];
const paidBy = subscription.latest_invoice.payments.data[0].payment.payment_intent;
const charges = await stripe.charges.list({ customer: customer.id });
seen.charged = [charges.data.length, charges.data[0].payment_intent === paidBy, charges.data[0].amount];
const codes = await stripe.promotionCodes.list({ code: 'WELCOME20', active: true, limit: 1, expand: ['data.promotion.coupon'] });
const cheaper = await stripe.subscriptions.create({
  ...order,
  discounts: [{ promotion_code: codes.data[0].id }],
});
seen.coupon = [codes.data[0].promotion.coupon.percent_off, cheaper.latest_invoice.total];
seen.badCoupon = await refusal(stripe.subscriptions.create({ ...order, discounts: [{ coupon: 'NONE' }] }));
const preview = await stripe.invoices.createPreview({ subscription: cheaper.id });
seen.preview = preview.total;
const failing = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id });
await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: failing.id } });
const unpaid = await stripe.subscriptions.create(order);
seen.incomplete = [unpaid.status, unpaid.latest_invoice.status, unpaid.latest_invoice.confirmation_secret.type];
seen.notPaid = await refusal(stripe.invoices.pay(unpaid.latest_invoice.id));
await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: card.id } });
seen.paid = (await stripe.invoices.pay(unpaid.latest_invoice.id)).status;
seen.paidTwice = await refusal(stripe.invoices.pay(unpaid.latest_invoice.id));
seen.active = (await stripe.subscriptions.retrieve(unpaid.id)).status;
seen.canceled = (await stripe.subscriptions.cancel(unpaid.id, { prorate: false, invoice_now: false })).status;
seen.canceledTwice = await refusal(stripe.subscriptions.cancel(unpaid.id));
let subscriptions = 0;
for await (const one of stripe.subscriptions.list({ customer: customer.id, status: 'all', limit: 1 })) subscriptions += one.id ? 1 : 0;
seen.subscriptions = subscriptions;
const events = await stripe.events.list({ type: 'customer.subscription.deleted' });
seen.events = [events.data.length, events.data[0].data.object.id === unpaid.id];

/** Whether the SDK takes a webhook of ours. */
function takes(text, signature) {
  try {
    return stripe.webhooks.constructEvent(text, signature, webhookSecret, 300, undefined, Number(time) * 1000).id;
  } catch (error) {
    return error.constructor.name;
  }
}
seen.webhook = [takes(body, header), takes(`${body} `, header), takes(body, header.replace('v1=', 'v0='))];
seen.theirHeader = stripe.webhooks.generateTestHeaderString({ payload: body, secret: webhookSecret, timestamp: Number(time) });

const session = await stripe.billingPortal.sessions.create({ customer: customer.id, return_url: 'https://berth.test.example/x' });
seen.portal = session.url.startsWith('https://berth.test.example/');
seen.deleted = (await stripe.customers.del(customer.id)).deleted;
seen.gone = (await stripe.customers.retrieve(customer.id)).deleted;
seen.noKey = await refusal(new Stripe('sk_test_other', { host: '127.0.0.1', port: Number(port), protocol: 'http', apiVersion }).customers.list());
console.log(JSON.stringify(seen));
