import * as z from 'zod/mini';
import { isPersonalPhone, isPhone } from '@/lib/phone-plan';

/** Messages are keys of the `auth` texts. */
export const phoneSchema = z.object({
  phone: z
    .string()
    .check(
      z.minLength(1, { error: 'setup.phoneRequired', abort: true }),
      z.refine(isPhone, { error: 'phone.incorrect', abort: true }),
      z.refine(isPersonalPhone, 'phone.notPersonal'),
    ),
});
