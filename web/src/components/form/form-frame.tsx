import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useRequestClose } from '../dialog/dialog-context';
import { lazyNamed } from '../lazy-named';
import { ReasonTooltip } from '../reason-tooltip';
import { Refusal } from '../refusal';
import { SubmitButton } from '../submit-button';
import { HeldForm } from './held-form';
import { WORKS_WHILE_SENT } from './use-held-fields';
import type { SaveForm } from './use-save-form';
import { SaveFormContext } from './use-save-form-context';

/** Few forms meet the change of somebody else, and who does has just had an answer of the server. */
const ConflictNotice = lazyNamed(() => import('./conflict-notice'), 'ConflictNotice');

interface FormFrameProps<Values extends FieldValues> {
  form: SaveForm<Values>;
  /** Accessible name of the form, if the dialog around it has another title. */
  label?: string;
  /** Text of the submit button; "Save" by default. */
  submitLabel?: string;
  /** Why the form cannot be submitted now; shown as a tooltip of the button, which stays focusable. */
  blockedReason?: string | null;
  /** Disables the submit button. */
  isBlocked?: boolean;
  /** Leaves out Cancel, for a form that stays on the screen. */
  withoutCancel?: boolean;
  /** Shown at the start of the button row. */
  aside?: ReactNode;
  /** Replaces the button row. */
  foot?: ReactNode;
  /** Replaces the save, for the steps of a long form. */
  onSubmit?: (() => void) | undefined;
  children: ReactNode;
}

/** The form element with its errors, conflicts and buttons. */
export function FormFrame<Values extends FieldValues>(props: FormFrameProps<Values>) {
  const { form, label, children, foot, blockedReason, onSubmit } = props;
  return (
    <SaveFormContext value={form}>
      <HeldForm
        isSending={form.isSending}
        invalidCount={form.invalidCount}
        aria-label={label}
        onSubmit={(event) => {
          if (!blockedReason && !onSubmit) return void form.submit(event);
          event.preventDefault();
          if (!blockedReason) onSubmit?.();
        }}
      >
        <Stack gap="md">
          {children}
          <Refusal>{form.refusal}</Refusal>
          {form.conflicts.length > 0 ? <ConflictNotice form={form} /> : null}
          {/* Without a box of its own: a row that sticks to the edge of the window would stick in it. */}
          <div {...WORKS_WHILE_SENT} style={{ display: 'contents' }}>
            {foot ?? <Buttons {...props} />}
          </div>
        </Stack>
      </HeldForm>
      {form.leaveQuestion}
    </SaveFormContext>
  );
}

/** Cancel and the submit button; while there are conflicts, their buttons submit. */
function Buttons<Values extends FieldValues>(props: FormFrameProps<Values>) {
  const { form, submitLabel, blockedReason, isBlocked = false, aside, withoutCancel = false } = props;
  const { t } = useTranslation();
  const cancel = useRequestClose();
  return (
    <Group justify={aside ? 'space-between' : 'flex-end'} gap="sm">
      {aside}
      <Group gap="sm">
        {cancel && !withoutCancel ? (
          <Button variant="default" onClick={cancel}>
            {t('action.cancel')}
          </Button>
        ) : null}
        {form.conflicts.length > 0 ? null : (
          <ReasonTooltip reason={blockedReason}>
            <SubmitButton loading={form.isSending || form.isFinished} disabled={isBlocked || form.isUploading}>
              {submitLabel ?? t('action.save')}
            </SubmitButton>
          </ReasonTooltip>
        )}
      </Group>
    </Group>
  );
}
