import { expect, test } from "vitest";
import { callJson } from "../../support/api-client.ts";
import { MOVING, undoMove } from "../../support/move.ts";
import { moveSite } from "../../support/moving-site.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { readRows, readValue } from "../../support/test-database.ts";

test("every act on a move is audited", { tags: "full" }, async () => {
  const { accessToken: token, user } = await createAdministratorSession();
  const { id } = await moveSite(token);
  await callJson("POST", `${MOVING}/${id}/issues`, { token, body: { reason: "옮기지 못한 것 확인" } }).catch(
    () => null,
  );
  const moved = await readValue<string>(
    "SELECT group_concat(target_id) FROM (SELECT target_id FROM moved_thing WHERE kind = 'member' ORDER BY target_id)",
  );
  expect(moved?.split(",").length).toBeGreaterThan(1);
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
  const named = await readRows(
    "SELECT action, group_concat(subject_id) AS ids FROM audit_log JOIN (SELECT * FROM audit_person ORDER BY subject_id) ON audit_id = id WHERE action LIKE 'moving.%' GROUP BY id",
  );
  expect(named).toEqual(["moving.start", "moving.undo"].map((action) => ({ action, ids: moved })));
});
