import { Button, Card, Menu, Text } from '@mantine/core';
import { Download } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { PopupMenu } from '@/components/popup-menu';
import { type Figure, type NumbersScope, numbersFileOf, type RangeQuery } from '../numbers.utils';
import classes from './numbers.module.css';

/** Where the table of a figure comes from, for its files. */
export interface FigureSource {
  scope: NumbersScope;
  range: RangeQuery;
}

interface FigureCardProps {
  figure: Figure;
  source: FigureSource;
  /** The most important numbers of the figure. */
  facts: readonly { label: string; value: string }[];
  /** What is counted, in a sentence. */
  note: string;
  /** Stands in place of chart and table where there is nothing to count. */
  empty?: string | undefined;
  chart: ReactNode;
  table: ReactNode;
}

/** One figure: its most important numbers, a chart, and the same numbers as a table beside it and as a file. */
export function FigureCard({ figure, source, facts, note, empty, chart, table }: FigureCardProps) {
  const { t } = useTranslation('dashboard', { keyPrefix: 'numbers' });
  const heading = useId();
  const title = t(`${figure}.title`);
  return (
    <Card component="section" aria-labelledby={heading} className={classes.card} data-tour="numbers-figure">
      <div className={classes.head}>
        <h2 id={heading} className={classes.heading}>
          {title}
        </h2>
        <Files figure={figure} source={source} title={title} />
      </div>
      <Text c="dimmed" size="sm">
        {note}
      </Text>
      {empty === undefined ? (
        <>
          <dl className={classes.facts}>
            {facts.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <div className={classes.pair}>
            <div>{chart}</div>
            <div>{table}</div>
          </div>
        </>
      ) : (
        <Text fw={600} mt="md">
          {empty}
        </Text>
      )}
    </Card>
  );
}

/** Downloads the table of a figure. */
function Files({
  figure,
  source: { scope, range },
  title,
}: Pick<FigureCardProps, 'figure' | 'source'> & { title: string }) {
  const { t, i18n } = useTranslation('dashboard', { keyPrefix: 'numbers' });
  return (
    <PopupMenu withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<Download size={16} aria-hidden />}
          aria-label={t('download.of', { figure: title })}
        >
          {t('download.short')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['xlsx', 'csv'] as const).map((format) => (
          <Menu.Item
            key={format}
            component="a"
            href={numbersFileOf(scope, range, figure, format, i18n.language)}
            download
          >
            {t(`download.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </PopupMenu>
  );
}
