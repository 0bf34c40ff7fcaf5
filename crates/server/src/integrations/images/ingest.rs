//! From what was sent to what is kept. The type comes from the bytes alone; limits hold before anything is decoded; the
//! picture is turned as its EXIF says, made smaller and drawn anew, so that neither positions nor hidden payloads stay.

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

/// Most pixels on a side of what is decoded.
const MAX_SIDE: u32 = 8192;
/// Most pixels of a JPEG that is written in one pass, as cameras write them: phones take up to 8192 × 6144.
const MAX_CAMERA_PIXELS: u64 = 8192 * 6144;
/// Most pixels of all other images. Screens have up to 20 million; a PNG of a few kilobytes may claim any number, and a
/// progressive JPEG takes three times the memory of one written in one pass.
const MAX_PIXELS: u64 = 24_000_000;
/// Most bytes of the decoded picture.
const MAX_MEMORY: u64 = 192 * 1024 * 1024;
/// Pixels on the longer side of what is kept.
const KEPT_SIDE: u32 = 2048;
/// Pixels on the longer side of a thumbnail.
const THUMBNAIL_SIDE: u32 = 480;
/// Quality of JPEGs.
const QUALITY: u8 = 85;

/// A picture drawn anew, and its thumbnail.
pub struct Picture {
    /// The encoded picture.
    pub(super) bytes: Vec<u8>,
    /// The encoded thumbnail.
    pub(super) thumbnail: Vec<u8>,
    /// In pixels.
    pub(super) width: u32,
    /// In pixels.
    pub(super) height: u32,
    /// Of the encoded picture, in hex.
    pub(super) sha256: String,
    is_jpeg: bool,
}

impl Picture {
    pub(super) const fn media_type(&self) -> &'static str {
        if self.is_jpeg { "image/jpeg" } else { "image/png" }
    }

    pub(super) const fn ending(&self) -> &'static str {
        if self.is_jpeg { "jpg" } else { "png" }
    }
}

/// Why a file is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Neither JPEG, PNG nor GIF.
    WrongType,
    /// An insurer's logo that is no JPEG.
    NotJpeg,
    /// More bytes than allowed.
    TooLarge,
    /// More pixels than allowed.
    TooManyPixels,
    /// It begins like a picture and goes on as something else.
    Broken,
}

impl Refusal {
    /// The sentence for the user (spec A 5, spec B 8).
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

/// Draws a picture anew. Takes up to two seconds and 250 MB: not for a thread that others wait for.
pub(super) fn draw(bytes: &[u8], only_jpeg: bool) -> Result<Picture, Refusal> {
    let format = match image::guess_format(bytes) {
        Ok(format @ (ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::Gif)) => format,
        _ if only_jpeg => return Err(Refusal::NotJpeg),
        _ => return Err(Refusal::WrongType),
    };
    if only_jpeg && format != ImageFormat::Jpeg {
        return Err(Refusal::NotJpeg);
    }
    let picture = decode(bytes, format).map_err(|error| match error {
        ImageError::Limits(_) => Refusal::TooManyPixels,
        _ => Refusal::Broken,
    })?;
    kept(picture, format == ImageFormat::Jpeg)
}

/// A picture as it is kept: not too large, flat, encoded by us, with its thumbnail.
pub(super) fn kept(picture: DynamicImage, is_jpeg: bool) -> Result<Picture, Refusal> {
    let picture = flat(shrunk(picture, KEPT_SIDE), is_jpeg);
    let (width, height) = picture.dimensions();
    if width == 0 || height == 0 {
        return Err(Refusal::Broken);
    }
    let encoded = encode(&picture, is_jpeg).map_err(|_| Refusal::Broken)?;
    let thumbnail = encode(&shrunk(picture, THUMBNAIL_SIDE), is_jpeg).map_err(|_| Refusal::Broken)?;
    let sha256 = hex::encode(Sha256::digest(&encoded));
    Ok(Picture { bytes: encoded, thumbnail, width, height, sha256, is_jpeg })
}

/// Decodes the first frame within the limits, makes it as small as it is kept, and turns it upright.
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
    // The decoders count their own buffers; this is the one that the whole picture goes into.
    limits.reserve(decoder.total_bytes())?;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    // Small first: turning copies the picture.
    let mut picture = shrunk(DynamicImage::from_decoder(decoder)?, KEPT_SIDE);
    picture.apply_orientation(orientation);
    Ok(picture)
}

/// Returns true if a JPEG is written in one pass: no frame before its first scan is of another kind than baseline or
/// extended sequential.
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
                    // The other frames; between them stand tables (c4, cc) and an extension (c8).
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

/// At most so many pixels on the longer side. Each new pixel is the mean of those that it stands for: a third of the time
/// of a filter, and no second picture in memory.
fn shrunk(picture: DynamicImage, side: u32) -> DynamicImage {
    if picture.width().max(picture.height()) <= side {
        return picture;
    }
    picture.thumbnail(side, side)
}

/// Eight bits a colour; a JPEG knows no transparency, so what shines through becomes white there.
fn flat(picture: DynamicImage, is_jpeg: bool) -> DynamicImage {
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
        picture.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, QUALITY))?;
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
    fn a_jpeg_is_known_by_its_frame_whatever_stands_before_it() {
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
            // What follows the first scan is not looked at.
            bytes.extend(segment(0xc2, 11));
            bytes
        };
        for (frames, wanted) in [
            (&[0xc0][..], true),
            (&[0xc1], true),
            (&[0xc4, 0xc0], true),
            (&[0xc2], false),
            (&[0xc0, 0xc2], false),
            (&[0xc4], false),
            (&[], false),
        ] {
            assert_eq!(is_one_pass(&jpeg(frames)), wanted, "{frames:x?}");
        }
        for cut in 0..12 {
            assert!(!is_one_pass(&jpeg(&[0xc0])[..cut]), "{cut}");
        }
    }
}
