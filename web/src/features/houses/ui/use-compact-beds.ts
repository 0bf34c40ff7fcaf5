import { useState } from 'react';
import { clearPreference, readPreference, writePreference } from '@/lib/preferences';

/** Whether beds are drawn small on this device, and how to change that. */
export function useCompactBeds(): [isCompact: boolean, onChange: (isCompact: boolean) => void] {
  const [isCompact, setCompact] = useState(() => readPreference('compactBeds') === 'yes');
  const change = (wanted: boolean) => {
    setCompact(wanted);
    if (wanted) writePreference('compactBeds', 'yes');
    else clearPreference('compactBeds');
  };
  return [isCompact, change];
}
