import { CloseButton, Loader, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { ErrorState } from '@/components/error-state';
import { sitesQuery } from '@/features/sites/api/sites-query';
import { organizationTypeFor } from '@/lib/organization-types';
import { fold } from '@/lib/text';
import { MAX_FOUND, MAX_SEARCH_CHARS, MIN_SEARCH_CHARS, SEARCH_KEY, searchQuery } from '../api/search-query';
import {
  type CommandKind,
  commandOf,
  groupsOf,
  itemId,
  type PageLink,
  type PaletteItem,
  placesGuests,
} from '../palette.utils';
import classes from './palette.module.css';
import { PaletteOption } from './palette-option';

/** Delay between the last key and the search, in milliseconds. */
const DEBOUNCE_MS = 180;

interface PaletteProps {
  /** The screens of the sidebar. */
  pages: readonly PageLink[];
  /** What was typed before the field had the focus. */
  typedAhead?: string;
  onClose: () => void;
}

/** The field and the results of the search over everything the user may see. What was found is forgotten with it. */
export function Palette({ pages, typedAhead = '', onClose }: PaletteProps) {
  const { t } = useTranslation(['search', 'common']);
  const ids = useId();
  const user = useUser();
  const [text, setText] = useState(typedAhead);
  const [takenAhead, setTakenAhead] = useState(typedAhead);
  if (takenAhead !== typedAhead) {
    setTakenAhead(typedAhead);
    setText(typedAhead);
  }
  const names = useCommandNames();
  const command = commandOf(text, names);
  const found = useFound(command ? command.rest : text);
  const sites = useQuery({ ...sitesQuery(), enabled: !user.isGlobal && command?.rest === '' });
  const groups = groupsOf({ text, command, found: found.data, names, pages, sites: sites.data ?? [], user });
  const items = groups.flatMap((group) => group.items);
  const [activeId, setActiveId] = useState<string>();
  const active = items.find((item) => itemId(item) === activeId) ?? items[0];
  const choose = useChoose(onClose, (kind) => setText(`${names[kind]} `));
  const handleChoice = useChoiceOfCurrent(found.isCurrent, active, choose);

  const type = (typed: string) => {
    setText(typed);
    setActiveId(undefined);
    handleChoice.forget();
  };
  const move = (by: number) => {
    const index = items.findIndex((item) => item === active);
    const next = items[(index + by + items.length) % items.length];
    if (next) setActiveId(itemId(next));
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const act = actionOf(event, { move, choose: handleChoice.now, close: onClose });
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  const optionId = (item: PaletteItem) => `${ids}-${itemId(item)}`;
  useInSight(active && optionId(active));

  return (
    <div className={classes.palette}>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={t('field')}
        aria-expanded
        aria-autocomplete="list"
        aria-controls={`${ids}-list`}
        aria-activedescendant={active && optionId(active)}
        placeholder={t('field')}
        value={text}
        maxLength={MAX_SEARCH_CHARS}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="search"
        enterKeyHint="go"
        leftSection={<Search size={18} aria-hidden />}
        rightSection={
          found.isLoading ? (
            <Loader size={16} aria-hidden />
          ) : text === '' ? null : (
            <CloseButton size="sm" aria-label={t('common:search.clear')} onClick={() => type('')} tabIndex={-1} />
          )
        }
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={handleKeyDown}
      />
      <div className={classes.results}>
        {found.error ? <ErrorState error={found.error} onRetry={found.retry} /> : null}
        <div id={`${ids}-list`} role="listbox" aria-label={t('results')}>
          {groups.map(({ key, items: lines }) => (
            <div key={key} role="group" aria-labelledby={`${ids}-${key}`}>
              <div id={`${ids}-${key}`} className={classes.heading}>
                {t(`group.${key}`)}
              </div>
              {lines.map((item) => (
                <PaletteOption
                  key={itemId(item)}
                  id={optionId(item)}
                  item={item}
                  typed={command ? command.rest : text}
                  isActive={item === active}
                  onActivate={() => setActiveId(itemId(item))}
                  onChoose={() => choose(item)}
                />
              ))}
            </div>
          ))}
        </div>
        {found.error ? null : (
          <Hint
            // A command without a text after it has searched for nothing yet.
            isNothing={items.length === 0 && found.isCurrent && command?.rest !== ''}
            command={command?.kind}
            isCut={found.isCut}
          />
        )}
      </div>
      <VisuallyHidden role="status">
        {found.isAsked && found.isCurrent && !found.error ? (
          <>
            {t('found', { count: items.length })}
            {found.isCut ? ` ${t('hint.cut', { count: MAX_FOUND })}` : null}
          </>
        ) : null}
      </VisuallyHidden>
    </div>
  );
}

interface Keys {
  move: (by: number) => void;
  choose: () => void;
  close: () => void;
}

/** What a key does in the field. */
function actionOf({ key, ctrlKey, metaKey }: KeyboardEvent, { move, choose, close }: Keys): (() => void) | undefined {
  if (key === 'ArrowDown') return () => move(1);
  if (key === 'ArrowUp') return () => move(-1);
  if (key === 'Enter') return choose;
  // The shortcut that opened it closes it, and never reaches the browser.
  if (key === 'Escape' || ((ctrlKey || metaKey) && key.toLowerCase() === 'k')) return close;
  return undefined;
}

interface HintProps {
  isNothing: boolean;
  command: CommandKind | undefined;
  /** Whether there may be more than what is shown. */
  isCut: boolean;
}

/** The lines below the results: what can be searched, that nothing was found, or that there may be more. */
function Hint({ isNothing, command, isCut }: HintProps) {
  const { t } = useTranslation('search');
  const user = useUser();
  const what = placesGuests(user) ? t('hint.all') : t('hint.staff');
  return (
    <div className={classes.hint}>
      {isNothing ? <p className={classes.nothing}>{command ? t(`nothingFor.${command}`) : t('nothing')}</p> : null}
      {isCut ? <p>{t('hint.cut', { count: MAX_FOUND })}</p> : null}
      <p>{command && !isNothing ? t(`hint.${command}`) : what}</p>
    </div>
  );
}

function useCommandNames(): Record<CommandKind, string> {
  const { t } = useTranslation('search');
  return useMemo(
    () => ({ accept: t('command.accept'), newGuest: t('command.newGuest'), moveGuests: t('command.moveGuests') }),
    [t],
  );
}

/** What the server finds, a moment after the last key. Forgotten when the search closes. */
function useFound(text: string) {
  const queryClient = useQueryClient();
  const wanted = text.trim();
  const isAsked = fold(wanted).length >= MIN_SEARCH_CHARS;
  const [settled] = useDebouncedValue(isAsked ? wanted : '', isAsked ? DEBOUNCE_MS : 0);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(searchQuery(settled));
  useEffect(
    () => () => {
      void queryClient.cancelQueries({ queryKey: SEARCH_KEY });
      queryClient.removeQueries({ queryKey: SEARCH_KEY });
    },
    [queryClient],
  );
  const isCurrent = !isAsked || (settled === wanted && !isPlaceholderData && (data !== undefined || error !== null));
  return {
    data: isAsked ? data : undefined,
    error: isAsked ? error : null,
    isAsked,
    /** Whether the server may know more than it has told. */
    isCut: isAsked && data !== undefined && Object.values(data).some((kind) => kind.length >= MAX_FOUND),
    /** Whether the results are those of the text in the field. */
    isCurrent,
    isLoading: isAsked && (isFetching || !isCurrent),
    retry: () => void refetch(),
  };
}

/** Enter chooses the best line of the text in the field: pressed before that is known, it waits for it. */
function useChoiceOfCurrent(isCurrent: boolean, active: PaletteItem | undefined, choose: (item: PaletteItem) => void) {
  const isWaiting = useRef(false);
  useEffect(() => {
    if (!isWaiting.current || !isCurrent) return;
    isWaiting.current = false;
    if (active) choose(active);
  });
  return {
    now: () => {
      if (!isCurrent) isWaiting.current = true;
      else if (active) choose(active);
    },
    forget: () => {
      isWaiting.current = false;
    },
  };
}

/** Keeps the chosen line in sight while the arrow keys move it. */
function useInSight(id: string | undefined): void {
  useEffect(() => {
    if (id) document.getElementById(id)?.scrollIntoView({ block: 'nearest' });
  }, [id]);
}

/** Goes where a line leads. */
function useChoose(onClose: () => void, onCommand: (kind: CommandKind) => void): (item: PaletteItem) => void {
  const navigate = useNavigate();
  const { isGlobal } = useUser();
  const open = (item: Exclude<PaletteItem, { kind: 'command' }>) => {
    switch (item.kind) {
      case 'guest': {
        const { id: guestId, siteId } = item.guest;
        return navigate({ to: '/reservations/guest/$siteId/$guestId', params: { siteId, guestId } });
      }
      case 'accept':
        return navigate({ to: '/reservations-request/$guestId', params: { guestId: item.guest.id } });
      case 'waiting':
        return navigate({ to: '/waitlist/$siteId', params: { siteId: item.person.siteId } });
      case 'newGuest':
      case 'moveGuests': {
        const what = item.kind === 'newGuest' ? 'new-guest' : 'board';
        return navigate({ to: '/reservations/$siteId', params: { siteId: item.site.id }, search: { open: what } });
      }
      case 'site': {
        const { id: siteId, organizationId, isCommercial } = item.site;
        const organizationType = organizationTypeFor(isGlobal, isCommercial);
        return navigate({
          to: '/$organizationType/$organizationId/$siteId',
          params: { organizationType, organizationId, siteId },
        });
      }
      case 'organization': {
        const { id: organizationId, isCommercial } = item.organization;
        const organizationType = organizationTypeFor(isGlobal, isCommercial);
        return navigate({ to: '/$organizationType/$organizationId', params: { organizationType, organizationId } });
      }
      case 'user':
        return openUser(item.user);
      case 'page':
        return navigate({ to: item.page.path });
    }
  };
  /** Leads to the list in which the person's access is managed. */
  const openUser = ({ siteId, organizationId }: Extract<PaletteItem, { kind: 'user' }>['user']) => {
    if (siteId) return navigate({ to: '/user-management/$siteId', params: { siteId } });
    if (!organizationId) return navigate({ to: '/dashboard' });
    // The other kind leads on to this organization, too.
    const organizationType = organizationTypeFor(isGlobal, true);
    return navigate({ to: '/$organizationType/$organizationId', params: { organizationType, organizationId } });
  };
  return (item) => {
    if (item.kind === 'command') {
      onCommand(item.command);
      return;
    }
    onClose();
    void open(item);
  };
}
