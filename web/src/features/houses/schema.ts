import * as z from 'zod/mini';
import { optionalDay } from '@/components/form/day';
import { textKeys } from '@/i18n/text-key';
import { MAX_BEDS, MIN_BEDS } from './houses.utils';

const text = textKeys('houses');
const name = z.string().check(z.trim(), z.minLength(1, text('error.required')));

/** The house dialog. */
export const houseSchema = z.object({ name, imagePath: z.nullable(z.string()), meantFor: z.array(z.string()) });
export type HouseValues = z.infer<typeof houseSchema>;

/** What adding and editing a bed have in common (spec B, section 5). */
const bedSchema = z.object({
  type: z.enum(['Detox', 'Treatment', 'Sober Living']),
  name,
  description: z.string().check(z.trim()),
});

/** A bed that is there already may have a photo. */
export const bedEditSchema = z.extend(bedSchema, { imagePath: z.nullable(z.string()) });
export type BedEditValues = z.infer<typeof bedEditSchema>;

/** Maximum length of the reason for disabling a bed, in characters. */
export const MAX_REASON_CHARS = 200;
/** Longest time from today until a disabled bed is expected back, in days; the server checks it. */
export const MAX_DAYS_AHEAD = 366;
/** A bed out of service needs a reason; that it is being cleaned is one. */
export const disableBedSchema = z
  .object({
    disabledKind: z.enum(['cleaning', 'out-of-service']),
    disabledReason: z.string().check(z.trim()),
    expectedBack: optionalDay,
  })
  .check(
    z.refine(({ disabledKind, disabledReason }) => disabledKind === 'cleaning' || disabledReason !== '', {
      path: ['disabledReason'],
      error: text('error.required'),
    }),
  );

export const newBedsSchema = z.extend(bedSchema, {
  count: z
    .number(text('error.countRange'))
    .check(z.gte(MIN_BEDS, text('error.countRange')), z.lte(MAX_BEDS, text('error.countRange'))),
});
export type NewBedsValues = z.infer<typeof newBedsSchema>;
