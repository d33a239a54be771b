/** The address of scheduled jobs in the audit log. Free of zod, for the pages. */
export const JOB_ADDRESS = "예약 작업";
