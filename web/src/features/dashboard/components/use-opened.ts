import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useEffect } from 'react';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';

interface OpenedOptions<Row, Key extends QueryKey> {
  /** The id that the address opens. */
  id: string | undefined;
  /** The rows of the page, once they are there. */
  rows: readonly Row[] | undefined;
  /** Loads one record by its id. */
  query: (id: string) => UseQueryOptions<Row, Error, Row, Key>;
  onClose: () => void;
}

/**
 * The record that the address opens: its row, or loaded by its id where the row is on another page or filtered away.
 * An address that opens what is not there says so and closes.
 */
export function useOpened<Row extends { id: string }, Key extends QueryKey>(options: OpenedOptions<Row, Key>) {
  const { id, rows, query, onClose } = options;
  const errorText = useErrorText();
  const row = rows?.find((one) => one.id === id);
  const isElsewhere = id !== undefined && rows !== undefined && row === undefined;
  const { data, error } = useQuery({ ...query(id ?? ''), enabled: isElsewhere });
  const lost = isElsewhere ? error : null;
  useEffect(() => {
    if (!lost) return;
    toast.error(errorText(lost));
    onClose();
    // Once for each refusal; the callbacks are new at every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [lost]);
  return row ?? (isElsewhere ? (data ?? null) : null);
}
