import { type PointerEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '@/lib/format';
import { averageFormat, type ChartDay, formatDay, formatShare, linePoints, scaleTop } from './chart.utils';
import classes from './occupancy-chart.module.css';

/** The box that the lines are drawn in; it is stretched to the room there is. */
const WIDTH = 1000;
const HEIGHT = 200;

interface OccupancyChartProps {
  days: readonly ChartDay[];
  /** The names of the two lines. */
  labels: { occupied: string; beds: string };
}

/**
 * Occupied beds as an area under the line of all beds. Drawn by hand: two lines need no library. The words around it are
 * HTML, so that they keep their size; the numbers stand in the table beside it, which is what screen readers get.
 */
export function OccupancyChart({ days, labels }: OccupancyChartProps) {
  const { i18n } = useTranslation();
  const [at, setAt] = useState<number | null>(null);
  const { language } = i18n;
  const top = scaleTop(days);
  const average = averageFormat(
    days.flatMap((day) => [day.occupied, day.beds]),
    language,
  );
  const occupied = linePoints(
    days.map((day) => day.occupied),
    top,
    WIDTH,
    HEIGHT,
  );
  const beds = linePoints(
    days.map((day) => day.beds),
    top,
    WIDTH,
    HEIGHT,
  );
  const first = days[0];
  const last = days.at(-1);
  const shown = (at === null ? undefined : days[at]) ?? last;
  if (!first || !last || !shown) return null;

  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left) / Math.max(1, box.width);
    setAt(Math.min(days.length - 1, Math.max(0, Math.round(share * (days.length - 1)))));
  };
  const position = at === null ? null : (at / Math.max(1, days.length - 1)) * WIDTH;
  return (
    <figure className={classes.figure} aria-hidden>
      <p className={classes.legend}>
        <span className={classes.key} data-line="occupied">
          {labels.occupied} <strong>{average(shown.occupied)}</strong>
        </span>
        <span className={classes.key} data-line="beds">
          {labels.beds} <strong>{average(shown.beds)}</strong>
        </span>
        <span>
          {formatDay(shown.date, language)}
          {shown.beds > 0 ? ` · ${formatShare(shown.occupied / shown.beds, language)}` : null}
        </span>
      </p>
      <div className={classes.plot}>
        <div className={classes.scale}>
          <span>{formatNumber(top, language)}</span>
          <span>{formatNumber(top / 2, language)}</span>
          <span>0</span>
        </div>
        <svg
          className={classes.svg}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          onPointerMove={follow}
          onPointerDown={follow}
          onPointerLeave={() => setAt(null)}
        >
          {[0, HEIGHT / 2, HEIGHT].map((y) => (
            <line key={y} className={classes.grid} x1={0} x2={WIDTH} y1={y} y2={y} />
          ))}
          <polygon className={classes.area} points={`0,${HEIGHT} ${occupied} ${WIDTH},${HEIGHT}`} />
          <polyline className={classes.occupied} points={occupied} />
          <polyline className={classes.beds} points={beds} />
          {position === null ? null : (
            <line className={classes.cursor} x1={position} x2={position} y1={0} y2={HEIGHT} />
          )}
        </svg>
        <div className={classes.dates}>
          <span>{formatDay(first.date, language, 'short')}</span>
          <span>{formatDay(days[Math.floor(days.length / 2)]?.date ?? last.date, language, 'short')}</span>
          <span>{formatDay(last.date, language, 'short')}</span>
        </div>
      </div>
    </figure>
  );
}
