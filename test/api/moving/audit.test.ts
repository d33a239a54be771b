import { expect, test } from "vitest";
import { callJson } from "../../support/api-client.ts";
import { MOVING, undoMove } from "../../support/move.ts";
import { moveSite } from "../../support/moving-site.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { readRows } from "../../support/test-database.ts";

test("opening, starting, listing, undoing and cancelling a move are audited", async () => {
  const { accessToken: token, user } = await createAdministratorSession();
  const { id } = await moveSite(token);
  await callJson("POST", `${MOVING}/${id}/issues`, { token, body: { reason: "옮기지 못한 것 확인" } }).catch(
    () => null,
  );
  await undoMove(token, id);
  const other = await callJson("PUT", MOVING, { token, body: { site: "다른 누리집" } });
  expect((await callJson("POST", `${MOVING}/${other.data.id}/cancel`, { token, body: {} })).code).toBe("SUCCESS");
  const rows = await readRows("SELECT actor_user_id, action FROM audit_log WHERE action LIKE 'moving.%' ORDER BY id");
  expect(rows.map(({ action }) => action)).toEqual([
    "moving.open",
    "moving.start",
    "moving.issues",
    "moving.undo",
    "moving.open",
    "moving.cancel",
  ]);
  expect(rows.every((row) => row.actor_user_id === user.id)).toBe(true);
});
