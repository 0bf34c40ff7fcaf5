import { Button, Menu } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { PopupMenu } from '@/components/popup-menu';
import classes from './house-jump.module.css';

type House = Pick<Schemas['Room'], 'id' | 'name' | 'vacantBedsCount' | 'bedsCount'>;

interface HouseJumpProps {
  rooms: readonly House[];
  /** The id of a house's heading, which can receive the focus and stands in the `section` of the house. */
  headingId: (roomId: string) => string;
  /** The house is about to be shown: it may be folded. */
  onJump?: (roomId: string) => void;
}

/** Leads to a house of a long list; says of each what is vacant there. */
export function HouseJump({ rooms, headingId, onJump }: HouseJumpProps) {
  const { t } = useTranslation('houses');
  const [wanted, setWanted] = useState<string | null>(null);
  // When the menu is gone, so that it takes the focus to no other place.
  const handleGone = () => {
    const heading = wanted && document.getElementById(headingId(wanted));
    setWanted(null);
    if (!heading) return;
    // The heading may be stuck to the edge of the window: the house begins where its section does.
    heading.closest('section')?.scrollIntoView({ block: 'start' });
    heading.focus({ preventScroll: true });
  };
  return (
    <PopupMenu
      position="bottom-start"
      transitionProps={{ duration: 100, onExited: handleGone }}
      withInitialFocusPlaceholder={false}
      returnFocus
    >
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDown size={16} aria-hidden />}>
          {t('tools.jump')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.list}>
        {rooms.map(({ id, name, vacantBedsCount, bedsCount }) => (
          <Menu.Item
            key={id}
            rightSection={
              <span className={classes.vacant}>{t('vacantOf', { vacant: vacantBedsCount, beds: bedsCount })}</span>
            }
            onClick={() => {
              onJump?.(id);
              setWanted(id);
            }}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </PopupMenu>
  );
}
