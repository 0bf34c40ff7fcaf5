import { useTranslation } from 'react-i18next';
import { LegalDialog } from '@/components/dialog/legal-dialog';
import { LegalText } from '@/components/legal-text';

interface AgreementDialogProps {
  document: 'terms' | 'agreement';
  title: string;
  subject: boolean;
  onAccept: () => void;
  onDecline: () => void;
}

/** One of the two agreements in a dialog. */
export function AgreementDialog({ document, title, subject, onAccept, onDecline }: AgreementDialogProps) {
  const { t } = useTranslation(['auth', 'common']);
  return (
    <LegalDialog
      subject={subject}
      title={title}
      labels={{
        accept: t('legalDialog.accept'),
        decline: t('legalDialog.decline'),
        close: t('common:action.close'),
        text: t('legalDialog.text', { title }),
        scrollFirst: t('legalDialog.scroll'),
      }}
      onAccept={onAccept}
      onDecline={onDecline}
    >
      <LegalText document={document} />
    </LegalDialog>
  );
}
