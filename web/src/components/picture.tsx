import { ImageOff } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { fileAddress } from '@/lib/files';
import classes from './picture.module.css';

/** `cover` fills the frame, `contain` shows all of a logo on white paper, `whole` all of another picture. */
export type PictureFit = 'cover' | 'contain' | 'whole';

interface PictureProps {
  /** As the server names it; nothing shows the placeholder. */
  path: string | null | undefined;
  /** What is to be seen; empty where the words beside it say so already. */
  alt: string;
  /** Pixels kept free for it before it is there. */
  width: number;
  height: number;
  fit?: PictureFit;
  /** At most 480 pixels; the whole picture otherwise. */
  isThumbnail?: boolean;
  /** In place of a picture. */
  placeholder?: ReactNode;
  /** Takes the width of what is around it and keeps the shape of width and height. */
  isFluid?: boolean;
  className?: string;
}

/** An uploaded picture, loaded when it comes into sight; a placeholder when there is none or it cannot be had. */
export function Picture({
  path,
  alt,
  width,
  height,
  fit = 'cover',
  isThumbnail = true,
  placeholder,
  isFluid = false,
  className,
}: PictureProps) {
  const [failed, setFailed] = useState<string | null>(null);
  useEffect(() => {
    if (failed === null) return undefined;
    const tryAgain = () => setFailed(null);
    window.addEventListener('online', tryAgain);
    return () => window.removeEventListener('online', tryAgain);
  }, [failed]);
  const address = path === failed ? undefined : pictureUrl(path, isThumbnail);
  const size = isFluid ? { width: '100%', aspectRatio: `${width} / ${height}` } : { width, height };
  const frame = [classes.frame, className].filter(Boolean).join(' ');
  if (address === undefined) {
    const named = alt ? ({ role: 'img', 'aria-label': alt } as const) : { 'aria-hidden': true };
    return (
      <span className={frame} style={size} data-empty {...named}>
        {placeholder ?? <ImageOff size={Math.min(28, height / 2)} aria-hidden />}
      </span>
    );
  }
  return (
    <span className={frame} style={size}>
      <img
        className={classes.image}
        data-fit={fit}
        src={address}
        alt={alt}
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
        onError={() => setFailed(path ?? null)}
      />
    </span>
  );
}

/** The address of a picture or of its thumbnail; undefined when there is none. */
export function pictureUrl(path: string | null | undefined, isThumbnail = false): string | undefined {
  const address = fileAddress(path);
  // Demo pictures and the like, which no upload has made, have no thumbnail.
  return address && isThumbnail && address.startsWith('/files/uploads/') ? `${address}?size=thumb` : address;
}
