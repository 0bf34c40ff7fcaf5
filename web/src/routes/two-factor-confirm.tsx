import { createFileRoute } from '@tanstack/react-router';
import { loadTexts } from '@/i18n/i18n';

export const Route = createFileRoute('/two-factor-confirm')({
  loader: () => loadTexts('auth'),
});
