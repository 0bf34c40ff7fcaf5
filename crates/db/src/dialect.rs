//! The sections of a migration. Migrations are one text for both engines. Where their SQL differs (triggers), a text has sections:
//! `-- only: sqlite` and `-- only: postgres` begin one, `-- only: both` ends it. The checksum of a migration is that of
//! its whole text.

use crate::Engine;

/// Returns the part of a migration that an engine runs.
pub(crate) fn text_for(text: &str, engine: Engine) -> String {
    let ours = match engine {
        Engine::Sqlite => "sqlite",
        Engine::Postgres => "postgres",
    };
    let mut runs = true;
    let mut chosen = String::with_capacity(text.len());
    for line in text.lines() {
        if let Some(section) = line.strip_prefix("-- only: ") {
            let section = section.trim();
            runs = section == ours || section == "both";
        } else if runs {
            chosen.push_str(line);
            chosen.push('\n');
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::text_for;
    use crate::Engine;

    #[test]
    fn an_engine_runs_common_parts_and_its_own_parts() {
        let text = "a\n-- only: sqlite\nb\n-- only: postgres\nc\n-- only: both\nd\n";
        assert_eq!(text_for(text, Engine::Sqlite), "a\nb\nd\n");
        assert_eq!(text_for(text, Engine::Postgres), "a\nc\nd\n");
    }
}
