/** The payment options of non-commercial sites, by their codes (spec A section 3). */
export const PAYMENT_OPTIONS = ['pp', 'ss', 'sch', 'ins', 'moc', 'mla', 'msd'] as const;
