import { Combobox, Loader, Text, TextInput, useCombobox, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client, type Schemas, unwrap } from '@/api/client';

/** What the field holds. */
export interface PlaceValue {
  /** The text as it stands in the field. */
  label: string;
  /** The server's word for a place that was chosen; null while the text is only typed or came with the record. */
  placeId: string | null;
}

interface PlacesInputProps {
  label: string;
  /** Cities alone, or streets in them. */
  kind: 'city' | 'address';
  value: PlaceValue;
  onChange: (value: PlaceValue) => void;
  onBlur?: () => void;
  description?: ReactNode;
  placeholder?: string;
  error?: ReactNode;
  required?: boolean;
  disabled?: boolean;
  name?: string;
}

const FEWEST_CHARACTERS = 2;
const PAUSE_MILLISECONDS = 250;
/** Ids are good for an hour; an answer is used again for a few minutes. */
const FRESH_MILLISECONDS = 300_000;

/**
 * A city or an address, chosen from what the server offers (guide web, section 13). Typing takes the choice back: the
 * form decides whether a text without a choice will do. Made by hand of the kit's combobox: its Autocomplete knows only
 * texts, and what is sent is the id of a place.
 */
export function PlacesInput(props: PlacesInputProps) {
  const { kind, value, onChange, onBlur, required, error, ...field } = props;
  const { t, ready } = useTranslation('images');
  const hint = useId();
  const [isTyping, setTyping] = useState(false);
  const [text] = useDebouncedValue(value.label.trim(), PAUSE_MILLISECONDS);
  const isAsked = isTyping && text.length >= FEWEST_CHARACTERS;
  const places = useQuery({
    queryKey: ['places', kind, text],
    queryFn: ({ signal }) => unwrap(client.GET('/api/places', { params: { query: { query: text, kind } }, signal })),
    enabled: isAsked,
    staleTime: FRESH_MILLISECONDS,
    gcTime: FRESH_MILLISECONDS,
    retry: false,
    placeholderData: keepPreviousData,
  });
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const items = isAsked ? (places.data?.items ?? []) : [];
  const isOpen = combobox.dropdownOpened && isAsked && (places.isError || places.data !== undefined);

  useEffect(() => {
    // The likeliest one is one press of Enter away.
    if (items.length > 0) combobox.selectFirstOption();
    // oxlint-disable-next-line react/exhaustive-deps
  }, [places.data]);

  const choose = (id: string) => {
    const place = items.find((item) => item.id === id);
    if (!place) return;
    setTyping(false);
    onChange({ label: place.label, placeId: place.id });
    combobox.closeDropdown();
  };
  const announced = () => {
    if (!isOpen) return '';
    if (places.isError) return t('places.failed');
    return items[0] ? t('places.found', { count: items.length, first: items[0].label }) : nothing();
  };
  const nothing = () => t(kind === 'address' ? 'places.noAddress' : 'places.noCity');

  return (
    <Combobox store={combobox} onOptionSubmit={choose} withinPortal={false}>
      <Combobox.Target autoComplete="off" withExpandedAttribute>
        <TextInput
          {...field}
          value={value.label}
          error={error}
          withAsterisk={required}
          aria-required={required}
          aria-autocomplete="list"
          aria-describedby={hint}
          rightSection={places.isFetching && isAsked ? <Loader size={16} /> : null}
          onChange={(event) => {
            setTyping(true);
            onChange({ label: event.currentTarget.value, placeId: null });
            combobox.openDropdown();
          }}
          onFocus={() => {
            if (isTyping) combobox.openDropdown();
          }}
          onBlur={() => {
            combobox.closeDropdown();
            onBlur?.();
          }}
          onKeyDown={(event) => {
            // Enter chooses while there is something to choose; the form is not sent by it.
            if (event.key === 'Enter' && isOpen) event.preventDefault();
            if (event.key === 'Escape' && isOpen) {
              event.stopPropagation();
              combobox.closeDropdown();
            }
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!isOpen}>
        <Combobox.Options labelledBy={undefined} aria-label={field.label}>
          {items.map((item) => (
            <PlaceOption key={item.id} place={item} />
          ))}
          {items.length === 0 ? (
            <Combobox.Empty>{places.isError ? t('places.failed') : ready ? nothing() : null}</Combobox.Empty>
          ) : null}
        </Combobox.Options>
        {items.length > 0 ? (
          <Combobox.Footer>
            <Text size="xs" c="dimmed">
              {t('places.credit')}
            </Text>
          </Combobox.Footer>
        ) : null}
      </Combobox.Dropdown>
      <VisuallyHidden id={hint}>{ready ? t('places.hint') : ''}</VisuallyHidden>
      <VisuallyHidden role="status">{announced()}</VisuallyHidden>
    </Combobox>
  );
}

function PlaceOption({ place }: { place: Schemas['Place'] }) {
  return (
    <Combobox.Option value={place.id}>
      {place.street ? (
        <>
          {place.street}
          <Text span size="sm" c="dimmed">
            {`, ${place.label.slice(place.street.length + 2)}`}
          </Text>
        </>
      ) : (
        place.label
      )}
    </Combobox.Option>
  );
}
