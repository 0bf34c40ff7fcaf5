//! Generated pictures for tests: valid ones, and files that only look like pictures.

use std::io::Cursor;

use flate2::Crc;
use image::codecs::gif::GifEncoder;
use image::{DynamicImage, Frame, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

/// A text that must be removed. It is where cameras write locations.
pub const POSITION: &str = "GPS 33.8366N 117.9143W";
/// A script, as in a polyglot file.
pub const SCRIPT: &str = "<script>alert(document.cookie)</script>";

const RED: Rgb<u8> = Rgb([220, 20, 20]);
const BLUE: Rgb<u8> = Rgb([20, 20, 220]);

fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// The left half red, the right half blue.
fn halves(width: u32, height: u32) -> DynamicImage {
    RgbImage::from_fn(width, height, |x, _| if x < width / 2 { RED } else { BLUE }).into()
}

/// A PNG.
pub fn png(width: u32, height: u32) -> Vec<u8> {
    encoded(&halves(width, height), ImageFormat::Png)
}

/// A PNG that is half transparent.
pub fn clear_png(width: u32, height: u32) -> Vec<u8> {
    encoded(&RgbaImage::from_pixel(width, height, Rgba([20, 200, 20, 90])).into(), ImageFormat::Png)
}

/// A JPEG.
pub fn jpeg(width: u32, height: u32) -> Vec<u8> {
    encoded(&halves(width, height), ImageFormat::Jpeg)
}

/// A GIF of two frames: red, then blue.
pub fn animated_gif() -> Vec<u8> {
    let mut bytes = Vec::new();
    let frame = |colour: Rgb<u8>| Frame::new(DynamicImage::from(RgbImage::from_pixel(8, 8, colour)).into_rgba8());
    GifEncoder::new(&mut bytes).encode_frames([frame(RED), frame(BLUE)]).unwrap();
    bytes
}

/// A JPEG with a segment after its first two bytes.
fn with_segment(jpeg: &[u8], marker: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).unwrap();
    [&jpeg[..2], &[0xff, marker], &length.to_be_bytes(), content, &jpeg[2..]].concat()
}

/// A JPEG on its side: EXIF says to rotate it by 90 degrees, and where it was taken.
pub fn turned_jpeg(width: u32, height: u32) -> Vec<u8> {
    let text = format!("{POSITION}\0");
    let entry = |tag: u16, kind: u16, count: u32, value: u32| {
        [&tag.to_le_bytes()[..], &kind.to_le_bytes(), &count.to_le_bytes(), &value.to_le_bytes()].concat()
    };
    // Header, count, two entries, end: the text starts at 8 + 2 + 24 + 4.
    let exif = [
        b"Exif\0\0II*\0\x08\0\0\0\x02\0".to_vec(),
        entry(0x010e, 2, u32::try_from(text.len()).unwrap(), 38),
        entry(0x0112, 3, 1, 6),
        vec![0; 4],
        text.into_bytes(),
    ];
    with_segment(&jpeg(width, height), 0xe1, &exif.concat())
}

/// A JPEG that is also an HTML page: a script in its comment and after its end.
pub fn polyglot() -> Vec<u8> {
    let mut bytes = with_segment(&jpeg(16, 16), 0xfe, SCRIPT.as_bytes());
    bytes.extend_from_slice(SCRIPT.as_bytes());
    bytes
}

/// The header of a PNG that claims this size, with almost no data after it.
pub fn png_bomb(width: u32, height: u32) -> Vec<u8> {
    let chunk = |kind: &[u8; 4], content: &[u8]| {
        let mut crc = Crc::new();
        crc.update(kind);
        crc.update(content);
        let length = u32::try_from(content.len()).unwrap();
        [&length.to_be_bytes()[..], kind, content, &crc.sum().to_be_bytes()].concat()
    };
    let head = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    let rows = [0x78, 0x9c, 0x63, 0x00, 0x00, 0x00, 0x01, 0x00, 0x01];
    let parts = [&b"\x89PNG\r\n\x1a\n"[..], &chunk(b"IHDR", &head), &chunk(b"IDAT", &rows), &chunk(b"IEND", &[])];
    parts.concat()
}

/// A JPEG whose frame claims this size, of the kind `marker` (0xc0 baseline, 0xc2 progressive), with few rows of data.
pub fn jpeg_bomb(marker: u8, width: u16, height: u16) -> Vec<u8> {
    let mut bytes = jpeg(64, 64);
    let frame = bytes.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    bytes[frame + 1] = marker;
    bytes[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
    bytes[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
    bytes
}

/// The colors in the middle of the top and of the bottom, named by their strongest component.
pub fn top_and_bottom(bytes: &[u8]) -> [&'static str; 2] {
    let picture = image::load_from_memory(bytes).unwrap().into_rgb8();
    let (width, height) = picture.dimensions();
    [1, height - 2].map(|row| {
        let Rgb([red, green, blue]) = *picture.get_pixel(width / 2, row);
        [("red", red), ("green", green), ("blue", blue)].into_iter().max_by_key(|(_, part)| *part).unwrap().0
    })
}
