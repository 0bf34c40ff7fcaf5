import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { fullName } from '@/features/guests/ui/guest-facts.utils';
import { ReasonTooltip } from '@/components/reason-tooltip';
import { steadyPress } from '@/lib/steady-press';
import classes from './request.module.css';
import type { PlacementModel } from './use-placement';

/** Says what the button will do, at the same place whatever the number of beds. */
export function PlacementBar({ guest, placement }: { guest: Schemas['Guest']; placement: PlacementModel }) {
  const { t } = useTranslation(['reservations', 'guests']);
  const { chosen, kind } = placement;
  const isBusy = placement.waiting !== undefined;
  return (
    <div className={classes.bar}>
      <span role="status" className={classes.barText}>
        {chosen
          ? t('request.chosen', {
              guest: fullName(guest),
              place: t('guests:place', { room: chosen.room.name, bed: chosen.bed.name }),
            })
          : t('request.chooseHint')}
      </span>
      <ReasonTooltip reason={chosen || isBusy ? null : t('request.noneChosen')}>
        <Button
          data-shortcut={kind === 'accept' ? 'a' : 'm'}
          onClick={placement.confirm}
          loading={isBusy}
          // The screen closes, and what is behind it lies under the pointer.
          {...steadyPress}
        >
          {kind === 'accept' ? t('request.confirmAccept') : t('request.confirmReassign')}
        </Button>
      </ReasonTooltip>
    </div>
  );
}
