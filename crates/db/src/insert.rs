//! Many rows at once: the way to load a database.
//!
//! SQLite takes them a hundred a statement, by a text that [`list`](crate::list) expands; `PostgreSQL` by `COPY` in its
//! binary form, which costs it half of what such statements do.

use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgConnection};

use crate::query::{Bind, Query};
use crate::tx::Inner;
use crate::{Error, Result, Tx, list};

/// Bytes that are collected before they are sent.
const PORTION: usize = 1 << 18;

/// The values of one row on their way into an [`insert`](Tx::insert).
pub struct Values<'q, 'a>(Row<'q, 'a>);

enum Row<'q, 'a> {
    Sqlite(&'q mut Query<'a>),
    Postgres(&'q mut Portion),
}

impl Values<'_, '_> {
    /// Binds the value of the next column. Its type is the column's: `i64` for `BIGINT`, never `i32`.
    pub fn bind<'t, T: Bind<'t>>(&mut self, value: T) -> &mut Self {
        match &mut self.0 {
            Row::Sqlite(query) => query.add(value),
            Row::Postgres(portion) => portion.add(value),
        }
        self
    }
}

impl Tx {
    /// Inserts many rows and answers how many there were. The text names the table and its columns and ends in
    /// `VALUES ($1..)`; `bind` binds each column of a row once, in their order. Without rows nothing is sent.
    ///
    /// ```no_run
    /// # async fn example(tx: &mut berth_db::Tx, beds: &[(uuid::Uuid, String)]) -> berth_db::Result<()> {
    /// const BEDS: &str = "INSERT INTO beds (id, name) VALUES ($1..)";
    /// tx.insert(BEDS, beds, |values, (id, name)| {
    ///     values.bind(*id).bind(name);
    /// })
    /// .await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Error`] tells: one refused row fails its transaction.
    pub async fn insert<T: Sync>(
        &mut self,
        text: &'static str,
        rows: &[T],
        mut bind: impl FnMut(&mut Values<'_, '_>, &T) + Send,
    ) -> Result<u64> {
        let into = list::insert(text)?;
        if rows.is_empty() {
            return Ok(0);
        }
        if let Inner::Postgres(tx) = &mut self.inner {
            if std::mem::replace(&mut self.failed, true) {
                return Err(Error::failed_before());
            }
            #[cfg(feature = "testing")]
            crate::seen::note(crate::Engine::Postgres, text);
            let inserted = copy(tx, &into, rows, &mut bind).await?;
            self.failed = false;
            return Ok(inserted);
        }
        let mut inserted = 0;
        let mut rest = rows;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(list::rows_at_once(into.columns, rest.len()));
            let mut query = self.query(text);
            for row in now {
                query = query.bind_row(into.columns, |query| bind(&mut Values(Row::Sqlite(query)), row));
            }
            inserted += query.execute().await?;
            rest = later;
        }
        Ok(inserted)
    }
}

/// Sends the rows in portions. An error of the server comes with the last of them.
async fn copy<T: Sync>(
    connection: &mut PgConnection,
    into: &list::Insert<'_>,
    rows: &[T],
    bind: &mut (impl FnMut(&mut Values<'_, '_>, &T) + Send),
) -> Result<u64> {
    const SIGNATURE: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
    const END: [u8; 2] = (-1_i16).to_be_bytes();
    let columns = u16::try_from(into.columns).map_err(|_| Error::misuse("a table has fewer columns"))?;
    let mut stream = connection.copy_in_raw(&format!("COPY {} FROM STDIN (FORMAT BINARY)", into.target)).await?;
    let mut portion = Portion::default();
    portion.bytes.extend_from_slice(SIGNATURE);
    for row in rows {
        portion.bytes.extend_from_slice(&columns.to_be_bytes());
        portion.fields = 0;
        bind(&mut Values(Row::Postgres(&mut portion)), row);
        if portion.fields != into.columns {
            portion.mistake.get_or_insert_with(Error::uneven_row);
        }
        if let Some(mistake) = portion.mistake.take() {
            stream.abort("the client made a mistake").await?;
            return Err(mistake);
        }
        if portion.bytes.len() >= PORTION {
            stream.send(portion.bytes.as_slice()).await?;
            portion.bytes.clear();
        }
    }
    portion.bytes.extend_from_slice(&END);
    stream.send(portion.bytes.as_slice()).await?;
    Ok(stream.finish().await?)
}

/// Rows in the binary form of `COPY`: the length of each field before its bytes, -1 for NULL.
#[derive(Default)]
struct Portion {
    bytes: PgArgumentBuffer,
    /// Fields of the row in hand.
    fields: usize,
    mistake: Option<Error>,
}

impl Portion {
    fn add<'t, T: Bind<'t>>(&mut self, value: T) {
        self.fields += 1;
        if let Err(error) = self.encode(value) {
            self.mistake.get_or_insert(Error::Other(sqlx::Error::Encode(error)));
        }
    }

    fn encode<'t, T: Bind<'t>>(&mut self, value: T) -> Result<(), BoxDynError> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&[0; 4]);
        let is_null = sqlx::Encode::<sqlx::Postgres>::encode(value, &mut self.bytes)?;
        let length = match is_null {
            IsNull::Yes => -1,
            IsNull::No => i32::try_from(self.bytes.len() - start - 4)?,
        };
        self.bytes[start..start + 4].copy_from_slice(&length.to_be_bytes());
        Ok(())
    }
}
