/** @module-tag full */
import { expect } from "vitest";
import { WRITING_ACTS } from "../../calls/writing-acts.ts";
import { requiredMarks } from "../../support/required-marks.ts";
import { test } from "../fixtures.ts";

type Body = Record<string, unknown>;

/** The body without the field, and with nothing in it. */
const emptied = (body: Body, name: string): Body[] => [
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name)),
  { ...body, [name]: "" },
];

test("each required mark of a form is enforced by its call", async ({ db, actor: { send, given } }) => {
  const marks = requiredMarks();
  const taken: string[] = [];
  let tried = 0;
  for (const [call, prepare] of WRITING_ACTS) {
    await db.exec("DELETE FROM rate_limit");
    const act = await prepare(given);
    const body = act.body instanceof FormData ? {} : ((act.body ?? {}) as Body);
    for (const name of marks.get(call) ?? []) {
      if (!Object.hasOwn(body, name)) continue;
      tried += 1;
      for (const less of emptied(body, name)) {
        const { status } = await send(call, { ...act, body: less });
        if (status !== 400) taken.push(`${call} ${JSON.stringify(less)}: ${status}`);
      }
    }
    const { status, message } = await send(call, act);
    expect([call, status, status === 200 ? "" : message]).toEqual([call, 200, ""]);
  }
  expect(taken).toEqual([]);
  expect(tried).toBeGreaterThan(25);
});
