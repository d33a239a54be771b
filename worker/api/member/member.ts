import * as input from "#worker/contract/member/input.ts";
import { exportMembersInput, listMembersQuery } from "#worker/contract/member/list-input.ts";
import { noInput } from "#worker/contract/kernel/fields.ts";
import { grantRoleInput, roleGrantPath } from "#worker/contract/access/input.ts";
import { unlockSignin } from "#worker/domain/access/password-attempt.server.ts";
import { changeMemberRole, endRoleGrant, grantRole } from "#worker/domain/member/role-grant.server.ts";
import { correctMemberEmail, mailResetLink, renameMember } from "#worker/domain/member/recovery.server.ts";
import * as status from "#worker/domain/member/status.server.ts";
import { exportMembers, listMembers } from "#worker/domain/member/list.server.ts";
import { getMember } from "#worker/domain/member/member.server.ts";
import { apiRoutes, creatingCall, fileCall, readCall, sent, writeCall } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/access.ts";
import * as reminders from "#worker/domain/member/consent-reminder.server.ts";

export const adminMemberApi = apiRoutes()
  .get("/", readCall(listMembers, sent.query(listMembersQuery)))
  .post("/block", recentSecondFactor, writeCall(status.blockMembers, sent.body(input.memberIdsReasonInput)))
  .post("/unblock", writeCall(status.unblockMembers, sent.body(input.memberIdsInput)))
  .post("/approve", writeCall(status.approveMembers, sent.body(input.memberIdsInput)))
  .post("/refuse", recentSecondFactor, writeCall(status.refuseApplicants, sent.body(input.memberIdsReasonInput)))
  .post("/role", recentSecondFactor, writeCall(changeMemberRole, sent.body(input.memberRoleInput)))
  .post("/end-sessions", writeCall(status.endMemberSessions, sent.body(input.memberIdsInput)))
  .post("/export", recentSecondFactor, fileCall(exportMembers, sent.body(exportMembersInput)))
  .get("/:id", writeCall(getMember, sent.id))
  .post("/:id/unlock", writeCall(unlockSignin, sent.id, sent.body(noInput)))
  .post("/:id/reset-link", recentSecondFactor, writeCall(mailResetLink, sent.id, sent.body(noInput)))
  .put("/:id/role-grant", recentSecondFactor, creatingCall(grantRole, sent.id, sent.body(grantRoleInput)))
  .delete(
    "/:id/role-grant/:grantId",
    recentSecondFactor,
    writeCall(endRoleGrant, sent.path(roleGrantPath, "id"), sent.path(roleGrantPath, "grantId")),
  )
  .patch("/:id/email", recentSecondFactor, writeCall(correctMemberEmail, sent.id, sent.body(input.memberEmailInput)))
  .patch("/:id/name", recentSecondFactor, writeCall(renameMember, sent.id, sent.body(input.memberNameInput)));

/** Consents to advertising that the law requires to be confirmed. */
export const adminConsentApi = apiRoutes()
  .get("/due", readCall(reminders.listDueConsents))
  .patch("/setting", writeCall(reminders.updateConsentSetting, sent.body(input.updateConsentReminderInput)))
  .post("/remind", writeCall(reminders.remindConsents, sent.body(noInput)));
