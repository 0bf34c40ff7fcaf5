import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { can } from '@/access/can';
import { useUser } from '@/access/use-user';
import { ErrorState } from '@/components/error-state';
import { CardsSkeleton } from '@/components/cards-skeleton';
import { useSiteGuests } from '@/features/guests/api/guests-query';
import { siteQuery } from '@/features/sites/api/site-query';
import classes from './board.module.css';
import { BoardView } from './board-view';

interface MoveGuestsBoardProps {
  readonly siteId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** The full-screen bed board of a site (spec B, sections 2 and 4; guide web, section 11). */
export function MoveGuestsBoard({ siteId, opened, onClose }: MoveGuestsBoardProps) {
  const { t } = useTranslation('board');
  const [ownsEscape, setOwnsEscape] = useState(false);
  const { data: site } = useQuery(siteQuery(siteId));
  useFocusBack();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      fullScreen
      radius={0}
      title={
        <>
          {t('title')} <span className={classes.siteName}>{site?.name}</span>
        </>
      }
      closeOnEscape={!ownsEscape}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ content: classes.content, title: classes.title, header: classes.modalHead, body: classes.body }}
    >
      <LoadedBoard siteId={siteId} onOwnEscape={setOwnsEscape} />
    </Modal>
  );
}

/** The kit cannot return the focus of a board that is mounted open: what had it is remembered here. */
function useFocusBack(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      setTimeout(() => {
        const active = document.activeElement;
        if ((!active || active === document.body) && before instanceof HTMLElement) before.focus();
      }, 0);
    };
  }, []);
}

function LoadedBoard({ siteId, onOwnEscape }: { siteId: string; onOwnEscape: (isOwn: boolean) => void }) {
  const user = useUser();
  const site = useQuery(siteQuery(siteId));
  const guests = useSiteGuests(siteId);
  const error = site.error ?? guests.error;
  if (site.data && guests.data) {
    const canMove = can(user, 'guest.reassign', { site: site.data });
    return <BoardView site={site.data} guests={guests.data} canMove={canMove} onOwnEscape={onOwnEscape} />;
  }
  if (error) {
    const retry = () => {
      void site.refetch();
      void guests.refetch();
    };
    return <ErrorState error={error} onRetry={retry} />;
  }
  return <CardsSkeleton cards={12} height={88} />;
}
