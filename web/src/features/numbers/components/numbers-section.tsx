import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ValidationError } from '@/api/errors';
import { formatDay } from '@/components/charts/chart.utils';
import { ErrorState } from '@/components/error-state';
import { PrintButton } from '@/components/print/print-button';
import { PrintPages, type PrintPlace } from '@/components/print/print-sheet';
import { TableSkeleton } from '@/components/skeletons';
import type { ChangeSearch } from '@/components/use-change-search';
import { numbersQuery } from '../api/numbers-query';
import { type NumbersScope, rangeOf } from '../numbers.utils';
import type { NumbersSearch } from '../numbers-search';
import { Decisions, type FigureProps, Holds, LengthOfStay, Occupancy, Reasons } from './figures';
import classes from './numbers.module.css';
import { RangePicker } from './range-picker';

interface NumbersSectionProps {
  scope: NumbersScope;
  /** The site or the organization, for the head of printed pages. */
  place: PrintPlace;
  /** Whose calendar the days are, in a sentence. */
  zone: string;
  search: NumbersSearch;
  onSearch: ChangeSearch<NumbersSearch>;
}

/** The numbers of a site or of an organization (issue "operations"): five figures about the days that are chosen. */
export function NumbersSection({ scope, place, zone, search, onSearch }: NumbersSectionProps) {
  const { t, i18n } = useTranslation('dashboard', { keyPrefix: 'numbers' });
  const range = rangeOf(search);
  const { data: numbers, error, isPlaceholderData, refetch } = useQuery(numbersQuery(scope, range));
  const source = { scope, range };
  const shown =
    numbers &&
    `${t('range.shown', { from: formatDay(numbers.from, i18n.language), to: formatDay(numbers.to, i18n.language) })} ${zone}`;
  const isWrongRange = error instanceof ValidationError;
  return (
    <div className={classes.section} aria-busy={isPlaceholderData}>
      <div className={classes.tools}>
        <RangePicker
          search={search}
          shown={numbers}
          error={isWrongRange ? error : null}
          onChange={(changes) => onSearch(changes, { replace: true })}
        />
        <div data-print="hide">
          <PrintButton />
        </div>
      </div>
      {error ? (
        isWrongRange ? (
          <Text role="alert">{t('range.wrong')}</Text>
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : numbers && shown ? (
        <>
          <Text className={classes.shown} role="status">
            {shown}
          </Text>
          <Figures numbers={numbers} source={source} />
          <PrintPages title={t('printTitle')} site={place} facts={[shown]}>
            <div className={classes.section}>
              <Figures numbers={numbers} source={source} />
            </div>
          </PrintPages>
        </>
      ) : (
        <TableSkeleton rows={8} />
      )}
    </div>
  );
}

function Figures(figure: FigureProps) {
  return (
    <>
      <Occupancy {...figure} />
      <LengthOfStay {...figure} />
      <Decisions {...figure} />
      <Holds {...figure} />
      <Reasons {...figure} />
    </>
  );
}
