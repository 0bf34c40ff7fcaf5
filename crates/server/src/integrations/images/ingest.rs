//! Turns an uploaded file into the picture that is stored. The type is detected from the bytes alone, and limits are
//! checked before anything is decoded. The picture is turned upright according to its EXIF data, scaled down and
//! encoded anew, so that neither locations nor hidden payloads remain.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::error::{LimitError, LimitErrorKind};
use image::imageops;
use image::metadata::Orientation;
use image::{
    DynamicImage, GenericImageView, ImageDecoder, ImageError, ImageFormat, ImageReader, ImageResult, Limits, RgbImage,
};
use sha2::{Digest, Sha256};

/// Maximum width and height of a file, in pixels.
const MAX_SIDE: u32 = 8192;
/// Maximum number of pixels of a JPEG with one pass (not progressive), as cameras write them: phones take up to 8192 ×
/// 6144.
const MAX_CAMERA_PIXELS: u64 = 8192 * 6144;
/// Maximum number of pixels of all other images. Screens have up to 20 million. A PNG of a few kilobytes can claim any
/// number, and a progressive JPEG takes three times the memory of one with a single pass.
const MAX_PIXELS: u64 = 24_000_000;
/// Maximum size of the decoded picture, in bytes.
const MAX_MEMORY: u64 = 192 * 1024 * 1024;
/// Maximum length of the longer side of a stored picture, in pixels.
const STORED_SIDE: u32 = 2048;
/// Maximum length of the longer side of a thumbnail, in pixels.
const THUMBNAIL_SIDE: u32 = 480;
/// Quality of the encoded JPEGs, from 1 to 100.
const JPEG_QUALITY: u8 = 85;

/// A newly encoded picture and its thumbnail.
pub struct Picture {
    /// The encoded picture.
    pub(super) bytes: Vec<u8>,
    /// The encoded thumbnail.
    pub(super) thumbnail: Vec<u8>,
    /// The width in pixels.
    pub(super) width: u32,
    /// The height in pixels.
    pub(super) height: u32,
    /// The SHA-256 of the encoded picture, in hex.
    pub(super) sha256: String,
    is_jpeg: bool,
}

impl Picture {
    pub(super) const fn media_type(&self) -> &'static str {
        if self.is_jpeg { "image/jpeg" } else { "image/png" }
    }

    pub(super) const fn extension(&self) -> &'static str {
        if self.is_jpeg { "jpg" } else { "png" }
    }
}

/// Why a file is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rejection {
    /// Neither JPEG, PNG nor GIF.
    WrongType,
    /// An insurer's logo that is not a JPEG.
    NotJpeg,
    /// More bytes than allowed.
    TooLarge,
    /// More pixels than allowed.
    TooManyPixels,
    /// It could not be decoded.
    Broken,
}

impl Rejection {
    /// Returns the message for the user (spec A 5, spec B 8).
    pub(super) fn sentence(self, name: &str) -> String {
        match self {
            Self::WrongType => {
                format!("File \"{name}\" has an invalid file type. Only JPEG, PNG, and GIF are allowed.")
            }
            Self::NotJpeg => "Invalid file type. Only jpeg, jpg are allowed.".to_owned(),
            Self::TooLarge => format!("File \"{name}\" exceeds the size limit of 5MB."),
            Self::TooManyPixels => {
                format!(
                    "File \"{name}\" has too many pixels. A photo can have up to 50 million, any other image up to 24 million."
                )
            }
            Self::Broken => format!("File \"{name}\" could not be read as an image. Please choose another one."),
        }
    }
}

/// Decodes, scales and encodes a picture. Blocks the thread for up to two seconds and takes up to 250 MB.
pub(super) fn process(bytes: &[u8], only_jpeg: bool) -> Result<Picture, Rejection> {
    let format = match image::guess_format(bytes) {
        Ok(format @ (ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::Gif)) => format,
        _ if only_jpeg => return Err(Rejection::NotJpeg),
        _ => return Err(Rejection::WrongType),
    };
    if only_jpeg && format != ImageFormat::Jpeg {
        return Err(Rejection::NotJpeg);
    }
    let picture = decode(bytes, format).map_err(|error| match error {
        ImageError::Limits(_) => Rejection::TooManyPixels,
        _ => Rejection::Broken,
    })?;
    encode_picture(picture, format == ImageFormat::Jpeg)
}

/// Scales a picture down and encodes it with its thumbnail.
pub(super) fn encode_picture(picture: DynamicImage, is_jpeg: bool) -> Result<Picture, Rejection> {
    let picture = flatten(scale_down(picture, STORED_SIDE), is_jpeg);
    let (width, height) = picture.dimensions();
    if width == 0 || height == 0 {
        return Err(Rejection::Broken);
    }
    let encoded = encode(&picture, is_jpeg).map_err(|_| Rejection::Broken)?;
    let thumbnail = encode(&scale_down(picture, THUMBNAIL_SIDE), is_jpeg).map_err(|_| Rejection::Broken)?;
    let sha256 = hex::encode(Sha256::digest(&encoded));
    Ok(Picture { bytes: encoded, thumbnail, width, height, sha256, is_jpeg })
}

/// Decodes the first frame within the limits, scales it down, and turns it upright.
fn decode(bytes: &[u8], format: ImageFormat) -> ImageResult<DynamicImage> {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_MEMORY);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    let max = if format == ImageFormat::Jpeg && is_one_pass(bytes) { MAX_CAMERA_PIXELS } else { MAX_PIXELS };
    if u64::from(width) * u64::from(height) > max {
        return Err(ImageError::Limits(LimitError::from_kind(LimitErrorKind::DimensionError)));
    }
    // The decoders count their own buffers, but not the one for the whole picture.
    limits.reserve(decoder.total_bytes())?;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    // Scaled down first, because turning copies the picture.
    let mut picture = scale_down(DynamicImage::from_decoder(decoder)?, STORED_SIDE);
    picture.apply_orientation(orientation);
    Ok(picture)
}

/// Returns true if a JPEG has one pass: every frame before its first scan is baseline or extended sequential.
fn is_one_pass(jpeg: &[u8]) -> bool {
    const START_OF_SCAN: u8 = 0xda;
    let mut rest = jpeg.get(2..).unwrap_or_default();
    let mut is_one_pass = false;
    while let [0xff, marker, after @ ..] = rest {
        match marker {
            // Fill bytes, and markers without a length.
            0xff => rest = &rest[1..],
            0x01 | 0xd0..=0xd7 => rest = after,
            &START_OF_SCAN => return is_one_pass,
            _ => {
                match marker {
                    0xc0 | 0xc1 => is_one_pass = true,
                    // The other kinds of frames. In this range c4 and cc are tables, and c8 is an extension.
                    0xc2..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => return false,
                    _ => {}
                }
                let [high, low, ..] = after else { return false };
                let length = usize::from(u16::from_be_bytes([*high, *low]));
                rest = after.get(length.max(2)..).unwrap_or_default();
            }
        }
    }
    false
}

/// Scales a picture down to at most `side` pixels on the longer side. Each new pixel is the mean of those it replaces:
/// that takes a third of the time of a filter, and no second picture in memory.
fn scale_down(picture: DynamicImage, side: u32) -> DynamicImage {
    if picture.width().max(picture.height()) <= side {
        return picture;
    }
    picture.thumbnail(side, side)
}

/// Converts a picture to eight bits per color. In a JPEG, which has no transparency, the background becomes white.
fn flatten(picture: DynamicImage, is_jpeg: bool) -> DynamicImage {
    if !picture.color().has_alpha() {
        return picture.into_rgb8().into();
    }
    let picture = picture.into_rgba8();
    if !is_jpeg {
        return picture.into();
    }
    let (width, height) = picture.dimensions();
    let mut white: DynamicImage = RgbImage::from_pixel(width, height, image::Rgb([255; 3])).into();
    imageops::overlay(&mut white, &picture, 0, 0);
    white.into_rgb8().into()
}

fn encode(picture: &DynamicImage, is_jpeg: bool) -> ImageResult<Vec<u8>> {
    let mut bytes = Vec::new();
    if is_jpeg {
        picture.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY))?;
    } else {
        picture.write_with_encoder(PngEncoder::new_with_quality(
            &mut bytes,
            CompressionType::Default,
            FilterType::Adaptive,
        ))?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::is_one_pass;

    #[test]
    fn the_frames_of_a_jpeg_tell_if_it_has_one_pass_whatever_precedes_them() {
        let segment = |marker: u8, length: u8| {
            let mut bytes = vec![0xff, marker, 0, length];
            bytes.resize(usize::from(length) + 2, 0);
            bytes
        };
        let jpeg = |frames: &[u8]| {
            let mut bytes = vec![0xff, 0xd8];
            // A segment whose content looks like a frame, then fill bytes.
            bytes.extend([0xff, 0xe1, 0, 6, 0xff, 0xc2, 0, 0, 0xff]);
            frames.iter().for_each(|marker| bytes.extend(segment(*marker, 11)));
            bytes.extend(segment(0xda, 8));
            // Segments after the first scan are ignored.
            bytes.extend(segment(0xc2, 11));
            bytes
        };
        for (frames, expected) in [
            (&[0xc0][..], true),
            (&[0xc1], true),
            (&[0xc4, 0xc0], true),
            (&[0xc2], false),
            (&[0xc0, 0xc2], false),
            (&[0xc4], false),
            (&[], false),
        ] {
            assert_eq!(is_one_pass(&jpeg(frames)), expected, "{frames:x?}");
        }
        for cut in 0..12 {
            assert!(!is_one_pass(&jpeg(&[0xc0])[..cut]), "{cut}");
        }
    }
}
