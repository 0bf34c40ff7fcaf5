import { Menu } from '@mantine/core';
import { memo, type Ref, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ClosedByBack } from '@/components/dialog/dialog-stack';
import type { Bed, BedAction } from '../houses.utils';
import { enableLabelKey } from '../ui/bed-tile.utils';
import classes from './houses.module.css';

interface BedMenuProps {
  readonly bed: Bed;
  readonly canEdit: boolean;
  readonly onBed: (bed: Bed, action: BedAction) => void;
}

/** The actions of one bed. Until it is pressed it is one plain button: a house may have many beds. */
export const BedMenu = memo(function BedMenu({ bed, canEdit, onBed }: BedMenuProps) {
  const [isUsed, setIsUsed] = useState(false);
  const [isOpened, setIsOpened] = useState(false);
  const { t } = useTranslation('houses');
  const buttonId = useId();
  const label = t('bedMenu.label', { bed: bed.name, house: bed.room.name });
  const button = (
    <button
      id={buttonId}
      type="button"
      className={classes.bedMenu}
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={isOpened}
      data-bed-menu={bed.id}
      onClick={() => {
        setIsUsed(true);
        setIsOpened((was) => !was);
      }}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="3.5" r="1.3" />
        <circle cx="8" cy="8" r="1.3" />
        <circle cx="8" cy="12.5" r="1.3" />
      </svg>
    </button>
  );
  return (
    <span className={classes.bedMenuBox}>
      {button}
      {isUsed && (
        <Menu
          opened={isOpened}
          onChange={setIsOpened}
          position="bottom-end"
          shadow="md"
          transitionProps={{ duration: 100 }}
          withInitialFocusPlaceholder={false}
        >
          <Menu.Target>
            <Anchor />
          </Menu.Target>
          <Menu.Dropdown aria-labelledby={buttonId}>
            {bed.guest && <Menu.Item onClick={() => onBed(bed, 'guest')}>{t('bedMenu.guest')}</Menu.Item>}
            {canEdit && (
              <>
                <Menu.Item onClick={() => onBed(bed, 'edit')}>{t('bedMenu.edit')}</Menu.Item>
                {bed.disabled ? (
                  <>
                    <Menu.Item onClick={() => onBed(bed, 'enable')}>{t(enableLabelKey(bed))}</Menu.Item>
                    <Menu.Item onClick={() => onBed(bed, 'disable')}>{t('bedMenu.outage')}</Menu.Item>
                  </>
                ) : (
                  <Menu.Item onClick={() => onBed(bed, 'disable')}>{t('bedMenu.disable')}</Menu.Item>
                )}
              </>
            )}
            <Menu.Item onClick={() => onBed(bed, 'history')}>{t('bedMenu.history')}</Menu.Item>
            {canEdit && (
              <Menu.Item c="var(--mantine-color-error)" onClick={() => onBed(bed, 'remove')}>
                {t('bedMenu.remove')}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {isOpened && <ClosedByBack onBack={() => setIsOpened(false)} />}
    </span>
  );
});

/** Where the menu hangs. It leaves out the kit's ARIA properties: the plain button carries them. */
function Anchor({ ref }: { readonly ref?: Ref<HTMLSpanElement> }) {
  return <span ref={ref} className={classes.bedMenuAnchor} />;
}
