/** The stand-in of Stripe.js as the server serves it: it puts itself into `window.Stripe`. */
import '../../../crates/stripe/src/sandbox/stripe.js';
