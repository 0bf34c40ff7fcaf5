//! The client and Stripe's own SDK against the sandbox over HTTP. The judge checks every call.

#[cfg(test)]
mod account;
#[cfg(test)]
mod billing;
#[cfg(test)]
mod live_check;
#[cfg(test)]
mod sandbox;
#[cfg(test)]
mod sdk;
#[cfg(test)]
mod seed;
#[cfg(test)]
mod webhooks;
