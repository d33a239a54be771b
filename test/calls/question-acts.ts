import { createHash } from "node:crypto";
import { type Acts, type Given, person, reason, versionOf } from "./writing-act.ts";

/** Token of a letter with a question; the database stores only its hash. */
const QUESTION_LINK = "C".repeat(43);
async function askQuestion(given: Given): Promise<string> {
  const ids = [await person(given, { email: "questioned@pid.example.kr" })];
  const { id } = await given.send("PUT /api/admin/mailing", { body: { source: "alumni", target: { ids } } });
  const question = { text: "총회에 오십니까?", answers: ["참석", "불참"], endDay: "" };
  const letter = { kind: "informational", subject: "총회", text: "총회를 엽니다.", version: 1, question };
  await given.send("PATCH /api/admin/mailing/:id", { at: [id], body: letter });
  const { count } = await given.send("POST /api/admin/mailing/:id/preview", { at: [id], body: {} });
  await given.send("POST /api/admin/mailing/:id/send", { at: [id], body: { version: 2, count, reason } });
  await given.send("POST /api/admin/job/:name/run", { at: ["mailings"], body: {} });
  await given.one(
    "UPDATE mailing_recipient SET link_hash = ? WHERE mailing_id = ? RETURNING state",
    createHash("sha256").update(QUESTION_LINK).digest("base64url"),
    id,
  );
  return id;
}
const asked = ({ one }: Given) => one<string>("SELECT id FROM mailing WHERE question IS NOT NULL");

export const QUESTION_ACTS: Acts = [
  [
    "POST /api/mailing-answer/:token/:answer",
    async (given) => {
      await askQuestion(given);
      return { at: [QUESTION_LINK, "2"], body: {}, who: null };
    },
  ],
  ["POST /api/admin/mailing/:id/question/export", async (given) => ({ at: [await asked(given)], body: { reason } })],
  [
    "PUT /api/admin/mailing/:id/question/reminder",
    async (given) => ({
      at: [await asked(given)],
      body: { version: await versionOf(given, "mailing", "question IS NOT NULL") },
    }),
  ],
  [
    "POST /api/admin/mailing/:id/question/close",
    async (given) => ({
      at: [await asked(given)],
      body: { version: await versionOf(given, "mailing", "question IS NOT NULL") },
    }),
  ],
];
