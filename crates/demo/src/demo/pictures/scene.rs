//! Photos of sites from the street: sky, landscape, houses, trees.

use super::canvas::{Canvas, Colour, Point, WHITE, mix};
use super::house::{self, Build};
use super::light::{Hour, Light};
use super::trees::{self, Tree};
use crate::dice::Dice;

/// Pixels of the canvas. The photo has half as many on each side.
pub(super) const SIZE: (i32, i32) = (1800, 1200);

/// The landscape behind the houses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::demo) enum Land {
    Sea,
    Hills,
    Mountains,
    Town,
}

/// How a site looks.
#[derive(Debug, Clone, Copy)]
pub(in crate::demo) struct Look {
    pub(in crate::demo) land: Land,
    pub(in crate::demo) tree: Tree,
    pub(in crate::demo) build: Build,
    /// Color of the walls.
    pub(in crate::demo) walls: [u8; 3],
    /// Color of the roofs.
    pub(in crate::demo) roof: [u8; 3],
    /// Number of houses on a photo, 1 to 3.
    pub(in crate::demo) houses: i32,
    /// Times of day of the photos; the first is the cover.
    pub(in crate::demo) hours: [Hour; 2],
}

/// Draws the site at a time of day. Random numbers place everything.
pub(super) fn draw(look: &Look, hour: Hour, dice: &mut Dice) -> Canvas {
    let light = Light::of(hour);
    let mut canvas = Canvas::new(SIZE.0, SIZE.1, light.horizon);
    let horizon = 640 + number(dice, -30, 50);
    canvas.fade(0, horizon + 120, light.zenith, light.horizon);
    sky(&mut canvas, &light, hour, dice);
    behind(&mut canvas, look.land, &light, horizon, dice);
    let ground = 930 + number(dice, -20, 20);
    let lawn = lawn_of(look);
    ridge(&mut canvas, dice, (ground - 50, 26), 420, light.on(mix(lawn, WHITE, 8)));
    let mirrored = dice.chance(50);
    let place = |x: i32| if mirrored { SIZE.0 - x } else { x };

    // Small and distant houses first.
    let far = [(1370, 62), (330, 54)];
    for &(x, size) in far.iter().take(usize::try_from(look.houses - 1).unwrap_or_default()) {
        let x = place(x) + number(dice, -50, 50);
        trees::draw(&mut canvas, look.tree, &light, (x + 260, ground - 30), 52);
        house::draw(&mut canvas, look, &light, (x, ground - 26), size);
    }
    ridge(&mut canvas, dice, (ground + 4, 14), 500, light.on(lawn));
    meadow(&mut canvas, &light, lawn, ground, dice);
    let middle = place(760) + number(dice, -60, 60);
    let path = light.on([222, 210, 190]);
    let door = middle + house::door_of(look.build) * 118 / 100;
    let drift = number(dice, -160, 160);
    canvas.polygon(
        &[(door - 34, ground + 26), (door + 34, ground + 26), (door + drift + 190, 1200), (door + drift - 130, 1200)],
        path,
    );
    trees::draw(&mut canvas, look.tree, &light, (middle - 560, ground + 20), 96);
    house::draw(&mut canvas, look, &light, (middle, ground + 30), 118);
    for x in [-470, -390, 400, 470] {
        let size = number(dice, 26, 44);
        trees::bush(&mut canvas, &light, (middle + x + number(dice, -20, 20), ground + 40), size);
    }
    let near = if dice.chance(50) { 640 } else { 700 };
    trees::draw(&mut canvas, look.tree, &light, (middle + near, ground + 84), 132);
    canvas
}

/// The color of the ground: sand at the sea, drier grass in front of mountains.
const fn lawn_of(look: &Look) -> Colour {
    match look.land {
        Land::Sea => [196, 190, 142],
        Land::Hills => [134, 164, 108],
        Land::Mountains => [166, 168, 112],
        Land::Town => [140, 168, 116],
    }
}

fn sky(canvas: &mut Canvas, light: &Light, hour: Hour, dice: &mut Dice) {
    let at = (number(dice, 240, 1560), light.height + number(dice, -30, 30));
    let radius = if hour == Hour::Dusk { 46 } else { 66 };
    for (times, percent) in [(5, 10), (3, 16), (2, 26)] {
        canvas.glow(at, radius * times, light.sun, percent);
    }
    canvas.ellipse(at, (radius, radius), light.sun);
    let cloud = mix(light.horizon, WHITE, if hour == Hour::Dusk { 10 } else { 55 });
    let cloud = mix(cloud, light.zenith, if hour == Hour::Dusk { 45 } else { 0 });
    // Clouds do not cover the moon.
    let clouds = if hour == Hour::Dusk { (330, 430) } else { (90, 420) };
    for _ in 0..number(dice, 2, 4) {
        let (x, y, size) = (number(dice, 60, 1740), number(dice, clouds.0, clouds.1), number(dice, 34, 62));
        canvas.ellipse((x, y), (size * 3, size / 2), cloud);
        canvas.ellipse((x - size, y - size / 3), (size * 5 / 4, size * 2 / 3), cloud);
        canvas.ellipse((x + size / 2, y - size / 2), (size * 3 / 2, size * 4 / 5), cloud);
    }
}

fn behind(canvas: &mut Canvas, land: Land, light: &Light, horizon: i32, dice: &mut Dice) {
    match land {
        Land::Sea => sea(canvas, light, horizon, dice),
        Land::Hills => {
            ridge(canvas, dice, (horizon - 60, 90), 520, light.far([120, 150, 132], 58));
            ridge(canvas, dice, (horizon + 40, 70), 440, light.far([116, 152, 112], 36));
            ridge(canvas, dice, (horizon + 140, 44), 380, light.far([112, 150, 98], 14));
        }
        Land::Mountains => {
            peaks(canvas, dice, horizon - 150, 150, light.far([116, 124, 156], 48));
            peaks(canvas, dice, horizon - 10, 90, light.far([112, 126, 134], 30));
            ridge(canvas, dice, (horizon + 130, 40), 420, light.far([134, 146, 104], 12));
        }
        Land::Town => {
            skyline(canvas, light, horizon + 140, dice);
            ridge(canvas, dice, (horizon + 130, 26), 360, light.far([116, 146, 110], 16));
        }
    }
}

fn sea(canvas: &mut Canvas, light: &Light, horizon: i32, dice: &mut Dice) {
    canvas.fade(horizon, SIZE.1, light.far([104, 164, 178], 34), light.on([72, 142, 156]));
    let glint = mix(light.far([104, 164, 178], 30), light.sun, 50);
    for _ in 0..46 {
        let y = number(dice, horizon + 10, horizon + 220);
        let length = 20 + (y - horizon) * number(dice, 20, 60) / 100;
        canvas.rectangle((number(dice, 0, SIZE.0), y), (length, 3), glint);
    }
    // A headland on one side.
    let (tip, rise) = (number(dice, 420, 760), number(dice, 70, 130));
    let side = |x: i32, left: bool| if left { x } else { SIZE.0 - x };
    let left = dice.chance(50);
    for (reach, up, colour) in [(tip, rise, [134, 140, 120]), (tip * 3 / 5, rise * 3 / 2, [126, 142, 104])] {
        let shape = [
            (0, horizon - up),
            (reach / 3, horizon - up * 9 / 10),
            (reach * 2 / 3, horizon - up / 2),
            (reach, horizon + 4),
            (0, horizon + 26),
        ];
        let shape: Vec<Point> = shape.into_iter().map(|(x, y)| (side(x, left), y)).collect();
        canvas.polygon(&shape, light.far(colour, 34));
    }
    ridge(canvas, dice, (horizon + 205, 16), 460, light.on([232, 216, 178]));
}

fn skyline(canvas: &mut Canvas, light: &Light, base: i32, dice: &mut Dice) {
    for (haze, tall) in [(62, 330), (44, 220)] {
        let mut x = number(dice, -60, 0);
        while x < SIZE.0 {
            let (width, height) = (number(dice, 70, 150), number(dice, tall / 3, tall));
            let colour = light.far(*dice.pick(&[[142, 152, 168], [164, 152, 146], [128, 142, 152]]), haze);
            canvas.rectangle((x, base - height), (width, height + 60), colour);
            let pane = if light.lamps { mix(colour, [255, 222, 150], 40) } else { mix(colour, WHITE, 24) };
            for row in (base - height + 22..base - 30).step_by(34) {
                for column in (x + 14..x + width - 18).step_by(26) {
                    if dice.chance(62) {
                        canvas.rectangle((column, row), (12, 16), pane);
                    }
                }
            }
            x += width + number(dice, -6, 46);
        }
    }
}

/// Draws tufts of grass and a few flowers in the foreground.
fn meadow(canvas: &mut Canvas, light: &Light, lawn: Colour, ground: i32, dice: &mut Dice) {
    let blade = light.on(mix(lawn, [70, 104, 72], 34));
    for _ in 0..34 {
        let (x, y) = (number(dice, 0, SIZE.0), number(dice, ground + 110, SIZE.1 - 6));
        let size = 8 + (y - ground) / 16;
        for lean in [-1, 0, 1] {
            canvas.polygon(&[(x - 4, y), (x + 4, y), (x + lean * size * 2 / 3, y - size * 3 / 2)], blade);
        }
    }
    let flower = light.on(*dice.pick(&[[238, 222, 170], [226, 178, 168], [206, 190, 220], [246, 240, 228]]));
    for _ in 0..16 {
        let at = (number(dice, 0, SIZE.0), number(dice, ground + 130, SIZE.1 - 10));
        canvas.ellipse(at, (7, 6), flower);
    }
}

/// Fills rolling hills: random heights every `step` pixels, rounded between them.
fn ridge(canvas: &mut Canvas, dice: &mut Dice, (base, swing): (i32, i32), step: i32, colour: Colour) {
    let (mut from, mut to) = (base + number(dice, -swing, swing), base + number(dice, -swing, swing));
    let (mut points, mut start) = (vec![(0, SIZE.1)], -number(dice, 0, step - 1));
    while start < SIZE.0 {
        for x in (start.max(0)..(start + step).min(SIZE.0 + 1)).step_by(12) {
            let at = (x - start) * 100 / step;
            points.push((x, from + (to - from) * at * at * (300 - 2 * at) / 1_000_000));
        }
        start += step;
        (from, to) = (to, base + number(dice, -swing, swing));
    }
    let last = points.last().map_or(base, |point| point.1);
    points.extend([(SIZE.0, last), (SIZE.0, SIZE.1)]);
    canvas.polygon(&points, colour);
}

/// Draws a mountain range.
fn peaks(canvas: &mut Canvas, dice: &mut Dice, base: i32, swing: i32, colour: Colour) {
    let mut points = vec![(0, SIZE.1), (0, base)];
    let (mut x, mut up) = (number(dice, 40, 160), true);
    while x < SIZE.0 {
        let height = number(dice, swing / 3, swing);
        points.push((x, if up { base - height } else { base + height / 2 }));
        x += number(dice, 110, 230);
        up = !up;
    }
    points.extend([(SIZE.0, base), (SIZE.0, SIZE.1)]);
    canvas.polygon(&points, colour);
}

/// A number from `low` to `high`, both included.
pub(super) fn number(dice: &mut Dice, low: i32, high: i32) -> i32 {
    i32::try_from(dice.between(i64::from(low), i64::from(high))).unwrap_or(low)
}
