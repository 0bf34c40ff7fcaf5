import { createFileRoute } from '@tanstack/react-router';
import { ContactPage } from '@/features/legal/components/contact-page';
import { loadTexts } from '@/i18n/i18n';

export const Route = createFileRoute('/_open/contact-us')({
  loader: () => loadTexts('faq'),
  component: ContactPage,
});
