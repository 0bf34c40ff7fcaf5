import { initials } from '@/lib/text';
import classes from './name-mark.module.css';
import { Picture } from './picture';

interface NameMarkProps {
  name: string;
  /** Path of the uploaded picture; without one, or if it cannot be had, the initials stand in its place. */
  imagePath: string | null | undefined;
  /** Side of the square in pixels. */
  size?: number;
  /** `contain` shows all of a logo, `cover` fills the square with a photo. */
  fit?: 'contain' | 'cover';
}

/** The picture of an organization, a site or an insurer; decoration, since the name always stands beside it. */
export function NameMark({ name, imagePath, size = 48, fit = 'contain' }: NameMarkProps) {
  return (
    <span className={classes.mark} style={{ width: size, height: size, fontSize: size / 2.6 }} aria-hidden>
      {imagePath ? (
        <Picture path={imagePath} alt="" width={size} height={size} fit={fit} placeholder={initials(name)} isFluid />
      ) : (
        initials(name)
      )}
    </span>
  );
}
