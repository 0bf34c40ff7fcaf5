import { Button, Stack, Text } from '@mantine/core';
import { ArrowLeft } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { BedTile } from '@/features/houses/ui/bed-tile';
import { misfitsOf } from '@/features/houses/ui/meant-for.utils';
import { usePlacementRules } from '@/features/houses/ui/use-placement-rules';
import { useBedTexts } from '@/features/houses/ui/use-bed-texts';
import { CommandWait } from '@/features/guests/ui/command-wait';
import { NoneFits } from '@/features/reservations/ui/none-fits';
import { housesToShow } from '@/features/reservations/ui/placement.utils';
import { useMisfitText } from '@/features/reservations/ui/use-fit-texts';
import { PlacementRefusal } from '@/features/reservations/ui/placement-refusal';
import { useGiveBed } from '@/features/reservations/ui/use-give-bed';
import classes from './history.module.css';

interface AssignBedProps {
  guest: Schemas['Guest'];
  site: Schemas['SiteDetails'];
  kind: 'accept' | 'reassign';
  onBack: () => void;
  onPlaced: () => void;
}

/** The vacant beds of a site; pressing one accepts the guest, or moves one who has a bed (spec B section 2). */
export function AssignBed({ guest, site, kind, onBack, onPlaced }: AssignBedProps) {
  const { t } = useTranslation(['history', 'reservations']);
  const texts = useBedTexts();
  const rules = usePlacementRules(site);
  const misfitText = useMisfitText(rules);
  const headings = useId();
  const { give, update, open } = useGiveBed(kind, guest, site);
  const isBusy = open !== undefined || update.isPending;
  // Where the guest belongs comes first.
  const houses = housesToShow(site.rooms, false)
    .map(({ room, beds }) => ({ room, beds, misfits: misfitsOf(room, guest, rules) }))
    .toSorted((a, b) => Math.min(a.misfits.length, 1) - Math.min(b.misfits.length, 1));
  const isRefused = (misfits: readonly string[]) => misfits.length > 0 && rules.breach === 'refused';
  return (
    <Stack gap="md">
      <Button variant="default" leftSection={<ArrowLeft size={18} aria-hidden />} onClick={onBack} w="fit-content">
        {t('back')}
      </Button>
      <Text>{t(kind === 'accept' ? 'chooseAccept' : 'chooseReassign')}</Text>
      <PlacementRefusal error={update.error} guest={guest} site={site} title={t('assignFailed')} />
      <CommandWait state={open?.state} />
      {houses.length === 0 ? <Text c="dimmed">{t('reservations:request.noBeds')}</Text> : null}
      {houses.length > 0 && houses.every(({ misfits }) => misfits.length > 0) ? <NoneFits rules={rules} /> : null}
      {houses.map(({ room, beds, misfits }) => (
        <section key={room.id} aria-labelledby={`${headings}-${room.id}`}>
          <h4 id={`${headings}-${room.id}`} className={classes.house}>
            {room.name}
          </h4>
          <ul className={classes.beds}>
            {beds.map((bed) => (
              <li key={bed.id} className={classes.bed}>
                <BedTile bed={bed} texts={texts} />
                {misfits.length > 0 ? (
                  <Text size="sm" c="var(--berth-pending)" id={`${headings}-${bed.id}`}>
                    {misfitText(misfits)}
                  </Text>
                ) : null}
                <button
                  type="button"
                  className={classes.choose}
                  disabled={isBusy}
                  aria-disabled={isRefused(misfits) || undefined}
                  aria-label={`${bed.name}, ${room.name}, ${texts.type(bed.type)}`}
                  aria-describedby={misfits.length > 0 ? `${headings}-${bed.id}` : undefined}
                  onClick={() => isRefused(misfits) || give({ bed, room }, { onPlaced })}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Stack>
  );
}
