import type { SiteField } from './site-form.schema';

/** The steps of the wizard and the sections of the edit page (spec A section 2). `houses` is shown as Accomodations. */
export type Step = 'about' | 'contacts' | 'intake' | 'houses' | 'services';

/** The fields of each step, in the order of the screen. */
export const FIELDS_OF: Record<Step, readonly SiteField[]> = {
  about: ['name', 'alias', 'description', 'images', 'address', 'placeId', 'isDisabled'],
  contacts: ['contactPhone', 'contactWeb', 'contactEmail', 'adminFirstName', 'adminLastName', 'adminEmail'],
  intake: ['intakePeriods'],
  houses: ['rooms'],
  services: ['serviceIds', 'languageIds', 'screeningPeriod', 'lengthOfStayDaysMax', 'nonCommercialPaymentMethodIds'],
};

const ALL_STEPS = Object.keys(FIELDS_OF) as Step[];

/** The steps of the wizard; commercial sites skip the houses. */
export function stepsOf(isCommercial: boolean): readonly Step[] {
  return isCommercial ? ALL_STEPS.filter((step) => step !== 'houses') : ALL_STEPS;
}

/** The step a field stands on; `rooms.0.name` stands where `rooms` does. */
export function stepOfField(name: string): Step | undefined {
  const field = name.split('.')[0] as SiteField;
  return ALL_STEPS.find((step) => FIELDS_OF[step].includes(field));
}

/** Whether a step may be opened from here: all that came before, and what all steps up to it have passed. */
export function isReachable(steps: readonly Step[], passed: ReadonlySet<Step>, here: Step, target: Step): boolean {
  const [from, to] = [steps.indexOf(here), steps.indexOf(target)];
  if (to <= from) return to >= 0;
  return steps.slice(from + 1, to).every((step) => passed.has(step));
}
