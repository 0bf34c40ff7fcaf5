//! Houses, measured in units: `size` pixels are 100 units, and a house is about 600 units wide.

use super::canvas::{Canvas, Colour, Point, WHITE, mix};
use super::light::Light;
use super::scene::Look;

/// A building style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::demo) enum Build {
    /// One floor and a gable over the entrance.
    Cottage,
    /// Two floors under a hipped roof.
    Villa,
    /// Flat roofs and large windows.
    Modern,
    /// A deep roof over a porch.
    Craftsman,
}

/// Units from the center of a house to the center of its door.
pub(super) const fn door_of(build: Build) -> i32 {
    match build {
        Build::Cottage => 150,
        Build::Villa => 0,
        Build::Modern => -100,
        Build::Craftsman => 20,
    }
}

/// Draws in units, relative to the center of a house's base.
struct Builder<'a> {
    canvas: &'a mut Canvas,
    light: &'a Light,
    foot: Point,
    size: i32,
}

impl Builder<'_> {
    fn at(&self, (x, y): Point) -> Point {
        (self.foot.0 + x * self.size / 100, self.foot.1 - y * self.size / 100)
    }

    /// Left and lower edge, width and height.
    fn block(&mut self, corner: Point, (width, height): (i32, i32), colour: Colour) {
        let (left, bottom) = self.at(corner);
        let (right, top) = self.at((corner.0 + width, corner.1 + height));
        let colour = self.light.on(colour);
        self.canvas.rectangle((left, top), (right - left, bottom - top), colour);
    }

    fn shape(&mut self, points: &[Point], colour: Colour) {
        let points: Vec<Point> = points.iter().map(|&point| self.at(point)).collect();
        let colour = self.light.on(colour);
        self.canvas.polygon(&points, colour);
    }

    /// Draws a window with a frame and, if it is wide enough, a bar in its center.
    fn window(&mut self, (x, y): Point, (width, height): (i32, i32)) {
        self.block((x - 6, y - 6), (width + 12, height + 12), [248, 244, 236]);
        let (left, bottom) = self.at((x, y));
        let (right, top) = self.at((x + width, y + height));
        let (upper, lower) = if self.light.lamps {
            ([255, 226, 158], [246, 196, 120])
        } else {
            (mix(self.light.zenith, [70, 100, 120], 55), mix(self.light.zenith, [70, 100, 120], 30))
        };
        self.canvas.rectangle((left, top), (right - left, bottom - top), upper);
        self.canvas.polygon(&[(left, bottom), (right, bottom), (right, (top + bottom) / 2)], lower);
        if width > 40 {
            self.block((x + width / 2 - 2, y), (5, height), [248, 244, 236]);
        }
        self.block((x - 10, y - 14), (width + 20, 8), [228, 220, 208]);
    }

    fn door(&mut self, x: i32, colour: Colour) {
        self.block((x - 38, 0), (76, 150), [248, 244, 236]);
        self.block((x - 31, 0), (62, 143), colour);
        self.block((x - 20, 84), (40, 44), mix(colour, WHITE, 40));
        self.block((x + 17, 64), (7, 7), [240, 220, 170]);
        self.block((x - 52, -8), (104, 12), [206, 198, 186]);
    }
}

/// Draws a house that stands on `foot`.
pub(super) fn draw(canvas: &mut Canvas, look: &Look, light: &Light, foot: Point, size: i32) {
    let mut builder = Builder { canvas, light, foot, size };
    builder.block((-330, -12), (660, 16), mix(look.walls, [90, 86, 80], 45));
    match look.build {
        Build::Cottage => cottage(&mut builder, look),
        Build::Villa => villa(&mut builder, look),
        Build::Modern => modern(&mut builder, look),
        Build::Craftsman => craftsman(&mut builder, look),
    }
}

/// A color for the door that matches the roof.
const fn door_colour(look: &Look) -> Colour {
    match look.build {
        Build::Cottage => [58, 112, 112],
        Build::Villa => [120, 76, 62],
        Build::Modern => [92, 104, 112],
        Build::Craftsman => [86, 100, 74],
    }
}

fn cottage(builder: &mut Builder<'_>, look: &Look) {
    let shade = mix(look.walls, [60, 60, 70], 16);
    builder.block((-180, 320), (44, 110), mix(look.roof, [60, 50, 50], 24));
    builder.block((-310, 0), (620, 200), look.walls);
    builder.block((-310, 180), (620, 20), shade);
    builder.shape(&[(-345, 196), (-250, 350), (250, 350), (345, 196)], look.roof);
    builder.block((40, 0), (220, 200), mix(look.walls, WHITE, 30));
    builder.shape(&[(40, 198), (150, 306), (260, 198)], mix(look.walls, WHITE, 30));
    builder.shape(
        &[(14, 186), (150, 324), (286, 186), (268, 176), (150, 294), (32, 176)],
        mix(look.roof, [50, 44, 44], 22),
    );
    builder.window((-250, 70), (84, 84));
    builder.window((-110, 70), (84, 84));
    builder.door(150, door_colour(look));
    builder.window((136, 208), (28, 36));
}

fn villa(builder: &mut Builder<'_>, look: &Look) {
    let shade = mix(look.walls, [60, 60, 70], 15);
    builder.block((-270, 0), (540, 400), look.walls);
    builder.block((-270, 382), (540, 18), shade);
    builder.block((-270, 196), (540, 10), mix(look.walls, WHITE, 45));
    builder.shape(&[(-312, 396), (-190, 510), (190, 510), (312, 396)], look.roof);
    for x in [-220, -48, 124] {
        builder.window((x, 252), (96, 96));
    }
    builder.window((-220, 62), (96, 96));
    builder.window((124, 62), (96, 96));
    builder.door(0, door_colour(look));
    builder.shape(&[(-84, 166), (-66, 200), (66, 200), (84, 166)], look.roof);
}

fn modern(builder: &mut Builder<'_>, look: &Look) {
    let shade = mix(look.walls, [60, 60, 70], 18);
    builder.block((-310, 0), (380, 210), shade);
    builder.block((-330, 206), (420, 24), look.roof);
    builder.block((40, 0), (270, 330), look.walls);
    builder.block((24, 326), (302, 22), look.roof);
    builder.window((-290, 60), (120, 110));
    builder.door(-100, door_colour(look));
    builder.window((-40, 60), (56, 110));
    builder.window((80, 214), (190, 80));
    builder.window((80, 50), (190, 100));
    builder.block((-165, 160), (130, 12), look.roof);
}

fn craftsman(builder: &mut Builder<'_>, look: &Look) {
    let shade = mix(look.walls, [60, 60, 70], 26);
    builder.block((-300, 0), (600, 190), shade);
    builder.window((-250, 66), (110, 84));
    builder.door(20, door_colour(look));
    builder.window((130, 66), (110, 84));
    builder.shape(&[(-370, 178), (-210, 352), (210, 352), (370, 178)], look.roof);
    builder.shape(&[(-110, 226), (-110, 300), (0, 368), (110, 300), (110, 226)], look.walls);
    builder.shape(
        &[(-146, 278), (0, 396), (146, 278), (124, 270), (0, 368), (-124, 270)],
        mix(look.roof, [50, 44, 44], 24),
    );
    builder.window((-58, 250), (116, 52));
    builder.block((-366, 166), (732, 16), [240, 232, 216]);
    for x in [-330, -112, 96, 304] {
        builder.block((x, 0), (26, 168), [240, 232, 216]);
        builder.block((x - 8, 0), (42, 52), mix(look.roof, [150, 130, 116], 50));
    }
}
