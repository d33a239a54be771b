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
import { apiRoutes, writeCall, creatingCall, readCall, sent } from "../kernel/call.ts";
import { validateBody, openContext } from "../kernel/http.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";
import { fileResponse } from "../kernel/download.ts";

export const adminMemberApi = apiRoutes()
  .get("/", readCall(listMembers, sent.query(input.listMembersQuery)))
  .post("/block", recentSecondFactor, writeCall(status.blockMembers, sent.body(input.memberIdsReasonInput)))
  .post("/unblock", writeCall(status.unblockMembers, sent.body(input.memberIdsInput)))
  .post("/approve", writeCall(status.approveMembers, sent.body(input.memberIdsInput)))
  .post("/role", recentSecondFactor, writeCall(changeMemberRole, sent.body(input.memberRoleInput)))
  .post("/end-sessions", writeCall(status.endMemberSessions, sent.body(input.memberIdsInput)))
  .post("/export", recentSecondFactor, validateBody(input.exportMembersInput), async (c) =>
    fileResponse(await exportMembers(await openContext(c), c.req.valid("json"))),
  )
  .get("/:id", writeCall(getMember, sent.id))
  .post("/:id/unlock", writeCall(unlockSignin, sent.id, sent.body(noInput)))
  .post("/:id/reset-link", recentSecondFactor, writeCall(mailResetLink, sent.id, sent.body(noInput)))
  .put("/:id/role-grant", recentSecondFactor, creatingCall(grantRole, sent.id, sent.body(grantRoleInput)))
  .delete(
    "/:id/role-grant/:grantId",
    recentSecondFactor,
    writeCall(endRoleGrant, sent.path(roleGrantPath, "id"), sent.path(roleGrantPath, "grantId")),
  )
  .patch("/:id/email", recentSecondFactor, writeCall(correctMemberEmail, sent.id, sent.body(input.memberEmailInput)));
