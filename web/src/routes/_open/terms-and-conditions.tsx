import { createFileRoute } from '@tanstack/react-router';
import { LegalPage } from '@/features/legal/components/legal-page';
import { loadTexts } from '@/i18n/i18n';

export const Route = createFileRoute('/_open/terms-and-conditions')({
  loader: () => loadTexts('legal'),
  component: () => <LegalPage document="terms" />,
});
