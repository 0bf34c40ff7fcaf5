import { Popover, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ClosedByBack } from '@/components/dialog/dialog-stack';
import { useErrorText } from '@/components/use-error-text';
import { shownGuestsQuery } from '../api/audit-log-queries';
import { detailsOf, tabOf, type TrailEntry } from '../audit-log.utils';
import classes from './audit-log.module.css';

/** What a row tells beside its action and its object: beds, filters, the guests who were shown. */
export function TrailDetails({ row }: { row: TrailEntry }) {
  const { t } = useTranslation('audit-log');
  const tab = tabOf(row);
  const beds = useBeds(row);
  // The record is one, whoever reads it; it was written in English.
  const told = tab === undefined ? [detailsOf(row), row.query ?? undefined] : [row.query?.slice(tab.length + 2)];
  const lines = [
    ...(beds === undefined ? [] : [<bdi key="beds">{beds}</bdi>]),
    ...(tab === undefined ? [] : [<span key="tab">{t(`list.${tab}`)}</span>]),
    ...told
      .filter((text) => text !== undefined)
      .map((text) => (
        <bdi key={text} lang="en">
          {text}
        </bdi>
      )),
    ...(row.guestCount > 0 ? [<ShownGuests key="guests" id={row.id} count={row.guestCount} />] : []),
  ];
  return lines.length === 0 ? t('none') : <span className={`${classes.details} ${classes.pair}`}>{lines}</span>;
}

/** From which bed to which, if the row is about a move. */
function useBeds({ fromBed, toBed }: TrailEntry): string | undefined {
  const { t } = useTranslation('audit-log');
  if (fromBed !== null && toBed !== null) return t('beds.moved', { from: fromBed, to: toBed });
  if (toBed !== null) return t('beds.to', { to: toBed });
  return fromBed === null ? undefined : t('beds.from', { from: fromBed });
}

/** How many guests were shown; pressed, their codes. Looking is on record, too. */
function ShownGuests({ id, count }: { id: string; count: number }) {
  const { t } = useTranslation('audit-log');
  const [isOpen, setOpen] = useState(false);
  const { data: guests, error } = useQuery({ ...shownGuestsQuery(id), enabled: isOpen });
  const errorText = useErrorText();
  return (
    <Popover opened={isOpen} onChange={setOpen} withArrow trapFocus returnFocus width={280}>
      <Popover.Target>
        <UnstyledButton data-touch className={classes.link} onClick={() => setOpen((was) => !was)}>
          {t('shownGuests', { count })}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('shownGuests', { count })}>
        {error ? errorText(error) : (guests?.map(({ code }) => code).join(', ') ?? '…')}
      </Popover.Dropdown>
      {isOpen ? <ClosedByBack onBack={() => setOpen(false)} /> : null}
    </Popover>
  );
}
