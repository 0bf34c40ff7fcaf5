import { Alert, Button, Group, Stack } from '@mantine/core';
import { type ComponentType, useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { Refusal } from '@/components/refusal';
import { ConfirmDialog } from '@/components/dialog/confirm-dialog';
import { useRequestClose } from '@/components/dialog/dialog-context';
import { HeldForm } from '@/components/form/held-form';
import { WORKS_WHILE_SENT } from '@/components/form/use-held-fields';
import { useUnsavedGuard } from '@/components/form/use-unsaved-guard';
import { lazyNamed } from '@/components/lazy-named';
import { useScrollIntoView } from '@/components/use-scroll-into-view';
import { ReasonTooltip } from '@/components/reason-tooltip';
import { CommandWait } from '@/features/guests/ui/command-wait';
import { steadyPress } from '@/lib/steady-press';
import { useGuestPlace } from '../use-guest-place';
import type { NewGuestValues } from '../new-guest.schema';
import { type AfterAdding, type GuestRecord, type SendGuest, useNewGuest } from '../use-new-guest';
import { NeedsFields } from './needs-fields';
import { NotServedWarning } from './not-served-warning';
import { PaymentFields } from './payment-fields';
import { PersonFields } from './person-fields';
import { ReasonField } from './reason-field';

/** What the form is used for instead of adding a guest. */
export interface OtherUse {
  /** Heading, and words on the button unless it has others. */
  title: string;
  submitLabel?: string;
  /** What to know before the form is filled in. */
  notice?: string | undefined;
  /** Fields that follow the needs of the guest. */
  Fields: ComponentType<{ form: UseFormReturn<NewGuestValues> }>;
  /** What the form is filled in with. */
  record?: GuestRecord | undefined;
  sendGuest: SendGuest;
  /** Says that the guest was not sent, once the form is gone. */
  notSent?: (reason: string) => string;
  /** Says that the outcome is not known yet and the form may be left. */
  leaveWaiting?: string;
  onSent: () => void;
  /** Turns this into the form for a new guest, with all that was typed: a bed is free, nobody has to wait. */
  onNewGuest?: () => void;
}

/**
 * Changes what the form is for, and leads on to what it asks besides, else to the button that sends it: the one that was pressed
 * is gone by then.
 */
function turnForm({ form }: HTMLButtonElement, change: () => void): void {
  flushSync(change);
  const next = form?.querySelector<HTMLElement>('[data-turned-to]') ?? form?.querySelector('button[type="submit"]');
  if (next instanceof HTMLElement) next.focus();
}

/** Few forms meet the change of somebody else. */
const GuestConflict = lazyNamed(() => import('./guest-conflict'), 'GuestConflict');

interface NewGuestFormProps {
  otherUse?: OtherUse | undefined;
  /** Turns this into the form of the waitlist, with all that was typed: no bed is free. */
  onWait?: (() => void) | undefined;
  site: Schemas['SiteDetails'];
  services: Schemas['ServiceGroups'];
  onAdded: (guest: Schemas['Guest'], leadsTo: AfterAdding) => void;
}

/** All fields of spec B section 5 on one page; nothing typed is lost when the server refuses. */
export function NewGuestForm({ site, services, otherUse, onWait, onAdded }: NewGuestFormProps) {
  const cancel = useRequestClose();
  const { t } = useTranslation(['reservations', 'common']);
  const { sendGuest, record, notSent, Fields } = otherUse ?? {};
  const model = useNewGuest({ site, services, sendGuest, record, notSent });
  const { isUnsaved, added } = model;
  const turn = model.isOtherCase ? (otherUse ? otherUse.onNewGuest : onWait) : undefined;
  // All beds are taken or reserved: the form says so before the server does, not after it.
  const isFull = useGuestPlace(site) === 'full' && !otherUse && !turn;
  const offReason = isFull ? t('full') : model.isUploading ? t('form.uploading') : null;
  const waiting = useScrollIntoView<HTMLDivElement>(model.waiting);
  const { setFocus } = model.form;
  const guard = useUnsavedGuard(
    isUnsaved,
    // While the outcome is unknown, do not say that nothing was saved.
    model.isBusy ? { text: otherUse?.leaveWaiting ?? t('form.leaveWaiting') } : {},
  );

  // The fields come after the dialog: they wait for the services.
  useEffect(() => setFocus('firstName'), [setFocus]);
  // Below the guard's own effect: by now it lets the page go.
  useEffect(() => {
    if (added) onAdded(added, model.leadsTo);
    // oxlint-disable-next-line react/exhaustive-deps
  }, [added]);
  useEffect(() => {
    if (model.isDone) otherUse?.onSent();
    // oxlint-disable-next-line react/exhaustive-deps
  }, [model.isDone]);

  return (
    <HeldForm
      isSending={model.isBusy}
      invalidCount={model.invalidCount}
      onSubmit={(event) => void model.submit(event)}
      aria-label={otherUse?.title ?? t('form.title')}
    >
      <Stack gap="lg">
        {isFull ? <Alert color="yellow">{t('noVacantBeds')}</Alert> : null}
        {otherUse?.notice ? (
          <Alert role="status" color="blue">
            {otherUse.notice}
          </Alert>
        ) : null}
        {model.asksReason ? <ReasonField model={model} /> : null}
        <PersonFields model={model} site={site} services={services} />
        <NeedsFields model={model} site={site} services={services} />
        {Fields ? <Fields form={model.form} /> : null}
        <PaymentFields model={model} site={site} services={services} />
        <NotServedWarning model={model} site={site} services={services} />
        <Refusal>
          {turn ? (
            <Group gap="sm">
              {model.refusal}
              <Button
                {...steadyPress}
                variant="default"
                size="sm"
                onClick={(event) =>
                  turnForm(event.currentTarget, () => {
                    model.dismissRefusal();
                    turn();
                  })
                }
              >
                {otherUse ? t('newGuest') : t('waitlist.add.button')}
              </Button>
            </Group>
          ) : (
            model.refusal
          )}
        </Refusal>
        {model.conflicts.length > 0 ? <GuestConflict model={model} site={site} services={services} /> : null}
        <div ref={waiting}>
          <CommandWait state={model.waiting} />
        </div>
        <Group justify="flex-end" gap="sm" {...WORKS_WHILE_SENT}>
          <Button variant="default" onClick={cancel} disabled={model.isBusy && !model.isWaiting}>
            {t('common:action.cancel')}
          </Button>
          {(isFull || model.asksReason) && onWait ? (
            <Button
              {...steadyPress}
              variant={isFull ? 'filled' : 'default'}
              onClick={(event) => turnForm(event.currentTarget, onWait)}
            >
              {t('waitlist.add.button')}
            </Button>
          ) : null}
          {/* No submit button for the browser: Enter in a field adds the guest, as ever. */}
          {model.mayChooseBed ? (
            <ReasonTooltip reason={offReason}>
              <Button
                variant="default"
                loading={model.isBusy && model.leadsTo === 'beds'}
                disabled={model.isBusy && model.leadsTo === 'list'}
                onClick={() => void model.submitAndChoose()}
              >
                {t('form.saveAndChoose')}
              </Button>
            </ReasonTooltip>
          ) : null}
          {model.conflicts.length > 0 ? null : (
            <ReasonTooltip reason={offReason}>
              <Button
                type="submit"
                loading={model.isBusy && model.leadsTo === 'list'}
                disabled={model.isBusy && model.leadsTo === 'beds'}
              >
                {otherUse?.submitLabel ?? otherUse?.title ?? t('form.save')}
              </Button>
            </ReasonTooltip>
          )}
        </Group>
      </Stack>
      <ConfirmDialog
        subject={model.third}
        title={t('form.thirdTitle')}
        confirmLabel={t('form.thirdConfirm')}
        onConfirm={model.sendAnyway}
        onCancel={model.dismissThird}
      >
        {(sentence) => sentence}
      </ConfirmDialog>
      {guard.question}
    </HeldForm>
  );
}
