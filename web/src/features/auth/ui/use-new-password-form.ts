import { useForm, type UseFormReturn } from 'react-hook-form';
import { zodResolver } from '@/lib/zod-resolver';
import { newPasswordSchema } from './new-password.schema';

interface NewPasswordValues {
  password: string;
  confirmation: string;
}

export type NewPasswordForm = UseFormReturn<NewPasswordValues>;

/** The form of a new password and its confirmation, by the rules of spec A section 5. */
export function useNewPasswordForm(): NewPasswordForm {
  return useForm<NewPasswordValues>({
    resolver: zodResolver(newPasswordSchema),
    mode: 'onTouched',
    defaultValues: { password: '', confirmation: '' },
  });
}
