/** Where the scheduled job's entries of the audit log come from. Without zod, for the pages. */
export const JOB_ADDRESS = "예약 작업";
