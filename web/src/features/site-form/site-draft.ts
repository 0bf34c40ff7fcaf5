import * as z from 'zod/mini';
import { readDraft, removeDraft, writeDraft } from '@/lib/drafts';
import { readSiteForm, type SiteFormValues } from './site-form.schema';
import type { Step } from './steps.utils';

/** What the wizard keeps over a reload. */
export interface SiteDraft {
  values: SiteFormValues;
  step: Step;
  passed: readonly Step[];
  /** Kept, too: a send that a reload cut off is then still the same send. */
  idempotencyKey: string;
}

const step = z.enum(['about', 'contacts', 'intake', 'houses', 'services']);
const frame = z.object({ step, passed: z.array(step), idempotencyKey: z.uuid(), values: z.unknown() });

/** The draft of one user for one organization. */
export function siteDraft(userId: string, organizationId: string) {
  const key = { userId, form: 'new-site', subjectId: organizationId } as const;
  return {
    /** The draft as it was kept; undefined when there is none, or one of an older form. */
    read(): SiteDraft | undefined {
      const read = frame.safeParse(readDraft(key));
      const values = read.success ? readSiteForm(read.data.values) : undefined;
      return read.success && values ? { ...read.data, values } : undefined;
    },
    write: (draft: SiteDraft) => writeDraft(key, draft),
    remove: () => removeDraft(key),
  };
}
