//! From what was sent to what is kept. The type comes from the bytes alone; limits hold before anything is decoded; the
//! picture is turned as its EXIF says, made smaller and drawn anew, so that neither positions nor hidden payloads stay.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::imageops;
use image::metadata::Orientation;
use image::{
    DynamicImage, GenericImageView, ImageDecoder, ImageError, ImageFormat, ImageReader, ImageResult, Limits, RgbImage,
};
use sha2::{Digest, Sha256};

/// Most pixels on a side of what is decoded.
const MOST_SIDE: u32 = 8000;
/// Most bytes that decoding may take.
const MOST_MEMORY: u64 = 192 * 1024 * 1024;
/// Pixels on the longer side of what is kept.
const KEPT_SIDE: u32 = 2048;
/// Pixels on the longer side of a thumbnail.
const THUMBNAIL_SIDE: u32 = 480;
/// Quality of JPEGs.
const QUALITY: u8 = 85;

/// A picture drawn anew, and its thumbnail.
pub(crate) struct Picture {
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
            Self::TooManyPixels => format!("File \"{name}\" has too many pixels. At most 8000 by 8000 are allowed."),
            Self::Broken => format!("File \"{name}\" could not be read as an image. Please choose another one."),
        }
    }
}

/// Draws a picture anew. Takes up to a second and 200 MB: not for a thread that others wait for.
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

/// Decodes the first frame within the limits and turns it upright.
fn decode(bytes: &[u8], format: ImageFormat) -> ImageResult<DynamicImage> {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MOST_SIDE);
    limits.max_image_height = Some(MOST_SIDE);
    limits.max_alloc = Some(MOST_MEMORY);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder()?;
    // The decoders count their own buffers; this is the one that the whole picture goes into.
    limits.reserve(decoder.total_bytes())?;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder)?;
    picture.apply_orientation(orientation);
    Ok(picture)
}

/// At most so many pixels on the longer side.
fn shrunk(picture: DynamicImage, side: u32) -> DynamicImage {
    if picture.width().max(picture.height()) <= side {
        return picture;
    }
    picture.resize(side, side, imageops::FilterType::Triangle)
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
