//! Logos of organizations and insurers: one flat mark on one color.

use super::canvas::{Canvas, Colour, WHITE, mix};

/// Pixels on each side of the canvas. The logo has half as many.
const SIDE: i32 = 1024;

/// What a logo shows.
#[derive(Debug, Clone, Copy)]
pub(in crate::demo) enum Mark {
    /// A lighthouse with its beams.
    Lighthouse,
    /// Mountains in front of the sun.
    Mountains,
    /// A roof over an open door.
    OpenDoor,
    /// The sun over waves.
    Shore,
    /// A shield, for insurers. The number chooses its colors.
    Shield(usize),
}

impl Mark {
    pub(super) fn draw(self) -> Canvas {
        match self {
            Self::Lighthouse => lighthouse(),
            Self::Mountains => mountains(),
            Self::OpenDoor => open_door(),
            Self::Shore => shore(),
            Self::Shield(number) => shield(number),
        }
    }
}

fn lighthouse() -> Canvas {
    const TEAL: Colour = [14, 107, 107];
    let mut canvas = Canvas::new(SIDE, SIDE, TEAL);
    let beam = mix(TEAL, [255, 236, 179], 42);
    canvas.polygon(&[(470, 330), (96, 214), (96, 446)], beam);
    canvas.polygon(&[(554, 330), (928, 214), (928, 446)], beam);
    canvas.polygon(&[(434, 424), (590, 424), (638, 792), (386, 792)], WHITE);
    canvas.polygon(&[(421, 524), (603, 524), (615, 616), (409, 616)], mix(TEAL, WHITE, 22));
    canvas.rectangle((406, 392), (212, 34), WHITE);
    canvas.rectangle((456, 282), (112, 110), [255, 222, 140]);
    canvas.polygon(&[(430, 284), (512, 196), (594, 284)], WHITE);
    waves(&mut canvas, &[790, 872], TEAL, mix(TEAL, WHITE, 72));
    canvas
}

fn mountains() -> Canvas {
    const CLAY: Colour = [150, 88, 66];
    let mut canvas = Canvas::new(SIDE, SIDE, CLAY);
    canvas.ellipse((628, 392), (168, 168), [246, 205, 140]);
    canvas.polygon(&[(110, 800), (410, 340), (560, 560), (648, 440), (914, 800)], WHITE);
    canvas.polygon(&[(410, 340), (518, 498), (452, 470), (410, 530), (366, 474), (308, 498)], mix(CLAY, WHITE, 45));
    canvas.polygon(&[(400, 800), (648, 440), (914, 800)], mix(CLAY, WHITE, 78));
    canvas.rectangle((110, 836), (804, 26), mix(CLAY, WHITE, 60));
    canvas
}

fn open_door() -> Canvas {
    const PLUM: Colour = [94, 78, 128];
    let mut canvas = Canvas::new(SIDE, SIDE, PLUM);
    canvas.rectangle((668, 250), (76, 150), WHITE);
    canvas.polygon(&[(512, 180), (884, 496), (834, 554), (512, 282), (190, 554), (140, 496)], WHITE);
    canvas.polygon(&[(512, 346), (772, 566), (772, 832), (252, 832), (252, 566)], mix(PLUM, WHITE, 24));
    canvas.rectangle((424, 520), (196, 312), [255, 224, 150]);
    canvas.polygon(&[(424, 520), (548, 566), (548, 878), (424, 832)], WHITE);
    canvas.ellipse((520, 712), (13, 13), PLUM);
    canvas
}

fn shore() -> Canvas {
    const SLATE: Colour = [52, 88, 128];
    let mut canvas = Canvas::new(SIDE, SIDE, SLATE);
    canvas.ellipse((512, 500), (214, 214), [248, 210, 138]);
    for (from, to) in [((512, 238), (512, 164)), ((326, 314), (272, 260)), ((698, 314), (752, 260))] {
        ray(&mut canvas, from, to);
    }
    canvas.rectangle((0, 560), (SIDE, SIDE), SLATE);
    waves(&mut canvas, &[588, 694, 800], SLATE, WHITE);
    canvas
}

/// Draws a shield with one of four symbols.
fn shield(number: usize) -> Canvas {
    const GROUNDS: [Colour; 5] = [[28, 84, 122], [116, 72, 40], [40, 98, 74], [104, 50, 84], [70, 74, 92]];
    let ground = GROUNDS[number % GROUNDS.len()];
    let mut canvas = Canvas::new(SIDE, SIDE, ground);
    canvas.polygon(&[(236, 220), (788, 220), (788, 540), (512, 836), (236, 540)], WHITE);
    let inner = mix(ground, WHITE, 30);
    match number % 4 {
        0 => {
            canvas.rectangle((464, 320), (96, 320), inner);
            canvas.rectangle((352, 432), (320, 96), inner);
        }
        1 => canvas.ellipse((512, 470), (130, 130), inner),
        2 => canvas.polygon(&[(512, 300), (680, 600), (344, 600)], inner),
        _ => {
            canvas.rectangle((316, 330), (392, 70), inner);
            canvas.rectangle((316, 470), (392, 70), inner);
        }
    }
    canvas
}

/// Draws a short thick stroke with round ends.
fn ray(canvas: &mut Canvas, from: (i32, i32), to: (i32, i32)) {
    for step in 0..=24 {
        let at = |from: i32, to: i32| from + (to - from) * step / 24;
        canvas.ellipse((at(from.0, to.0), at(from.1, to.1)), (17, 17), [248, 210, 138]);
    }
}

/// Draws rows of waves, made of adjacent arcs that alternate between crests and troughs.
fn waves(canvas: &mut Canvas, rows: &[i32], ground: Colour, colour: Colour) {
    for (number, &y) in (0..).zip(rows) {
        let (inset, most) = (128 + number * 64, SIDE - 128 - number * 64);
        canvas.rectangle((0, y), (SIDE, 110), ground);
        let mut crest = Vec::new();
        for x in (inset..=most).step_by(8) {
            crest.push((x, y + 46 - swing(x - inset)));
        }
        let under: Vec<_> = crest.iter().rev().map(|&(x, y)| (x, y + 36)).collect();
        crest.extend(under);
        canvas.polygon(&crest, colour);
    }
}

/// The height of a wave 192 pixels long, 26 pixels up and down, made of parabolas.
fn swing(x: i32) -> i32 {
    let at = x.rem_euclid(192);
    let (at, sign) = if at < 96 { (at, 1) } else { (at - 96, -1) };
    sign * 26 * at * (96 - at) / (48 * 48)
}
