import * as input from "#worker/contract/member/input.ts";
import { noInput } from "#worker/contract/kernel/fields.ts";
import { grantRoleInput, roleGrantPath } from "#worker/contract/access/input.ts";
import { unlockSignin } from "#worker/domain/access/password-attempt.server.ts";
import { changeMemberRole } from "#worker/domain/member/change-role.server.ts";
import { correctMemberEmail } from "#worker/domain/member/correct-email.server.ts";
import * as status from "#worker/domain/member/status.server.ts";
import { exportMembers } from "#worker/domain/member/export.server.ts";
import { getMember, listMembers } from "#worker/domain/member/list.server.ts";
import { mailResetLink } from "#worker/domain/member/reset-link.server.ts";
import { endRoleGrant, grantRole } from "#worker/domain/member/role-grant.server.ts";
import { apiRoutes, contextCall, creatingCall, scopeCall, sent } from "../kernel/call.ts";
import { validateBody, openContext } from "../kernel/http.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";
import { fileResponse } from "../kernel/download.ts";

export const adminMemberApi = apiRoutes()
  .get("/", scopeCall(listMembers, sent.query(input.listMembersQuery)))
  .post("/block", recentSecondFactor, contextCall(status.blockMembers, sent.body(input.memberIdsReasonInput)))
  .post("/unblock", contextCall(status.unblockMembers, sent.body(input.memberIdsInput)))
  .post("/approve", contextCall(status.approveMembers, sent.body(input.memberIdsInput)))
  .post("/role", recentSecondFactor, contextCall(changeMemberRole, sent.body(input.memberRoleInput)))
  .post("/end-sessions", contextCall(status.endMemberSessions, sent.body(input.memberIdsInput)))
  .post("/export", recentSecondFactor, validateBody(input.exportMembersInput), async (c) =>
    fileResponse(await exportMembers(await openContext(c), c.req.valid("json"))),
  )
  .get("/:id", contextCall(getMember, sent.id))
  .post("/:id/unlock", contextCall(unlockSignin, sent.id, sent.body(noInput)))
  .post("/:id/reset-link", recentSecondFactor, contextCall(mailResetLink, sent.id, sent.body(noInput)))
  .put("/:id/role-grant", recentSecondFactor, creatingCall(grantRole, sent.id, sent.body(grantRoleInput)))
  .delete(
    "/:id/role-grant/:grantId",
    recentSecondFactor,
    contextCall(endRoleGrant, sent.path(roleGrantPath, "id"), sent.path(roleGrantPath, "grantId")),
  )
  .patch("/:id/email", recentSecondFactor, contextCall(correctMemberEmail, sent.id, sent.body(input.memberEmailInput)));
