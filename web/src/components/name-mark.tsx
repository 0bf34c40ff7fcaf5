import { fileAddress } from '@/lib/files';
import { initials } from '@/lib/text';
import classes from './name-mark.module.css';

interface NameMarkProps {
  name: string;
  /** Path of the uploaded picture; without one the initials stand in its place. */
  imagePath: string | null | undefined;
  /** Side of the square in pixels. */
  size?: number;
  /** `contain` shows all of a logo, `cover` fills the square with a photo. */
  fit?: 'contain' | 'cover';
}

/** The picture of an organization, a site or an insurer; decoration, since the name always stands beside it. */
export function NameMark({ name, imagePath, size = 48, fit = 'contain' }: NameMarkProps) {
  const address = fileAddress(imagePath);
  return (
    <span className={classes.mark} style={{ width: size, height: size, fontSize: size / 2.6 }} aria-hidden>
      {address ? (
        <img className={classes.image} data-fit={fit} src={address} alt="" width={size} height={size} loading="lazy" />
      ) : (
        initials(name)
      )}
    </span>
  );
}
