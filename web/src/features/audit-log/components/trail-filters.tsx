import { Button, Group, Select, TextInput } from '@mantine/core';
import { Download, Filter } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DayInput } from '@/components/day-input';
import { INCOMPLETE_DAY } from '@/components/form/day';
import { isFiltered, isReversed, isSameFilter, type TrailFilter, trailFileOf } from '../audit-log.utils';
import classes from './audit-log.module.css';

/** First and last day that the log can be searched by; an address with another one is shown without it. */
const FIRST_DAY = '2000-01-01';
const LAST_DAY = '2999-12-31';

/** A place to choose from. */
interface Place {
  id: string;
  name: string;
}

interface TrailFiltersProps {
  /** What is in force. */
  filter: TrailFilter;
  /** Organizations to choose from; none when there is one only. */
  organizations: readonly Place[];
  /** Whether all organizations together can be shown. */
  mayShowAll: boolean;
  /** Sites of the organization in force. */
  sites: readonly Place[];
  onChange: (filter: TrailFilter) => void;
}

/** The filters of the trail. They come into force together, by the button or by Enter; the organization at once. */
export function TrailFilters({ filter, organizations, mayShowAll, sites, onChange }: TrailFiltersProps) {
  const { t } = useTranslation(['audit-log', 'common']);
  const [draft, setDraft] = useState<TrailFilter>(filter);
  /** Names of the fields that nothing can be searched by. */
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set());
  const reset = (to: TrailFilter) => {
    setDraft(to);
    setWrong(new Set());
  };
  // Another filter from outside, such as by the back button, replaces what is typed.
  const [known, setKnown] = useState(filter);
  /** What this form has put in force, until the address says so. */
  const [sent, setSent] = useState<TrailFilter>();
  if (!isSameFilter(known, filter)) {
    setKnown(filter);
    setSent(undefined);
    if (!sent || !isSameFilter(sent, filter)) reset(filter);
  }
  const send = (next: TrailFilter) => {
    setSent(next);
    onChange(next);
  };
  const set = (changes: TrailFilter) => {
    setDraft((before) => ({ ...before, ...changes }));
    setWrong(new Set());
  };
  const typed = (value: string) => (value.trim() === '' ? undefined : value.trim());
  const whole = { from: wholeDay(draft.from), to: wholeDay(draft.to) };
  const actions = useActions();
  return (
    <form
      className={classes.filters}
      aria-label={t('filter.title')}
      // The browser's own messages are in its language, and gone after a moment.
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const invalid = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input:invalid')];
        setWrong(new Set(invalid.map(({ name }) => name)));
        invalid[0]?.focus();
        if (invalid.length > 0) return;
        const { person, guest, ...others } = draft;
        send({ ...others, person: typed(person ?? ''), guest: typed(guest ?? '') });
      }}
    >
      {organizations.length > 0 ? (
        <Select
          label={t('filter.organization')}
          data={organizations.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.organization ?? null}
          placeholder={mayShowAll ? t('filter.all') : undefined}
          searchable
          clearable={mayShowAll}
          allowDeselect={mayShowAll}
          onChange={(value) => {
            const place = { organization: value ?? undefined, site: undefined };
            setDraft({ ...draft, ...place });
            send({ ...filter, ...place });
          }}
        />
      ) : null}
      {sites.length > 0 ? (
        <Select
          label={t('filter.site')}
          data={sites.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.site ?? null}
          placeholder={t('filter.all')}
          searchable
          clearable
          onChange={(value) => set({ site: value ?? undefined })}
        />
      ) : null}
      <TextInput
        label={t('filter.person')}
        error={wrong.has('person') && t('common:form.email')}
        name="person"
        type="email"
        autoComplete="off"
        value={draft.person ?? ''}
        onChange={(event) => set({ person: event.currentTarget.value })}
      />
      <TextInput
        label={t('filter.guest')}
        autoComplete="off"
        value={draft.guest ?? ''}
        onChange={(event) => set({ guest: event.currentTarget.value })}
      />
      <Select
        label={t('filter.action')}
        data={actions}
        value={draft.action ?? null}
        placeholder={t('filter.all')}
        searchable
        clearable
        onChange={(value) => set({ action: value ?? undefined })}
      />
      <DayInput
        label={t('filter.from')}
        error={wrong.has('from') && t(dateError(whole.from))}
        name="from"
        min={FIRST_DAY}
        max={LAST_DAY}
        value={draft.from ?? ''}
        onChange={(day) => set({ from: typed(day) })}
      />
      <DayInput
        label={t('filter.to')}
        error={wrong.has('to') && t(isReversed(whole) ? 'filter.toEarly' : dateError(whole.to))}
        name="to"
        min={whole.from ?? FIRST_DAY}
        max={LAST_DAY}
        value={draft.to ?? ''}
        onChange={(day) => set({ to: typed(day) })}
      />
      <Group gap="xs" className={classes.buttons}>
        <Button type="submit" leftSection={<Filter size={18} aria-hidden />}>
          {t('filter.apply')}
        </Button>
        {isFiltered(filter) ? (
          <Button
            variant="default"
            onClick={() => {
              reset({ organization: filter.organization });
              onChange({ organization: filter.organization });
            }}
          >
            {t('filter.clear')}
          </Button>
        ) : null}
        <Button
          component="a"
          href={trailFileOf(filter)}
          download
          variant="default"
          leftSection={<Download size={18} aria-hidden />}
        >
          {t('filter.file')}
        </Button>
      </Group>
    </form>
  );
}

/** The day of a field, unless only a part of it is typed. */
function wholeDay(day: string | undefined): string | undefined {
  return day === INCOMPLETE_DAY ? undefined : day;
}

/** What is wrong with a date: it is not whole, or far away. */
function dateError(day: string | undefined) {
  return day === undefined ? 'filter.dateInvalid' : 'filter.yearInvalid';
}

/** Every action with its words, in their order. */
function useActions(): { value: string; label: string }[] {
  const { t, i18n } = useTranslation('audit-log');
  // Every language has the same ones. An import of a file of texts would make the page heavier by the whole of it.
  const actions = Object.entries(t('action', { returnObjects: true })).flatMap(([noun, verbs]) =>
    Object.keys(verbs).map((verb) => `${noun}.${verb}`),
  );
  return actions
    .map((value) => ({ value, label: t(`action.${value}` as never) as string }))
    .toSorted((left, right) => left.label.localeCompare(right.label, i18n.language));
}
