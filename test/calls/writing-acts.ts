import { JOB_LABELS } from "#worker/contract/operation/operation.ts";
import { ACCOUNT_ACTS } from "./account-acts.ts";
import { BOOK_ACTS, DUE_ACTS } from "./book-acts.ts";
import { DEPOSIT_ACTS } from "./deposit-acts.ts";
import { EVENT_WRITES } from "./event-acts.ts";
import { PROPOSAL_WRITES } from "./proposal-acts.ts";
import { OFFICE_ACTS } from "./office-acts.ts";
import { SITE_ACTS } from "./site-acts.ts";
import { QUESTION_ACTS } from "./question-acts.ts";
import type { Acts, Prepare } from "./writing-act.ts";

/** Every writing call on the demo site; each depends on the state left by earlier ones. */
export const WRITING_ACTS: Acts = [
  ...SITE_ACTS,
  ...BOOK_ACTS,
  ...QUESTION_ACTS,
  ...DUE_ACTS,
  ...DEPOSIT_ACTS,
  ...EVENT_WRITES,
  ...PROPOSAL_WRITES,
  ...OFFICE_ACTS,
  ...ACCOUNT_ACTS,
];

/** Writing calls without an act: they change no page and need an external service. */
export const OUTSIDE_CALLS: Record<string, string> = {
  "POST /api/case-report/token": "asks the host of case reports",
  "POST /api/mail/report": "needs the signature of the mail provider",
  "POST /api/second-factor/passkey": "needs an authenticator",
  "POST /api/second-factor/signin": "needs an authenticator",
};

const job =
  (name: string, due?: string): Prepare =>
  async ({ one }) => {
    if (due) await one(due);
    return { at: [name], body: {} };
  };
/** Runs each job manually; jobs that change pages have work to do. */
export const JOB_ACTS: Acts = Object.keys(JOB_LABELS).map((name) => [
  "POST /api/admin/job/:name/run",
  job(
    name,
    {
      agreements: "UPDATE agreement SET is_announced = 1, effective_date = 1 WHERE is_current = 0 RETURNING code",
      retention: "UPDATE board_item SET deleted_date = 1 WHERE board_code = 'notice' AND item_no = 55 RETURNING id",
    }[name as never],
  ),
]);
