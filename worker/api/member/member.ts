import { Hono } from "hono";
import {
  exportMembersInput,
  listMembersQuery,
  memberEmailInput,
  memberPath,
  memberRoleInput,
  memberIdsInput,
  memberIdsReasonInput,
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
import { type ApiEnv, validateBody, sendData, openContext, validatePath, validateQuery } from "../kernel/http.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";
import { fileResponse } from "../kernel/download.ts";

export const adminMemberApi = new Hono<ApiEnv>()
  .get("/", validateQuery(listMembersQuery), async (c) =>
    sendData(c, await listMembers(c.var.scope, c.req.valid("query"))),
  )
  .post("/block", validateBody(memberIdsReasonInput), async (c) =>
    sendData(c, await blockMembers(await openContext(c), c.req.valid("json"))),
  )
  .post("/unblock", validateBody(memberIdsInput), async (c) =>
    sendData(c, await unblockMembers(await openContext(c), c.req.valid("json"))),
  )
  .post("/approve", validateBody(memberIdsInput), async (c) =>
    sendData(c, await approveMembers(await openContext(c), c.req.valid("json"))),
  )
  .post("/role", recentSecondFactor, validateBody(memberRoleInput), async (c) =>
    sendData(c, await changeMemberRole(await openContext(c), c.req.valid("json"))),
  )
  .post("/end-sessions", validateBody(memberIdsInput), async (c) =>
    sendData(c, await endMemberSessions(await openContext(c), c.req.valid("json"))),
  )
  .post("/export", recentSecondFactor, validateBody(exportMembersInput), async (c) =>
    fileResponse(await exportMembers(await openContext(c), c.req.valid("json"))),
  )
  .post("/mail", validateBody(bulkMailInput), async (c) =>
    sendData(c, await mailMembers(await openContext(c), c.req.valid("json"))),
  )
  .get("/:id", validatePath(memberPath), async (c) =>
    sendData(c, await getMember(await openContext(c), c.req.valid("param").id)),
  )
  .post("/:id/unlock", validatePath(memberPath), validateBody(noInput), async (c) =>
    sendData(c, await unlockSignin(await openContext(c), c.req.valid("param").id)),
  )
  .post("/:id/reset-link", recentSecondFactor, validatePath(memberPath), validateBody(noInput), async (c) =>
    sendData(c, await mailResetLink(await openContext(c), c.req.valid("param").id)),
  )
  .put("/:id/role-grant", recentSecondFactor, validatePath(memberPath), validateBody(grantRoleInput), async (c) =>
    sendData(c, await grantRole(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id/role-grant/:grantId", recentSecondFactor, validatePath(roleGrantPath), async (c) => {
    const { id, grantId } = c.req.valid("param");
    return sendData(c, await endRoleGrant(await openContext(c), id, grantId));
  })
  .patch("/:id/email", recentSecondFactor, validatePath(memberPath), validateBody(memberEmailInput), async (c) =>
    sendData(c, await correctMemberEmail(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  );
