//! A canvas for flat shapes. It uses only whole numbers and runs of one color, which is fast even without optimization.
//! Drawing at twice the size makes edges soft.

use image::{DynamicImage, RgbImage};

/// Red, green, blue.
pub(super) type Colour = [u8; 3];
/// A position in pixels from the left and from the top.
pub(super) type Point = (i32, i32);

pub(super) const WHITE: Colour = [255, 255, 255];

/// Mixes `percent` percent of `to` with the rest of `from`.
pub(super) fn mix(from: Colour, to: Colour, percent: i32) -> Colour {
    let part = |from: u8, to: u8| {
        let sum = i32::from(from) * (100 - percent) + i32::from(to) * percent;
        u8::try_from((sum + 50) / 100).unwrap_or_default()
    };
    [part(from[0], to[0]), part(from[1], to[1]), part(from[2], to[2])]
}

/// A canvas of twice the size of the picture.
pub(super) struct Canvas {
    pub(super) width: i32,
    pub(super) height: i32,
    bytes: Vec<u8>,
}

impl Canvas {
    /// Creates a canvas of one color.
    pub(super) fn new(width: i32, height: i32, colour: Colour) -> Self {
        let mut canvas = Self { width, height, bytes: vec![0; index(width * height * 3)] };
        canvas.rectangle((0, 0), (width, height), colour);
        canvas
    }

    /// Returns the picture at half the size of the canvas.
    pub(super) fn finish(self) -> DynamicImage {
        let side = |pixels: i32| u32::try_from(pixels).unwrap_or_default();
        let (width, height) = (side(self.width), side(self.height));
        let sheet = RgbImage::from_raw(width, height, self.bytes).unwrap_or_default();
        DynamicImage::from(sheet).thumbnail_exact(width / 2, height / 2)
    }

    /// Draws a run in one row, from the left end to before the right one.
    fn run(&mut self, y: i32, from: i32, to: i32, colour: Colour) {
        let (from, to) = (from.clamp(0, self.width), to.clamp(0, self.width));
        if y < 0 || y >= self.height || from >= to {
            return;
        }
        let start = index((y * self.width + from) * 3);
        let run = &mut self.bytes[start..start + index((to - from) * 3)];
        run[..3].copy_from_slice(&colour);
        let mut done = 3;
        while done < run.len() {
            let more = done.min(run.len() - done);
            run.copy_within(..more, done);
            done += more;
        }
    }

    fn colour_at(&self, (x, y): Point) -> Colour {
        let at = index((y.clamp(0, self.height - 1) * self.width + x.clamp(0, self.width - 1)) * 3);
        [self.bytes[at], self.bytes[at + 1], self.bytes[at + 2]]
    }

    /// Fills all rows from `from` to before `to` with a gradient between two colors.
    pub(super) fn fade(&mut self, from: i32, to: i32, top: Colour, bottom: Colour) {
        for y in from..to {
            let colour = mix(top, bottom, (y - from) * 100 / (to - from));
            self.run(y, 0, self.width, colour);
        }
    }

    pub(super) fn rectangle(&mut self, (x, y): Point, (width, height): (i32, i32), colour: Colour) {
        for row in y..y + height {
            self.run(row, x, x + width, colour);
        }
    }

    /// Draws a closed shape. Where it overlaps itself, it has a hole.
    pub(super) fn polygon(&mut self, points: &[Point], colour: Colour) {
        let Some(top) = points.iter().map(|point| point.1).min() else { return };
        let bottom = points.iter().map(|point| point.1).max().unwrap_or(top);
        let mut crossings: Vec<Vec<i32>> = vec![Vec::new(); index(bottom - top)];
        for (&start, &end) in points.iter().zip(points.iter().cycle().skip(1)) {
            let (upper, lower) = if start.1 < end.1 { (start, end) } else { (end, start) };
            for y in upper.1..lower.1 {
                let x = upper.0 + (lower.0 - upper.0) * (y - upper.1) / (lower.1 - upper.1);
                crossings[index(y - top)].push(x);
            }
        }
        for (y, mut row) in (top..).zip(crossings) {
            row.sort_unstable();
            for pair in row.chunks_exact(2) {
                self.run(y, pair[0], pair[1], colour);
            }
        }
    }

    pub(super) fn ellipse(&mut self, (x, y): Point, (across, down): (i32, i32), colour: Colour) {
        for row in -down..=down {
            let half = half_of_row(across, down, row);
            self.run(y + row, x - half, x + half, colour);
        }
    }

    /// Draws a disc that covers the background by `percent` percent. Each of its rows uses the background color at its left
    /// end, so it is meant for skies and walls.
    pub(super) fn glow(&mut self, (x, y): Point, radius: i32, colour: Colour, percent: i32) {
        for row in -radius..=radius {
            let half = half_of_row(radius, radius, row);
            let beneath = self.colour_at((x - half, y + row));
            self.run(y + row, x - half, x + half, mix(beneath, colour, percent));
        }
    }
}

/// Half the width of an ellipse in a row counted from its center.
fn half_of_row(across: i32, down: i32, row: i32) -> i32 {
    across * (down * down - row * row).max(0).isqrt() / down.max(1)
}

/// Converts a number that is not negative to an index.
fn index(number: i32) -> usize {
    usize::try_from(number).unwrap_or_default()
}
