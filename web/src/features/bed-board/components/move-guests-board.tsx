import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { can } from '@/access/can';
import { useUser } from '@/access/use-user';
import { ErrorState } from '@/components/error-state';
import { CardsSkeleton } from '@/components/cards-skeleton';
import { Dialog } from '@/components/dialog/dialog';
import { useSiteGuests } from '@/features/guests/api/use-site-guests';
import { siteQuery } from '@/features/sites/api/site-query';
import classes from './board.module.css';
import { BoardView } from './board-view';

interface MoveGuestsBoardProps {
  /** The site; none while the board is closed. */
  readonly subject: string | null;
  readonly onClose: () => void;
}

/** The full-screen bed board of a site (spec B, sections 2 and 4; guide web, section 11). */
export function MoveGuestsBoard({ subject, onClose }: MoveGuestsBoardProps) {
  const { t } = useTranslation('board');
  const [ownsEscape, setOwnsEscape] = useState(false);
  return (
    <Dialog
      inAddress
      subject={subject}
      fullScreen
      radius={0}
      title={titleOf}
      closeOnEscape={!ownsEscape}
      closeLabel={t('close')}
      classNames={{ content: classes.content, title: classes.title, header: classes.modalHead, body: classes.body }}
      onClose={onClose}
    >
      {(siteId) => <LoadedBoard siteId={siteId} onOwnEscape={setOwnsEscape} />}
    </Dialog>
  );
}

const titleOf = (siteId: string) => <BoardTitle siteId={siteId} />;

function BoardTitle({ siteId }: { siteId: string }) {
  const { t } = useTranslation('board');
  const { data: site } = useQuery(siteQuery(siteId));
  return (
    <span>
      {t('title')} <span className={classes.siteName}>{site?.name}</span>
    </span>
  );
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
