//! Direct access to the two databases of a benchmark, to prepare worlds and to check what the servers did.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use rusqlite::Connection;
use rusqlite::types::ValueRef;

/// A database that is being prepared or checked; never one that a server is writing to.
pub enum Database {
    /// A file of SQLite.
    Sqlite(Connection),
    /// An address, accessed by PostgreSQL's own client.
    Postgres {
        /// `postgres://…`.
        url: String,
        /// The folder of PostgreSQL's programs.
        programs: PathBuf,
    },
}

impl Database {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn sqlite(file: &Path) -> anyhow::Result<Self> {
        let connection = Connection::open(file).with_context(|| format!("cannot open {}", file.display()))?;
        connection.create_collation("C", |left, right| left.cmp(right))?;
        connection.busy_timeout(std::time::Duration::from_secs(10))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        Ok(Self::Sqlite(connection))
    }

    /// Runs statements; values are part of the text.
    ///
    /// # Errors
    /// If the database fails.
    pub fn run(&mut self, text: &str) -> anyhow::Result<()> {
        match self {
            Self::Sqlite(connection) => Ok(connection.execute_batch(text)?),
            Self::Postgres { .. } => self.rows(text).map(drop),
        }
    }

    /// The rows of a query as text; ids as UUIDs, nulls empty.
    ///
    /// # Errors
    /// If the database fails.
    pub fn rows(&mut self, text: &str) -> anyhow::Result<Vec<Vec<String>>> {
        match self {
            Self::Sqlite(connection) => {
                let mut statement = connection.prepare(text)?;
                let columns = statement.column_count();
                let rows = statement.query_map([], |row| {
                    (0..columns).map(|column| Ok(shown(row.get_ref(column)?))).collect::<rusqlite::Result<Vec<_>>>()
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            }
            Self::Postgres { url, programs } => {
                let mut command = Command::new(programs.join("psql"));
                command.args(["-qAtX", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d", url]);
                let mut psql = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
                psql.stdin.take().context("psql takes no input")?.write_all(text.as_bytes())?;
                let output = psql.wait_with_output()?;
                if !output.status.success() {
                    bail!("psql: {}", String::from_utf8_lossy(&output.stderr));
                }
                let text = String::from_utf8(output.stdout)?;
                Ok(text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect())
            }
        }
    }

    /// The first column of the first row.
    ///
    /// # Errors
    /// If the database fails or there is no row.
    pub fn one(&mut self, text: &str) -> anyhow::Result<String> {
        let row = self.rows(text)?.into_iter().next();
        row.and_then(|row| row.into_iter().next()).with_context(|| format!("no row: {text}"))
    }

    /// The first column of the first row, as a number.
    ///
    /// # Errors
    /// If the database fails, or there is no row or no number.
    pub fn count(&mut self, text: &str) -> anyhow::Result<i64> {
        Ok(self.one(text)?.parse()?)
    }

    /// The time of a query, without HTTP and without JSON; PostgreSQL measures it itself.
    ///
    /// # Errors
    /// If the database fails.
    pub fn time(&mut self, text: &str) -> anyhow::Result<Duration> {
        if let Self::Sqlite(_) = self {
            let begun = Instant::now();
            self.rows(text)?;
            return Ok(begun.elapsed());
        }
        let told = self.rows(&format!("EXPLAIN (ANALYZE, TIMING OFF) {text}"))?;
        let line = told.iter().flatten().find_map(|line| line.strip_prefix("Execution Time: "));
        let took: f64 = line.and_then(|line| line.strip_suffix(" ms")).context("no execution time")?.parse()?;
        Ok(Duration::from_secs_f64(took / 1000.0))
    }

    /// A UUID as a literal of this engine.
    #[must_use]
    pub fn id(&self, id: &str) -> String {
        match self {
            Self::Sqlite(_) => format!("X'{}'", id.replace('-', "")),
            Self::Postgres { .. } => format!("'{id}'::uuid"),
        }
    }

    /// The names of a table's columns.
    ///
    /// # Errors
    /// If the database fails.
    pub fn columns(&mut self, table: &str) -> anyhow::Result<Vec<String>> {
        let text = match self {
            Self::Sqlite(_) => format!("SELECT name FROM pragma_table_info('{table}')"),
            Self::Postgres { .. } => format!(
                "SELECT column_name FROM information_schema.columns WHERE table_name = '{table}' \
                 AND table_schema = current_schema() ORDER BY ordinal_position"
            ),
        };
        Ok(self.rows(&text)?.into_iter().flatten().collect())
    }

    /// The statement that copies the rows of a table that match `condition`, with some columns replaced by SQL
    /// expressions. `columns` are all columns of the table, so that columns of later migrations are copied, too.
    #[must_use]
    pub fn copy(table: &str, columns: &[String], condition: &str, replaced: &[(&str, String)]) -> String {
        let value = |column: &String| {
            replaced.iter().find(|(name, _)| name == column).map_or_else(|| column.clone(), |(_, value)| value.clone())
        };
        let values: Vec<String> = columns.iter().map(value).collect();
        format!(
            "INSERT INTO {table} ({}) SELECT {} FROM {table} WHERE {condition};\n",
            columns.join(", "),
            values.join(", ")
        )
    }
}

fn shown(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Blob(bytes) if bytes.len() == 16 => {
            let hex = hex::encode(bytes);
            format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
        }
        ValueRef::Blob(bytes) => hex::encode(bytes),
    }
}
