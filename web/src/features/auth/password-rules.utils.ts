/** The rules for a new password that can be judged here; spec A section 5. The server judges all of them. */
export const PASSWORD_RULES = [
  'minimum',
  'maximum',
  'uppercase',
  'lowercase',
  'digit',
  'special',
  'repeated',
  'phrase',
] as const;

export type PasswordRule = (typeof PASSWORD_RULES)[number];

const PHRASES = ['password', '123456', 'qwerty', 'letmein', 'welcome', 'admin'];

const CHECKS: Record<PasswordRule, (password: string) => boolean> = {
  minimum: (password) => Array.from(password).length >= 12,
  maximum: (password) => Array.from(password).length <= 128,
  uppercase: (password) => /\p{Lu}/u.test(password),
  lowercase: (password) => /\p{Ll}/u.test(password),
  digit: (password) => /[0-9]/.test(password),
  special: (password) => /[^\p{L}\p{N}]/u.test(password),
  repeated: (password) => !/(.)\1\1/su.test(password),
  phrase: (password) => !PHRASES.some((phrase) => password.toLowerCase().includes(phrase)),
};

/** Whether the password keeps the rule. An empty one keeps none. */
export function keepsRule(password: string, rule: PasswordRule): boolean {
  return password !== '' && CHECKS[rule](password);
}

/** The first rule the password breaks, or undefined. */
export function brokenRule(password: string): PasswordRule | undefined {
  return PASSWORD_RULES.find((rule) => !keepsRule(password, rule));
}
