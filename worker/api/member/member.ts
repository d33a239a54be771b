import {
  exportMembersInput,
  listMembersQuery,
  memberEmailInput,
  memberRoleInput,
  memberIdsInput,
  memberIdsReasonInput,
} from "#worker/contract/member/input.ts";
import { idPath, noInput } from "#worker/contract/kernel/fields.ts";
import { grantRoleInput, roleGrantPath } from "#worker/contract/access/input.ts";
import { unlockSignin } from "#worker/domain/account/password-attempt.server.ts";
import * as members from "#worker/domain/member/change.server.ts";
import * as status from "#worker/domain/member/status.server.ts";
import { exportMembers } from "#worker/domain/member/export.server.ts";
import { getMember, listMembers } from "#worker/domain/member/list.server.ts";
import { mailResetLink } from "#worker/domain/member/reset-link.server.ts";
import { endRoleGrant, grantRole } from "#worker/domain/member/role-grant.server.ts";
import { apiRoutes, scopeCall, contextCall, creatingCall, fromPath, fromQuery, fromBody } from "../kernel/call.ts";
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
  .get("/:id", contextCall(getMember, fromPath(idPath, "id")))
  .post("/:id/unlock", contextCall(unlockSignin, fromPath(idPath, "id"), fromBody(noInput)))
  .post("/:id/reset-link", recentSecondFactor, contextCall(mailResetLink, fromPath(idPath, "id"), fromBody(noInput)))
  .put("/:id/role-grant", recentSecondFactor, creatingCall(grantRole, fromPath(idPath, "id"), fromBody(grantRoleInput)))
  .delete(
    "/:id/role-grant/:grantId",
    recentSecondFactor,
    contextCall(endRoleGrant, fromPath(roleGrantPath, "id"), fromPath(roleGrantPath, "grantId")),
  )
  .patch(
    "/:id/email",
    recentSecondFactor,
    contextCall(members.correctMemberEmail, fromPath(idPath, "id"), fromBody(memberEmailInput)),
  );
