/** Keys of organization queries. */
export const organizationKeys = {
  all: ['organizations'] as const,
  list: (type: string) => ['organizations', 'list', type] as const,
  one: (organizationId: string) => ['organizations', organizationId] as const,
};
