import {
  exportMembersInput,
  listMembersQuery,
  memberEmailInput,
  memberRoleInput,
  memberIdsInput,
  memberIdsReasonInput,
} from "#worker/contract/member/input.ts";
import { noInput } from "#worker/contract/kernel/fields.ts";
import { grantRoleInput, roleGrantPath } from "#worker/contract/access/input.ts";
import { unlockSignin } from "#worker/domain/account/password-attempt.server.ts";
import * as members from "#worker/domain/member/change.server.ts";
import * as status from "#worker/domain/member/status.server.ts";
import { exportMembers } from "#worker/domain/member/export.server.ts";
import { getMember, listMembers } from "#worker/domain/member/list.server.ts";
import { mailResetLink } from "#worker/domain/member/reset-link.server.ts";
import { endRoleGrant, grantRole } from "#worker/domain/member/role-grant.server.ts";
import {
  apiRoutes,
  contextCall,
  creatingCall,
  fromBody,
  fromPath,
  fromQuery,
  pathId,
  scopeCall,
} from "../kernel/call.ts";
import { validateBody, openContext } from "../kernel/http.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";
import { fileResponse } from "../kernel/download.ts";

export const adminMemberApi = apiRoutes()
  .get("/", scopeCall(listMembers, fromQuery(listMembersQuery)))
  .post("/block", contextCall(status.blockMembers, fromBody(memberIdsReasonInput)))
  .post("/unblock", contextCall(status.unblockMembers, fromBody(memberIdsInput)))
  .post("/approve", contextCall(status.approveMembers, fromBody(memberIdsInput)))
  .post("/role", recentSecondFactor, contextCall(members.changeMemberRole, fromBody(memberRoleInput)))
  .post("/end-sessions", contextCall(status.endMemberSessions, fromBody(memberIdsInput)))
  .post("/export", recentSecondFactor, validateBody(exportMembersInput), async (c) =>
    fileResponse(await exportMembers(await openContext(c), c.req.valid("json"))),
  )
  .get("/:id", contextCall(getMember, pathId))
  .post("/:id/unlock", contextCall(unlockSignin, pathId, fromBody(noInput)))
  .post("/:id/reset-link", recentSecondFactor, contextCall(mailResetLink, pathId, fromBody(noInput)))
  .put("/:id/role-grant", recentSecondFactor, creatingCall(grantRole, pathId, fromBody(grantRoleInput)))
  .delete(
    "/:id/role-grant/:grantId",
    recentSecondFactor,
    contextCall(endRoleGrant, fromPath(roleGrantPath, "id"), fromPath(roleGrantPath, "grantId")),
  )
  .patch("/:id/email", recentSecondFactor, contextCall(members.correctMemberEmail, pathId, fromBody(memberEmailInput)));
