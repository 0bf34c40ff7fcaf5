import { createFileRoute } from '@tanstack/react-router';
import { FaqPage } from '@/features/legal/components/faq-page';
import { loadTexts } from '@/i18n/i18n';

export const Route = createFileRoute('/_open/faq')({
  loader: () => loadTexts('faq'),
  component: FaqPage,
});
