import { Hono } from "hono";
import {
  exportMembersInput,
  listMembersQuery,
  memberEmailInput,
  memberPath,
  memberRoleInput,
  membersInput,
  membersReasonInput,
  bulkMailInput,
} from "#worker/contract/member/input.ts";
import { noInput } from "#worker/contract/kernel/fields.ts";
import { grantRoleInput, roleGrantPath } from "#worker/contract/access/input.ts";
import { mailMembers } from "#worker/domain/member/bulk-mail.server.ts";
import { unlockSignin } from "#worker/domain/account/password-attempt.server.ts";
import {
  approveMembers,
  blockMembers,
  changeMemberRole,
  correctMemberEmail,
  endMemberSessions,
  unblockMembers,
} from "#worker/domain/member/change.server.ts";
import { exportMembers } from "#worker/domain/member/export.server.ts";
import { getMember, listMembers } from "#worker/domain/member/list.server.ts";
import { mailResetLink } from "#worker/domain/member/reset-link.server.ts";
import { endRoleGrant, grantRole } from "#worker/domain/member/role-grant.server.ts";
import { type ApiEnv, body, ok, opened, path, query } from "../kernel/http.ts";
import { download } from "../kernel/download.ts";

export const adminMemberApi = new Hono<ApiEnv>()
  .get("/", query(listMembersQuery), async (c) => ok(c, await listMembers(c.var.door, c.req.valid("query"))))
  .post("/block", body(membersReasonInput), async (c) =>
    ok(c, await blockMembers(await opened(c), c.req.valid("json"))),
  )
  .post("/unblock", body(membersInput), async (c) => ok(c, await unblockMembers(await opened(c), c.req.valid("json"))))
  .post("/approve", body(membersInput), async (c) => ok(c, await approveMembers(await opened(c), c.req.valid("json"))))
  .post("/role", body(memberRoleInput), async (c) =>
    ok(c, await changeMemberRole(await opened(c), c.req.valid("json"))),
  )
  .post("/end-sessions", body(membersInput), async (c) =>
    ok(c, await endMemberSessions(await opened(c), c.req.valid("json"))),
  )
  .post("/export", body(exportMembersInput), async (c) =>
    download(await exportMembers(await opened(c), c.req.valid("json"))),
  )
  .post("/mail", body(bulkMailInput), async (c) => ok(c, await mailMembers(await opened(c), c.req.valid("json"))))
  .get("/:id", path(memberPath), async (c) => ok(c, await getMember(await opened(c), c.req.valid("param").id)))
  .post("/:id/unlock", path(memberPath), body(noInput), async (c) =>
    ok(c, await unlockSignin(await opened(c), c.req.valid("param").id)),
  )
  .post("/:id/reset-link", path(memberPath), body(noInput), async (c) =>
    ok(c, await mailResetLink(await opened(c), c.req.valid("param").id)),
  )
  .put("/:id/role-grant", path(memberPath), body(grantRoleInput), async (c) =>
    ok(c, await grantRole(await opened(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id/role-grant/:grantId", path(roleGrantPath), async (c) => {
    const { id, grantId } = c.req.valid("param");
    return ok(c, await endRoleGrant(await opened(c), id, grantId));
  })
  .patch("/:id/email", path(memberPath), body(memberEmailInput), async (c) =>
    ok(c, await correctMemberEmail(await opened(c), c.req.valid("param").id, c.req.valid("json"))),
  );
