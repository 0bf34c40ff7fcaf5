//! Times of day: the colors of the sky, and how the light changes the colors below it.

use super::canvas::{Colour, mix};

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::demo) enum Hour {
    Morning,
    Noon,
    Evening,
    Dusk,
}

/// The light of a time of day.
pub(super) struct Light {
    /// Color of the sky at the top of the picture.
    pub(super) zenith: Colour,
    /// Color of the sky above the horizon.
    pub(super) horizon: Colour,
    pub(super) sun: Colour,
    /// Pixels from the top of the picture to the center of the sun.
    pub(super) height: i32,
    /// The color that every color is mixed with, and how much, in percent.
    pub(super) tint: (Colour, i32),
    /// True if lamps are on behind the windows.
    pub(super) lamps: bool,
}

impl Light {
    pub(super) const fn of(hour: Hour) -> Self {
        match hour {
            Hour::Morning => Self {
                zenith: [150, 193, 214],
                horizon: [250, 229, 208],
                sun: [255, 243, 214],
                height: 430,
                tint: ([255, 226, 196], 10),
                lamps: false,
            },
            Hour::Noon => Self {
                zenith: [116, 176, 214],
                horizon: [214, 234, 242],
                sun: [255, 250, 232],
                height: 210,
                tint: ([255, 255, 255], 0),
                lamps: false,
            },
            Hour::Evening => Self {
                zenith: [126, 148, 186],
                horizon: [248, 200, 154],
                sun: [255, 226, 170],
                height: 520,
                tint: ([214, 140, 104], 18),
                lamps: true,
            },
            Hour::Dusk => Self {
                zenith: [52, 66, 106],
                horizon: [192, 152, 164],
                sun: [244, 240, 228],
                height: 200,
                tint: ([50, 58, 98], 46),
                lamps: true,
            },
        }
    }

    /// Returns a color in this light.
    pub(super) fn on(&self, colour: Colour) -> Colour {
        mix(colour, self.tint.0, self.tint.1)
    }

    /// Returns a color in this light, seen through `percent` percent of haze.
    pub(super) fn far(&self, colour: Colour, percent: i32) -> Colour {
        mix(self.on(colour), self.horizon, percent)
    }
}
