import { codeSchema, recoverySchema } from './code.schema';

/** Where the code of the second step comes from. */
export type CodeMethod = 'sms' | 'app' | 'recovery';

/** What a form for each kind of code needs. */
export const METHODS = {
  sms: { schema: codeSchema, label: 'confirm.code', switchTo: 'confirm.useSms', clean: digits },
  app: { schema: codeSchema, label: 'confirm.code', switchTo: 'confirm.useApp', clean: digits },
  recovery: {
    schema: recoverySchema,
    label: 'confirm.recoveryCode',
    switchTo: 'confirm.useRecovery',
    clean: recoveryCode,
  },
} as const;

/** Whatever is pasted around the digits goes: "Your code: 123 456". */
export function digits(text: string): string {
  return text.replace(/\D/g, '').slice(0, 6);
}

/** `ABCD efgh1234` → `abcd-efgh-1234`, as far as it is typed. */
export function recoveryCode(text: string): string {
  const letters = text
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 12);
  return letters.match(/.{1,4}/g)?.join('-') ?? '';
}
