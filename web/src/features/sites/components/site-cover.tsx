import { Picture } from '@/components/picture';
import { initials } from '@/lib/text';
import classes from './site-list.module.css';

interface SiteCoverProps {
  name: string;
  /** The first photo; without one the initials stand in its place. */
  imagePath: string | null | undefined;
}

/** The cover photo of a site on its card; decoration, since the name stands below it. */
export function SiteCover({ name, imagePath }: SiteCoverProps) {
  return (
    <Picture
      path={imagePath}
      alt=""
      width={480}
      height={160}
      isFluid
      className={classes.cover}
      placeholder={initials(name)}
    />
  );
}
