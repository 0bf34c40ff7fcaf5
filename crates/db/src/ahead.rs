//! Statements that go together: on SQLite each way to the connection's own thread and back costs more than most
//! statements do, so several are sent as one text (docs/decisions/0022-statements-go-together.md). `PostgreSQL` runs each
//! when it is asked for; both give the same answers.

use std::mem;

use futures_util::TryStreamExt;
use sqlx::postgres::PgRow;
use sqlx::sqlite::{SqliteArguments, SqliteConnection, SqliteRow};
use sqlx::{Arguments, AssertSqlSafe, Either, Executor};

use crate::query::Row;
use crate::{Error, Result};

/// A statement that was sent ahead: [`Tx::rows`](crate::Tx::rows) and [`Tx::changed`](crate::Tx::changed) tell how it went.
#[derive(Clone, Copy, Debug)]
#[must_use = "what a statement did is looked at, or its number of rows is known not to matter"]
pub struct Ahead(usize);

/// How a statement went.
pub(crate) struct Done {
    pub(crate) rows: Rows,
    pub(crate) changed: u64,
}

/// Rows of either engine.
pub(crate) enum Rows {
    Sqlite(Vec<SqliteRow>),
    Postgres(Vec<PgRow>),
}

impl Rows {
    /// The rows as `T`.
    pub(crate) fn read<T: Row>(&self) -> Result<Vec<T>> {
        let rows: std::result::Result<Vec<T>, _> = match self {
            Self::Sqlite(rows) => rows.iter().map(T::from_row).collect(),
            Self::Postgres(rows) => rows.iter().map(T::from_row).collect(),
        };
        rows.map_err(Error::from)
    }
}

/// What a transaction knows of its statements.
#[derive(Default)]
pub(crate) struct Course {
    /// True while a statement runs, and after one failed.
    pub(crate) failed: bool,
    /// Texts that wait for company, on SQLite.
    texts: Vec<String>,
    /// Their values, and how many there are: a query that was begun and not run has taken some away.
    arguments: SqliteArguments,
    bound: usize,
    /// What became of the statements that were sent ahead.
    done: Vec<Option<Done>>,
}

impl Course {
    /// Returns true if statements wait.
    pub(crate) fn waits(&self) -> bool {
        !self.texts.is_empty()
    }

    /// Refuses after a failure; until [`succeeded`](Self::succeeded) the transaction counts as failed.
    pub(crate) fn start(&mut self) -> Result<()> {
        if mem::replace(&mut self.failed, true) {
            return Err(Error::misuse("a statement of this transaction failed: drop it and begin again"));
        }
        Ok(())
    }

    pub(crate) fn succeeded(&mut self) {
        self.failed = false;
    }

    /// The values that wait, for the next statement to add its own. A statement that took them and was dropped has lost
    /// them: then this transaction has failed.
    pub(crate) fn take_arguments(&mut self) -> SqliteArguments {
        if self.arguments.len() != self.bound {
            self.failed = true;
        }
        mem::take(&mut self.arguments)
    }

    /// How many values belong to statements before the next one.
    pub(crate) const fn bound(&self) -> usize {
        self.bound
    }

    /// Lets a statement wait.
    pub(crate) fn push(&mut self, text: &str, arguments: SqliteArguments) -> Ahead {
        self.texts.push(shifted(text, self.bound));
        self.bound = arguments.len();
        self.arguments = arguments;
        self.done.push(None);
        Ahead(self.done.len() - 1)
    }

    /// Keeps how a statement went that ran at once.
    pub(crate) fn keep(&mut self, done: Done) -> Ahead {
        self.done.push(Some(done));
        Ahead(self.done.len() - 1)
    }

    /// One text of all that wait and of `last`.
    pub(crate) fn whole(&mut self, last: &str) -> String {
        let mut whole = mem::take(&mut self.texts).join(";\n");
        if !last.is_empty() {
            whole.push_str(";\n");
            whole.push_str(&shifted(last, self.bound));
        }
        self.bound = 0;
        whole
    }

    /// Runs what waits and then `last`, if it is not empty, whose outcome is returned.
    pub(crate) async fn run(
        &mut self,
        connection: &mut SqliteConnection,
        last: &str,
        arguments: SqliteArguments,
    ) -> Result<Done> {
        let first = self.done.len() - self.texts.len();
        let statements = self.texts.len() + usize::from(!last.is_empty());
        let text = self.whole(last);
        let mut all: Vec<Done> = Vec::with_capacity(statements);
        let mut rows = Vec::new();
        let mut steps = connection.fetch_many(sqlx::query_with(AssertSqlSafe(text), arguments));
        while let Some(step) = steps.try_next().await? {
            match step {
                Either::Right(row) => rows.push(row),
                Either::Left(ended) => {
                    all.push(Done { rows: Rows::Sqlite(mem::take(&mut rows)), changed: ended.rows_affected() });
                }
            }
        }
        drop(steps);
        if all.len() != statements {
            return Err(Error::misuse("a text that goes together with others is one statement"));
        }
        let own = if last.is_empty() { None } else { all.pop() };
        for (place, done) in self.done[first..].iter_mut().zip(all) {
            *place = Some(done);
        }
        Ok(own.unwrap_or(Done { rows: Rows::Sqlite(Vec::new()), changed: 0 }))
    }

    /// How a statement went that was sent ahead.
    pub(crate) fn done(&self, ahead: Ahead) -> Result<&Done> {
        let done = self.done.get(ahead.0).and_then(Option::as_ref);
        done.ok_or_else(|| Error::misuse("a statement that was sent ahead has not run yet: see Tx::together"))
    }
}

/// The text with the numbers of its parameters raised.
fn shifted(text: &str, by: usize) -> String {
    if by == 0 {
        return text.to_owned();
    }
    let mut raised = String::with_capacity(text.len() + 16);
    let mut parts = text.split('$');
    raised.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        raised.push('$');
        match part[..digits].parse::<usize>() {
            Ok(number) => raised.push_str(&(number + by).to_string()),
            Err(_) => raised.push_str(&part[..digits]),
        }
        raised.push_str(&part[digits..]);
    }
    raised
}

#[cfg(test)]
mod tests {
    use super::shifted;

    #[test]
    fn parameters_of_a_later_statement_come_after_those_of_the_earlier_ones() {
        assert_eq!(shifted("SELECT $1, $12 FROM t WHERE a = $2", 0), "SELECT $1, $12 FROM t WHERE a = $2");
        assert_eq!(shifted("SELECT $1, $12 FROM t WHERE a = $2", 9), "SELECT $10, $21 FROM t WHERE a = $11");
        assert_eq!(shifted("SELECT '$' || a FROM t", 3), "SELECT '$' || a FROM t");
    }
}
