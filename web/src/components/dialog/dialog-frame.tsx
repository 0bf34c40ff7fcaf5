import { Drawer, Modal, type ModalProps } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDialogLevel } from './dialog-stack';
import { type DialogSubject, useDialogSubject } from './dialog-subject';
import { CLOSED, useReturnFocus } from './return-focus';

/** Above the page and below menus and tooltips, which are at 300. */
const BASE_Z_INDEX = 200;

/** Width of a dialog at the side, in pixels; on a phone it is as wide as the window. */
const SIDE_WIDTH = 460;

/** A part of a dialog, written for its subject. */
export type DialogPart<Subject> = ReactNode | ((subject: Subject) => ReactNode);

export interface DialogFrameProps<Subject> extends Pick<
  ModalProps,
  'fullScreen' | 'radius' | 'classNames' | 'withCloseButton' | 'closeOnEscape' | 'closeOnClickOutside'
> {
  /** What the dialog is about; it is closed while there is none. Keep the object the same from render to render. */
  subject: DialogSubject<Subject>;
  title: DialogPart<Subject>;
  /** Stands at the right edge of the window, beside what it is about. */
  atSide?: boolean;
  /** Pixels (spec A section 9): 350 for a question, 600 for a form, 800 for what needs room. */
  width?: 350 | 600 | 800;
  /** Name of the cross; "Close" unless given. */
  closeLabel?: string;
  /** It is open because the address says so: Back closes it by leading to the address before. */
  inAddress?: boolean;
  /** Escape, Back, the cross and a click beside the dialog. */
  onClose: () => void;
  children?: DialogPart<Subject>;
}

interface GuardedFrameProps<Subject> extends DialogFrameProps<Subject> {
  /** Returns true if closing now would ask or be refused. */
  isHeld?: () => boolean;
}

/** The window of every dialog; `Dialog` adds what a form inside needs. */
export function DialogFrame<Subject>(props: GuardedFrameProps<Subject>) {
  const { subject, title, width = 600, atSide = false, closeLabel, onClose, children, ...others } = props;
  const { inAddress = false, isHeld, ...modal } = others;
  const { closeOnEscape = true, closeOnClickOutside = true } = props;
  const { t } = useTranslation();
  const { isOpen, last, opening } = useDialogSubject(subject);
  const level = useDialogLevel(isOpen, {
    onClose: () => {
      if (closeOnEscape) onClose();
    },
    isLeftByBack: () => inAddress && !isHeld?.(),
  });
  useReturnFocus(isOpen);
  const render = (part: DialogPart<Subject>): ReactNode => {
    if (typeof part !== 'function') return part;
    return last === null ? null : part(last);
  };
  const frame = {
    opened: isOpen,
    onClose,
    title: render(title),
    zIndex: BASE_Z_INDEX + level,
    // The topmost dialog alone answers Escape, by `useDialogLevel`.
    closeOnEscape: false,
    closeOnClickOutside: false,
    overlayProps: closeOnClickOutside ? { onClick: onClose } : {},
    returnFocus: false,
    // It may still be fading out.
    [CLOSED]: isOpen ? undefined : true,
    // The kit sends the focus into a dialog a moment after it has appeared, also when it was answered in that moment. What
    // fades out does not take it.
    attributes: { content: { inert: !isOpen } },
    closeButtonProps: { 'aria-label': closeLabel ?? t('action.close') },
  };
  const content = <Fragment key={opening}>{render(children)}</Fragment>;
  if (atSide) {
    return (
      <Drawer {...frame} position="right" size={SIDE_WIDTH}>
        {content}
      </Drawer>
    );
  }
  return (
    <Modal {...modal} {...frame} size={width}>
      {content}
    </Modal>
  );
}
