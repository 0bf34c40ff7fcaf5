"""Stripe's SDK for Python drives the sandbox through the scenario of sdk.mjs, and prints what it saw as one JSON object for the test
to judge. Arguments: port, secret key, API version, and a webhook as we sign it: secret, time, header, body.
"""
import json
import sys
from unittest import mock

from stripe import StripeClient, StripeError, Webhook, WebhookSignature

port, key, version, webhook_secret, time, header, body = sys.argv[1:]


def client(secret_key: str) -> StripeClient:
    addresses = {"api": f"http://127.0.0.1:{port}"}
    return StripeClient(secret_key, base_addresses=addresses, stripe_version=version, max_network_retries=0)


def refusal(call):
    """What an error of the SDK says."""
    try:
        call()
        return None
    except StripeError as error:
        said = {
            "class": type(error).__name__,
            "type": error.error.type,
            "code": error.code,
            "decline": getattr(error.error, "decline_code", None),
            "status": error.http_status,
        }
        return {name: value for name, value in said.items() if value is not None}


api = client(key).v1
seen = {}
form = {"email": "sdk@test.example", "name": "By the SDK", "metadata": {"organization_id": "o-1"}}
customer = api.customers.create(form, {"idempotency_key": "sdk-1"})
again = api.customers.create(form, {"idempotency_key": "sdk-1"})
seen["replay"] = again.id == customer.id and again.last_response.headers["idempotent-replayed"]
seen["otherFields"] = refusal(lambda: api.customers.create({"name": "Other"}, {"idempotency_key": "sdk-1"}))
seen["livemode"] = customer.livemode

intent = api.setup_intents.create({"customer": customer.id, "usage": "off_session", "payment_method_types": ["card"]})
confirmed = api.setup_intents.confirm(intent.id, {"payment_method": "pm_card_visa"})
seen["setup"] = confirmed.status
card = api.payment_methods.retrieve(confirmed.payment_method)
seen["card"] = [card.card.brand, card.card.last4, card.customer == customer.id]
second = api.payment_methods.attach("pm_card_mastercard", {"customer": customer.id})
declining = "pm_card_visa_chargeDeclinedInsufficientFunds"
seen["declined"] = refusal(lambda: api.payment_methods.attach(declining, {"customer": customer.id}))

pages = api.customers.payment_methods.list(customer.id, {"type": "card", "limit": 1})
methods = [method.id for method in pages.auto_paging_iter()]
seen["listed"] = len(methods) == 2 and methods[0] == second.id


def make_default(method: str):
    return api.customers.update(customer.id, {"invoice_settings": {"default_payment_method": method}})


seen["default"] = make_default(second.id).invoice_settings.default_payment_method == second.id
seen["detached"] = api.payment_methods.detach(second.id).customer
read = api.customers.retrieve(customer.id, {"expand": ["invoice_settings.default_payment_method"]})
seen["noDefault"] = read.invoice_settings.default_payment_method
seen["unknown"] = refusal(lambda: api.customers.retrieve("cus_none"))

make_default(card.id)
prices = api.prices.list({"active": True, "type": "recurring", "expand": ["data.product"]}).data
price = next(one for one in prices if one.recurring.interval == "month" and one.product.name == "Standard")
seen["price"] = [price.unit_amount, price.currency]
order = {
    "customer": customer.id,
    "items": [{"price": price.id}],
    "payment_behavior": "allow_incomplete",
    "metadata": {"site_id": "s-1"},
    "expand": ["latest_invoice.confirmation_secret", "latest_invoice.payments"],
}
subscription = api.subscriptions.create(order, {"idempotency_key": "sdk-2"})
repeated = api.subscriptions.create(order, {"idempotency_key": "sdk-2"})
seen["subscribed"] = [subscription.status, subscription.latest_invoice.status, repeated.id == subscription.id]
paid_by = subscription.latest_invoice.payments.data[0].payment.payment_intent
charges = api.charges.list({"customer": customer.id}).data
seen["charged"] = [len(charges), charges[0].payment_intent == paid_by, charges[0].amount]
find = {"code": "WELCOME20", "active": True, "limit": 1, "expand": ["data.promotion.coupon"]}
code = api.promotion_codes.list(find).data[0]
cheaper = api.subscriptions.create({**order, "discounts": [{"promotion_code": code.id}]})
seen["coupon"] = [code.promotion.coupon.percent_off, cheaper.latest_invoice.total]
seen["badCoupon"] = refusal(lambda: api.subscriptions.create({**order, "discounts": [{"coupon": "NONE"}]}))
seen["preview"] = api.invoices.create_preview({"subscription": cheaper.id}).total
failing = api.payment_methods.attach("pm_card_chargeCustomerFail", {"customer": customer.id})
make_default(failing.id)
unpaid = api.subscriptions.create(order)
invoice = unpaid.latest_invoice
seen["incomplete"] = [unpaid.status, invoice.status, invoice.confirmation_secret.type]
seen["notPaid"] = refusal(lambda: api.invoices.pay(invoice.id))
make_default(card.id)
seen["paid"] = api.invoices.pay(invoice.id).status
seen["paidTwice"] = refusal(lambda: api.invoices.pay(invoice.id))
seen["active"] = api.subscriptions.retrieve(unpaid.id).status
seen["canceled"] = api.subscriptions.cancel(unpaid.id, {"prorate": False, "invoice_now": False}).status
seen["canceledTwice"] = refusal(lambda: api.subscriptions.cancel(unpaid.id))
all_of_them = api.subscriptions.list({"customer": customer.id, "status": "all", "limit": 1})
seen["subscriptions"] = sum(1 for _ in all_of_them.auto_paging_iter())
events = api.events.list({"type": "customer.subscription.deleted"}).data
seen["events"] = [len(events), events[0].data.object["id"] == unpaid.id]


def takes(text: str, signature: str, now: int) -> str:
    """Whether the SDK takes a webhook of ours at a time."""
    try:
        with mock.patch("time.time", return_value=now):
            return Webhook.construct_event(text, signature, webhook_secret).id
    except StripeError as error:
        return type(error).__name__


at = int(time)
seen["webhook"] = [takes(body, header, at), takes(f"{body} ", header, at), takes(body, header.replace("v1=", "v0="), at)]
seen["stale"] = takes(body, header, at + 301)
seen["theirHeader"] = WebhookSignature.generate_signature_header(body, webhook_secret, at)

back = {"customer": customer.id, "return_url": "https://berth.test.example/x"}
seen["portal"] = api.billing_portal.sessions.create(back).url.startswith("https://berth.test.example/")
seen["deleted"] = api.customers.delete(customer.id).deleted
seen["gone"] = api.customers.retrieve(customer.id).deleted
seen["noKey"] = refusal(lambda: client("sk_test_other").v1.customers.list())
print(json.dumps(seen))
