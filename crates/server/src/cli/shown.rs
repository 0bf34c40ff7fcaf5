//! How `berth doctor` prints the value of a setting: secrets and passwords are hidden.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use secrecy::SecretString;

use super::serve::without_password;
use crate::settings::{PlacesProvider, SmsProvider};

/// What is printed for a setting without a value.
const ABSENT: &str = "–";

/// The value of a setting, as it may be printed.
pub(super) trait Shown {
    fn shown(&self) -> String;
}

macro_rules! as_displayed {
    ($($kind:ty),+) => { $(
        impl Shown for $kind {
            fn shown(&self) -> String {
                self.to_string()
            }
        }
    )+ };
}

as_displayed!(bool, i64, u16, u32, usize, IpAddr, SocketAddr);

impl Shown for String {
    fn shown(&self) -> String {
        without_password(self)
    }
}

impl Shown for PathBuf {
    fn shown(&self) -> String {
        self.display().to_string()
    }
}

impl Shown for SecretString {
    fn shown(&self) -> String {
        "(set)".to_owned()
    }
}

impl Shown for SmsProvider {
    fn shown(&self) -> String {
        self.as_str().to_owned()
    }
}

impl Shown for PlacesProvider {
    fn shown(&self) -> String {
        self.as_str().to_owned()
    }
}

impl<T: Shown> Shown for Option<T> {
    fn shown(&self) -> String {
        self.as_ref().map_or_else(|| ABSENT.to_owned(), Shown::shown)
    }
}

impl<T: Shown> Shown for Vec<T> {
    fn shown(&self) -> String {
        if self.is_empty() {
            return ABSENT.to_owned();
        }
        self.iter().map(Shown::shown).collect::<Vec<String>>().join(", ")
    }
}
