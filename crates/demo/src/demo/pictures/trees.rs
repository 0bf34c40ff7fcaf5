//! Trees and bushes.

use super::canvas::{Canvas, Point, mix};
use super::light::Light;

/// A kind of tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::demo) enum Tree {
    Palm,
    Oak,
    Cypress,
}

/// Draws a tree that stands at `foot`. `size` is about a quarter of its height in pixels.
pub(super) fn draw(canvas: &mut Canvas, tree: Tree, light: &Light, foot: Point, size: i32) {
    match tree {
        Tree::Palm => palm(canvas, light, foot, size),
        Tree::Oak => oak(canvas, light, foot, size),
        Tree::Cypress => cypress(canvas, light, foot, size),
    }
}

fn palm(canvas: &mut Canvas, light: &Light, (x, y): Point, size: i32) {
    let (top, lean) = (y - size * 4, size / 3);
    let trunk = light.on([146, 118, 92]);
    let (thick, thin) = (size / 8, size / 14);
    let bend = (x + lean / 4, y - size * 2);
    canvas.polygon(
        &[
            (x - thick, y),
            (bend.0 - thick, bend.1),
            (x + lean - thin, top),
            (x + lean + thin, top),
            (bend.0 + thick, bend.1),
            (x + thick, y),
        ],
        trunk,
    );
    let crown = (x + lean, top);
    let (dark, bright) = (light.on([72, 112, 84]), light.on([96, 138, 96]));
    // The tip of each leaf, in percent of `size` from the crown.
    let leaves =
        [(-150, 60), (150, 50), (-165, -6), (165, -14), (-80, 110), (84, 104), (-110, -72), (108, -80), (10, -104)];
    for (number, (across, down)) in (0..).zip(leaves) {
        leaf(canvas, crown, (across * size / 100, down * size / 100), size / 5, if number < 6 { dark } else { bright });
    }
    canvas.ellipse(crown, (size / 7, size / 8), trunk);
}

/// Draws a leaf that rises from the crown and then hangs down to its tip.
fn leaf(canvas: &mut Canvas, (x, y): Point, (across, down): (i32, i32), width: i32, colour: [u8; 3]) {
    let upper =
        |at: i32, lift: i32| (x + across * at / 100, y + down * at * at / 10_000 - lift * at * (100 - at) / 2500);
    let mut points: Vec<Point> = (0..=10).map(|step| upper(step * 10, width * 2)).collect();
    points.extend((0..=10).rev().map(|step| upper(step * 10, width)));
    canvas.polygon(&points, colour);
}

fn oak(canvas: &mut Canvas, light: &Light, (x, y): Point, size: i32) {
    let trunk = light.on([116, 96, 78]);
    let half = size / 7;
    canvas.polygon(&[(x - half, y), (x - half / 2, y - size * 2), (x + half / 2, y - size * 2), (x + half, y)], trunk);
    let (dark, middle, bright) = (light.on([84, 120, 84]), light.on([100, 138, 94]), light.on([124, 158, 108]));
    for ((across, up), (wide, high), colour) in [
        ((-70, 190), (80, 62), dark),
        ((72, 196), (84, 64), dark),
        ((0, 216), (110, 80), middle),
        ((-44, 268), (78, 62), middle),
        ((44, 276), (74, 60), middle),
        ((-14, 300), (64, 50), bright),
        ((-62, 232), (44, 30), bright),
    ] {
        let at = (x + across * size / 100, y - up * size / 100);
        canvas.ellipse(at, (wide * size / 100, high * size / 100), colour);
    }
}

fn cypress(canvas: &mut Canvas, light: &Light, (x, y): Point, size: i32) {
    let (dark, bright) = (light.on([70, 104, 88]), light.on([86, 122, 98]));
    canvas.rectangle((x - size / 14, y - size / 2), (size / 7, size / 2), light.on([112, 92, 78]));
    for (shift, wide, colour) in [(0, 46, dark), (-9, 30, bright)] {
        let side = |at: i32, sign: i32| {
            let bulge = wide * at * (100 - at).max(0) / 2500 + wide * (100 - at) / 400;
            (x + shift * size / 100 + sign * bulge * size / 100, y - size / 3 - at * size * 36 / 1000)
        };
        let mut points: Vec<Point> = (0..=20).map(|step| side(step * 5, -1)).collect();
        points.extend((0..=20).rev().map(|step| side(step * 5, 1)));
        canvas.polygon(&points, colour);
    }
}

/// Draws a low bush at `foot`. `size` is its height in pixels.
pub(super) fn bush(canvas: &mut Canvas, light: &Light, (x, y): Point, size: i32) {
    let green = light.on([98, 132, 92]);
    canvas.ellipse((x - size * 2 / 3, y - size / 3), (size * 2 / 3, size / 2), mix(green, [40, 70, 60], 14));
    canvas.ellipse((x + size * 2 / 3, y - size / 3), (size * 2 / 3, size / 2), green);
    canvas.ellipse((x, y - size / 2), (size * 3 / 4, size * 2 / 3), mix(green, [255, 255, 255], 8));
}
