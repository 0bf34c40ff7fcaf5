import { Alert } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { foreignLanguage } from '@/api/problem-words';

/** The refusal under a form; announced when it appears. */
export function FormError({ children }: { children?: string | null }) {
  if (!children) return null;
  return (
    <Alert color="red" role="alert" lang={foreignLanguage(children)} icon={<CircleAlert size={18} aria-hidden />}>
      {children}
    </Alert>
  );
}
