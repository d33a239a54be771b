/** What a filter of the audit log takes. */
export const AUDIT_FILTER_LIMITS = { actor: 50, subject: 100, address: 64 } as const;
