import { createFileRoute } from '@tanstack/react-router';
import { loadTexts } from '@/i18n/i18n';

export const Route = createFileRoute('/create-password')({
  loader: () => loadTexts('auth'),
});
