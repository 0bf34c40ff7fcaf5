//! The client and Stripe's own SDK against the sandbox over HTTP, under the eyes of the judge.

#[cfg(test)]
mod sandbox;
#[cfg(test)]
mod sdk;
