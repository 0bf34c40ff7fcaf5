//! Photos of rooms: a bed by a window.

use super::canvas::{Canvas, Colour, WHITE, mix};
use super::light::{Hour, Light};
use super::scene::{Look, SIZE, number};
use crate::dice::Dice;

/// Draws a room of the site. Random numbers choose the linen and place the furniture.
pub(super) fn draw(look: &Look, dice: &mut Dice) -> Canvas {
    let light = Light::of(Hour::Morning);
    let wall = mix(mix(look.walls, WHITE, 52), [236, 230, 220], 30);
    let mut canvas = Canvas::new(SIZE.0, SIZE.1, wall);
    canvas.fade(880, SIZE.1, [196, 166, 134], [176, 144, 112]);
    canvas.rectangle((0, 856), (SIZE.0, 26), mix(wall, WHITE, 60));
    for y in [940, 1010, 1094] {
        canvas.rectangle((0, y), (SIZE.0, 3), [164, 134, 104]);
    }
    let left = dice.chance(50);
    let side = |x: i32, width: i32| if left { x } else { SIZE.0 - x - width };
    window(&mut canvas, look, &light, side(1040, 460));
    let picture = (side(420, 220), 250);
    canvas.rectangle(picture, (220, 170), [120, 98, 80]);
    canvas.rectangle((picture.0 + 14, picture.1 + 14), (192, 142), [240, 234, 222]);
    canvas.ellipse((picture.0 + 130, picture.1 + 74), (26, 26), [232, 190, 130]);
    let (x, y) = (picture.0, picture.1 + 156);
    canvas.polygon(&[(x + 14, y), (x + 80, y - 60), (x + 130, y - 20), (x + 160, y - 44), (x + 206, y)], look.roof);

    let shift = number(dice, -30, 30);
    canvas.ellipse((side(560, 0) + shift, 1090), (620, 70), mix([222, 212, 196], look.roof, 16));
    let linen = *dice.pick(&[[96, 140, 140], [140, 154, 120], [170, 132, 112], [116, 132, 164], [150, 128, 152]]);
    bed(&mut canvas, side(180, 820), left, linen);
    let table = side(1030, 170);
    canvas.rectangle((table, 800), (170, 200), [158, 122, 92]);
    canvas.rectangle((table + 14, 826), (142, 66), [176, 140, 108]);
    canvas.ellipse((table + 85, 860), (8, 8), [236, 220, 190]);
    canvas.rectangle((table + 78, 700), (14, 90), [120, 104, 92]);
    canvas.rectangle((table + 46, 788), (78, 12), [120, 104, 92]);
    canvas.polygon(&[(table + 46, 620), (table + 124, 620), (table + 156, 710), (table + 14, 710)], [250, 232, 190]);
    plant(&mut canvas, side(1500, 150));
    canvas
}

fn window(canvas: &mut Canvas, look: &Look, light: &Light, x: i32) {
    canvas.rectangle((x - 22, 158), (504, 484), WHITE);
    for y in 180..620 {
        canvas.rectangle((x, y), (460, 1), mix(light.zenith, light.horizon, (y - 180) * 100 / 440));
    }
    canvas.polygon(
        &[(x, 620), (x, 500), (x + 130, 450), (x + 300, 520), (x + 460, 470), (x + 460, 620)],
        light.far([120, 150, 112], 26),
    );
    canvas.polygon(&[(x, 620), (x, 560), (x + 240, 530), (x + 460, 572), (x + 460, 620)], light.on([122, 154, 104]));
    canvas.rectangle((x + 220, 180), (18, 440), WHITE);
    canvas.rectangle((x, 340), (460, 14), WHITE);
    canvas.rectangle((x - 44, 640), (548, 24), mix(WHITE, [180, 170, 160], 20));
    let curtain = mix(mix(look.roof, WHITE, 66), [240, 232, 220], 40);
    canvas.rectangle((x - 110, 128), (680, 14), [140, 118, 98]);
    for (from, lean) in [(x - 96, 26), (x + 446, -26)] {
        canvas.polygon(&[(from, 142), (from + 110, 142), (from + 110 - lean, 760), (from - lean, 760)], curtain);
        for fold in [30, 68] {
            let at = from + fold;
            canvas.polygon(
                &[(at, 142), (at + 10, 142), (at + 6 - lean, 760), (at - 4 - lean, 760)],
                mix(curtain, [150, 140, 130], 18),
            );
        }
    }
}

/// Draws a bed 820 pixels long with its head at the left or at the right.
fn bed(canvas: &mut Canvas, x: i32, head_left: bool, linen: Colour) {
    const WOOD: Colour = [146, 110, 84];
    let side = |at: i32, width: i32| if head_left { x + at } else { x + 820 - at - width };
    canvas.rectangle((side(0, 36), 600), (36, 460), WOOD);
    canvas.rectangle((side(784, 36), 800), (36, 260), WOOD);
    canvas.rectangle((side(20, 780), 930), (780, 60), mix(WOOD, WHITE, 14));
    canvas.rectangle((side(36, 748), 830), (748, 104), [246, 242, 234]);
    canvas.rectangle((side(250, 534), 806), (534, 140), linen);
    canvas.rectangle((side(250, 70), 806), (70, 140), mix(linen, WHITE, 62));
    canvas.rectangle((side(600, 184), 806), (184, 140), mix(linen, [50, 50, 60], 18));
    canvas.ellipse((side(140, 0), 790), (106, 50), mix(WHITE, [200, 196, 190], 20));
    canvas.ellipse((side(140, 0), 782), (104, 44), [252, 250, 246]);
}

fn plant(canvas: &mut Canvas, x: i32) {
    for (across, up, colour) in [
        (-70, 210, [92, 130, 98]),
        (78, 220, [92, 130, 98]),
        (-34, 280, [110, 150, 108]),
        (40, 300, [110, 150, 108]),
        (4, 340, [126, 164, 118]),
    ] {
        let (tip_x, tip_y) = (x + 75 + across, 900 - up);
        let middle = (x + 75 + across / 3, 900 - up / 2);
        canvas.polygon(
            &[(x + 70, 900), (middle.0 - 26, middle.1), (tip_x, tip_y), (middle.0 + 26, middle.1), (x + 82, 900)],
            colour,
        );
    }
    canvas.polygon(&[(x + 10, 890), (x + 140, 890), (x + 118, 1030), (x + 32, 1030)], [206, 160, 132]);
}
