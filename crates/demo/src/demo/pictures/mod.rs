//! Pictures of the demo, drawn when it is filled: logos of organizations and insurers, photos of sites. They are stored
//! like uploads: until the demo's data refers to them, they would be removed after a day, like those of an abandoned form.

mod canvas;
mod house;
mod light;
mod marks;
mod room;
mod scene;
mod trees;

use std::collections::HashMap;

use anyhow::Context;

use self::canvas::Canvas;
pub(super) use self::house::Build;
pub(super) use self::light::Hour;
pub(super) use self::marks::Mark;
pub(super) use self::scene::{Land, Look};
pub(super) use self::trees::Tree;
use super::SEED;
use super::places::{INSURERS, ORGANIZATIONS};
use crate::dice::Dice;
use berth_server::App;
use berth_server::integrations::files::Prefix;
use berth_server::integrations::images::{self, Picture};

/// What a picture shows.
#[derive(Clone, Copy)]
enum Motif {
    Logo(Mark),
    Insurer(Mark),
    Street(&'static Look, Hour),
    Room(&'static Look),
}

impl Motif {
    fn draw(self, stream: u64) -> Canvas {
        let mut dice = Dice::new(SEED, stream);
        match self {
            Self::Logo(mark) | Self::Insurer(mark) => mark.draw(),
            Self::Street(look, hour) => scene::draw(look, hour, &mut dice),
            Self::Room(look) => room::draw(look, &mut dice),
        }
    }

    const fn name(self) -> (Prefix, &'static str) {
        match self {
            Self::Logo(_) => (Prefix::Organization, "logo.png"),
            Self::Insurer(_) => (Prefix::Insurer, "logo.jpg"),
            Self::Street(..) => (Prefix::Site, "street.jpg"),
            Self::Room(_) => (Prefix::Site, "room.jpg"),
        }
    }

    fn picture(self, stream: u64) -> anyhow::Result<Picture> {
        images::encode(self.draw(stream).finish(), !matches!(self, Self::Logo(_)))
    }
}

/// Draws and stores all pictures. Returns their paths by the name of the organization, site or insurer that they show,
/// cover first.
///
/// # Errors
/// If a picture cannot be drawn or stored.
pub(super) async fn make(app: &App) -> anyhow::Result<HashMap<&'static str, Vec<String>>> {
    let mut drawings = Vec::new();
    for (stream, (name, motif)) in (1..).zip(motifs()) {
        drawings.push((name, motif, tokio::task::spawn_blocking(move || motif.picture(stream))));
    }
    let mut paths: HashMap<&'static str, Vec<String>> = HashMap::new();
    for (name, motif, drawing) in drawings {
        let picture = drawing.await?.with_context(|| format!("no picture of {name} could be drawn"))?;
        let (prefix, file) = motif.name();
        paths.entry(name).or_default().push(images::keep(app, prefix, file, picture).await?);
    }
    Ok(paths)
}

/// The organization, site or insurer of each picture, and what it shows.
fn motifs() -> Vec<(&'static str, Motif)> {
    let mut motifs = Vec::new();
    for organization in &ORGANIZATIONS {
        motifs.push((organization.name, Motif::Logo(organization.mark)));
        for site in organization.sites {
            let [cover, later] = site.look.hours;
            motifs.push((site.name, Motif::Street(&site.look, cover)));
            motifs.push((site.name, Motif::Street(&site.look, later)));
            motifs.push((site.name, Motif::Room(&site.look)));
        }
    }
    for (number, (name, _)) in INSURERS.into_iter().enumerate() {
        motifs.push((name, Motif::Insurer(Mark::Shield(number))));
    }
    motifs
}
