//! The client and Stripe's own SDK against the sandbox over HTTP, under the eyes of the judge.

#[cfg(test)]
mod account;
#[cfg(test)]
mod billing;
#[cfg(test)]
mod sandbox;
#[cfg(test)]
mod sdk;
#[cfg(test)]
mod seed;
#[cfg(test)]
mod webhooks;
