//! Storing types of this crate in the database, behind the feature `database`.

/// Implements storage of a newtype as the type of its field.
macro_rules! stored_as {
    ($name:ident, $stored:ty) => {
        #[cfg(feature = "database")]
        impl berth_db::Bind for $name {
            const NULL: berth_db::Value<'static> = <$stored as berth_db::Bind>::NULL;
            fn value(&self) -> berth_db::Value<'_> {
                berth_db::Bind::value(&self.0)
            }
        }

        #[cfg(feature = "database")]
        impl berth_db::Column for $name {
            fn read(cell: &berth_db::Cell<'_>) -> berth_db::Result<Self> {
                <$stored as berth_db::Column>::read(cell).map(Self)
            }
        }
    };
}

pub(crate) use stored_as;
