import type { Actor, AppContext, SignedInActor } from "./context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import {
  type BoardAction,
  boardPermission,
  centerPermission,
  cohortOfPermission,
  cohortPermission,
  hasPermission,
  includesPermission,
  SITE_PERMISSION_NAMES,
  type SitePermission,
  type UserType,
} from "#worker/contract/kernel/permissions.ts";
import type { FieldOf } from "#worker/contract/kernel/row.ts";
import { sectionRule, type SettingSection } from "#worker/contract/kernel/setting/setting-sections.ts";
import { secondFactorError } from "#worker/contract/kernel/second-factor.ts";
import type { board, boardItem } from "#db/schema/board.ts";
import type { proposal, proposalReview } from "#db/schema/proposal.ts";

export interface BoardResource {
  boardCode: string;
  isClosed: boolean;
}
export interface ItemResource {
  board: BoardResource;
  createdUserId: string;
  isSecret: boolean;
  createdDate: Date;
  deletedDate: Date | null;
}

/** A proposal as it concerns the caller (`proposal-facts.server.ts`). */
export interface ProposalResource {
  userId: string;
  status: (typeof proposal.$inferSelect)["status"];
  /** A co-applicant. */
  isNamed: boolean;
  /** Named, recused, or of the same affiliation as an applicant. */
  hasConflict: boolean;
  /** The caller's own review of the last round. */
  review: (typeof proposalReview.$inferSelect)["status"] | null;
}

export type AccessQuestion =
  | { action: SitePermission }
  | { action: `Board.${BoardAction}`; board: BoardResource }
  | {
      action: "Item.Know" | "Item.Read" | "Item.Download" | "Item.Comment" | "Item.Change";
      item: ItemResource;
      now: Date;
    }
  | {
      action: "Comment.Read" | "Comment.Change";
      comment: { createdUserId: string; deletedDate: Date | null };
      item: ItemResource;
      now: Date;
    }
  | { action: "User.Read" | "User.Change" | "User.Self"; userId: string }
  | { action: "Alumni.ReadPrivate" | "Alumni.Change"; ownerUserId: string | null }
  | { action: "Alumni.Represent"; cohort: number | "any" }
  | { action: "Upload.Use"; ownerUserId: string }
  | { action: "Inquiry.Read"; ownerUserId: string }
  | {
      action: `Proposal.${"Change" | "Read" | "Answer" | "Score" | "Papers" | "Know" | "Manage" | "Decide"}`;
      proposal: ProposalResource;
    }
  | { action: "Center.Manage"; regionCode: string }
  | { action: "Picture.Store" }
  | { action: "Site.Export" }
  /** A new value of a setting's field. */
  | { action: "Field.Change"; field: Pick<FieldOf<"number">, "label" | "right" | "floor">; value: unknown }
  | { action: "Account.Administer"; account: { userType: UserType; codes: readonly string[] } }
  /** Every way to grant or revoke permissions: role, grant, guest role, board or settings file. */
  | { action: "Permission.Grant"; codes: readonly string[] };

export interface AccessDecision {
  allowed: boolean;
  rule: string;
}

const WRITE_PERMISSION = /^(?:ADMIN_Access|Board_.+_(?:Write|Manage)|Center_[a-z]+_Manage)$/;
const allow = (rule: string): AccessDecision => ({ allowed: true, rule });
const deny = (rule: string): AccessDecision => ({ allowed: false, rule });
const decideByCode = (allowed: boolean, code: string): AccessDecision => ({ allowed, rule: `permission ${code}` });

/** The only place that decides permissions, for every page, call, file, feed and search hit. */
export function decideAccess(actor: Actor, question: AccessQuestion): AccessDecision {
  switch (question.action) {
    case "Board.List":
    case "Board.View":
    case "Board.Write":
    case "Board.Comment":
    case "Board.Download":
    case "Board.Manage":
      return decideBoard(actor, question.action.slice(6) as BoardAction, question.board);
    case "Item.Know":
    case "Item.Read":
    case "Item.Download":
    case "Item.Comment":
    case "Item.Change":
      return decideItem(actor, question.action, question.item, question.now);
    case "Comment.Read":
    case "Comment.Change": {
      const read = decideItem(actor, "Item.Read", question.item, question.now);
      if (!read.allowed) return read;
      if (question.comment.deletedDate) return deny("comment is deleted");
      if (question.action === "Comment.Read") return read;
      return decideOwnEntry(actor, question.comment.createdUserId, question.item.board);
    }
    case "User.Read":
    case "User.Change":
      if (isSelf(actor, question.userId)) return allow("own account");
      return decideByCode(hasPermission(actor.permissions, "ADMIN_Access"), "ADMIN_Access");
    case "Alumni.ReadPrivate":
    case "Alumni.Change":
      if (question.ownerUserId !== null && isSelf(actor, question.ownerUserId))
        return decideByCode(hasPermission(actor.permissions, "Alumni_Read"), "Alumni_Read");
      return decideByCode(hasPermission(actor.permissions, "Alumni_Write"), "Alumni_Write");
    case "Alumni.Represent":
      return decideCohort(actor, question.cohort);
    case "User.Self":
      return isSelf(actor, question.userId) ? allow("own account") : deny("account of another person");
    case "Upload.Use":
      return isSelf(actor, question.ownerUserId) ? allow("own upload") : deny("upload of another person");
    case "Inquiry.Read":
      if (isSelf(actor, question.ownerUserId)) return allow("own inquiry");
      return decideByCode(hasPermission(actor.permissions, "Inquiry_Answer"), "Inquiry_Answer");
    case "Proposal.Change":
    case "Proposal.Read":
    case "Proposal.Answer":
    case "Proposal.Score":
    case "Proposal.Papers":
    case "Proposal.Know":
    case "Proposal.Manage":
    case "Proposal.Decide":
      return decideProposal(actor, question.action, question.proposal);
    case "Center.Manage": {
      const code = centerPermission(question.regionCode);
      if (hasPermission(actor.permissions, code)) return allow(`permission ${code}`);
      return decideByCode(hasPermission(actor.permissions, "ADMIN_Access"), "ADMIN_Access");
    }
    case "Picture.Store": {
      if (actor.permissions.all) return allow("system administrator");
      const code = [...actor.permissions.codes].find((each) => WRITE_PERMISSION.test(each));
      return code ? allow(`permission ${code}`) : deny("no permission to write anywhere");
    }
    case "Field.Change": {
      const { right = "ADMIN_Access" } = question.field;
      if (isBelowFloor(question) && !actor.permissions.all) return deny("of system administrators alone");
      return decideByCode(hasPermission(actor.permissions, right), right);
    }
    case "Site.Export":
      return actor.permissions.all ? allow("system administrator") : deny("of system administrators alone");
    case "Account.Administer": {
      const { userType, codes } = question.account;
      if (userType === "Admin" && !actor.permissions.all) return deny("account of a system administrator");
      const lacking = lackedCode(actor, codes);
      if (lacking) return deny(`account holds what the actor does not: ${lacking}`);
      return decideByCode(hasPermission(actor.permissions, "ADMIN_Access"), "ADMIN_Access");
    }
    case "Permission.Grant": {
      const lacking = lackedCode(actor, question.codes);
      if (lacking) return deny(`nobody hands on what they do not hold: ${lacking}`);
      return decideByCode(hasPermission(actor.permissions, "ADMIN_Access"), "ADMIN_Access");
    }
    default:
      return decideByCode(hasPermission(actor.permissions, question.action), question.action);
  }
}

export function can(actor: Actor, question: AccessQuestion): boolean {
  return decideAccess(actor, question).allowed;
}

/** @throws AppError UNAUTHORIZED for a guest, FORBIDDEN for a person, NOT_FOUND where `hidden` */
export function authorize(
  ctx: Pick<AppContext, "actor">,
  question: AccessQuestion,
  refusal: "told" | "hidden" = "told",
): void {
  if (can(ctx.actor, question)) return;
  throwIfSecondFactorWouldHelp(ctx.actor, question);
  if (refusal === "hidden") throw new AppError("NOT_FOUND");
  if (ctx.actor.kind === "guest") throw new AppError("UNAUTHORIZED");
  const message = can(ctx.actor, { action: "ADMIN_Access" }) && refusalMessage(question);
  throw new AppError("FORBIDDEN", message ? { message } : {});
}

/** @throws AppError UNAUTHORIZED, FORBIDDEN */
export const authorizeConsole = (ctx: Pick<AppContext, "actor">) => authorize(ctx, { action: "ADMIN_Access" });

const sectionQuestions = (section: SettingSection): AccessQuestion[] => [
  { action: "ADMIN_Access" },
  ...sectionRule(section).rights.map((action) => ({ action })),
];

/** Decides a change of a section, before its fields, rows and values. */
export function decideSetting(actor: Actor, section: SettingSection): AccessDecision {
  const decisions = sectionQuestions(section).map((question) => decideAccess(actor, question));
  return decisions.find(({ allowed }) => !allowed) ?? allow("permission ADMIN_Access");
}

/** First line of each change of a section, by form, call or settings file. @throws AppError UNAUTHORIZED, FORBIDDEN */
export function authorizeSetting(ctx: Pick<AppContext, "actor">, section: SettingSection): void {
  for (const question of sectionQuestions(section)) authorize(ctx, question);
}

/** Messages for console users who lack the rights of the target account. */
const REFUSAL_MESSAGES: Partial<Record<AccessQuestion["action"], string>> = {
  "Account.Administer":
    "관리자님에게 없는 권한을 가진 회원이 있어 처리할 수 없습니다. 그 권한을 가진 관리자에게 요청해 주십시오.",
  "Board.Manage": "이 게시판의 관리 권한이 없습니다. 그 권한을 가진 관리자에게 요청해 주십시오.",
  "Permission.Grant": "관리자님에게 없는 권한은 주거나 뺄 수 없습니다. 그 권한을 가진 관리자에게 요청해 주십시오.",
};

function refusalMessage(question: AccessQuestion): string | undefined {
  const { action } = question;
  if (action === "Field.Change") return fieldRefusal(question);
  if (!Object.hasOwn(SITE_PERMISSION_NAMES, action)) return REFUSAL_MESSAGES[action];
  const name = SITE_PERMISSION_NAMES[action as SitePermission];
  return `'${name}' 권한이 없습니다. 그 권한을 가진 관리자에게 요청해 주십시오.`;
}

const isBelowFloor = ({ field: { floor }, value }: Extract<AccessQuestion, { action: "Field.Change" }>) =>
  floor !== undefined && typeof value === "number" && value < floor;

function fieldRefusal(question: Extract<AccessQuestion, { action: "Field.Change" }>): string {
  const { label, right = "ADMIN_Access", floor } = question.field;
  if (isBelowFloor(question)) return `‘${label}’ 항목을 ${floor}보다 작게 정하는 것은 시스템 관리자만 할 수 있습니다.`;
  return `‘${label}’ 항목은 ‘${SITE_PERMISSION_NAMES[right]}’ 권한이 있는 관리자만 바꿀 수 있습니다. 그 권한을 가진 관리자에게 요청해 주십시오.`;
}

function throwIfSecondFactorWouldHelp(actor: Actor, question: AccessQuestion): void {
  if (actor.kind === "guest") {
    if (actor.pending) throw secondFactorError("SECOND_FACTOR_REQUIRED");
    return;
  }
  const withheld = actor.secondFactor?.withheld;
  if (withheld && can({ ...actor, permissions: withheld }, question)) throw secondFactorError("SECOND_FACTOR_SETUP");
}

/** @throws AppError UNAUTHORIZED for a guest */
export function requireSignedIn(ctx: Pick<AppContext, "actor">): SignedInActor {
  if (ctx.actor.kind === "guest") {
    throw ctx.actor.pending ? secondFactorError("SECOND_FACTOR_REQUIRED") : new AppError("UNAUTHORIZED");
  }
  return ctx.actor;
}

function lackedCode(actor: Actor, codes: readonly string[]): string | undefined {
  if (actor.permissions.all) return undefined;
  const held: ReadonlySet<string> = actor.kind === "guest" ? new Set() : actor.lastingCodes;
  return codes.find((code) => !includesPermission(held, code));
}

function isSelf(actor: Actor, userId: string): boolean {
  return actor.kind !== "guest" && actor.userId === userId;
}

function decideBoard(actor: Actor, action: BoardAction, board: BoardResource): AccessDecision {
  const manage = hasPermission(actor.permissions, boardPermission(board.boardCode, "Manage"));
  if (board.isClosed && !manage) return deny("board is closed");
  if (manage) return allow(`permission ${boardPermission(board.boardCode, "Manage")}`);
  const code = boardPermission(board.boardCode, action);
  return decideByCode(hasPermission(actor.permissions, code), code);
}

function decideCohort({ permissions }: Actor, cohort: number | "any"): AccessDecision {
  if (cohort !== "any")
    return decideByCode(hasPermission(permissions, cohortPermission(cohort)), cohortPermission(cohort));
  if (permissions.all) return allow("system administrator");
  const code = [...permissions.codes].find((each) => cohortOfPermission(each) !== null);
  return code ? allow(`permission ${code}`) : deny("represents no cohort");
}

function decideItem(
  actor: Actor,
  action: "Item.Know" | "Item.Read" | "Item.Download" | "Item.Comment" | "Item.Change",
  item: ItemResource,
  now: Date,
): AccessDecision {
  if (decideBoard(actor, "Manage", item.board).allowed) return allow("manages the board");
  if (item.board.isClosed) return deny("board is closed");
  if (item.deletedDate) return deny("item is in the bin");
  const own = isSelf(actor, item.createdUserId);
  if (item.createdDate > now && !own) return deny("item is not published yet");
  if (action === "Item.Know") return decideBoard(actor, "List", item.board);
  if (action === "Item.Change") return own ? decideBoard(actor, "Write", item.board) : deny("item of another person");
  const view = decideBoard(actor, "View", item.board);
  if (!view.allowed) return view;
  if (item.isSecret && !own) return deny("secret item of another person");
  if (action === "Item.Download") return decideBoard(actor, "Download", item.board);
  if (action === "Item.Comment")
    return actor.kind === "guest" ? deny("guests do not comment") : decideBoard(actor, "Comment", item.board);
  return view;
}

function decideOwnEntry(actor: Actor, ownerUserId: string, board: BoardResource): AccessDecision {
  if (decideBoard(actor, "Manage", board).allowed) return allow("manages the board");
  return isSelf(actor, ownerUserId) ? allow("own entry") : deny("entry of another person");
}

const PROPOSAL_RIGHTS = { Know: "Research_Manage", Manage: "Research_Manage", Decide: "Research_Decide" } as const;

/** A conflict of interest closes a proposal to everybody but its applicants, whatever their rights. */
function decideProposal(
  actor: Actor,
  action: Extract<AccessQuestion, { proposal: unknown }>["action"],
  proposal: ProposalResource,
): AccessDecision {
  if (isSelf(actor, proposal.userId)) {
    const isOwn = action === "Proposal.Change" || action === "Proposal.Read" || action === "Proposal.Papers";
    return isOwn ? allow("own proposal") : deny("conflict of interest");
  }
  if (action === "Proposal.Change") return deny("proposal of another person");
  if (proposal.isNamed && action !== "Proposal.Answer" && action !== "Proposal.Score")
    return action === "Proposal.Read" || action === "Proposal.Papers"
      ? allow("own proposal")
      : deny("conflict of interest");
  if (proposal.hasConflict) return deny("conflict of interest");
  if (action === "Proposal.Read") return deny("proposal of another person");
  if (proposal.status === "draft") return deny("proposal is a draft");
  const isReviewer = proposal.review !== null && proposal.status !== "withdrawn";
  if (action === "Proposal.Answer") return isReviewer ? allow("reviewer") : deny("no reviewer of the proposal");
  // The papers open with the answer that there is no conflict.
  const reads = isReviewer && (proposal.review === "accepted" || proposal.review === "submitted");
  if (action === "Proposal.Score") return reads ? allow("reviewer") : deny("no reviewer of the proposal");
  if (action === "Proposal.Papers") return reads ? allow("reviewer") : decideProposal(actor, "Proposal.Know", proposal);
  const code = PROPOSAL_RIGHTS[action.slice(9) as keyof typeof PROPOSAL_RIGHTS];
  if (action === "Proposal.Know" && hasPermission(actor.permissions, "Research_Decide"))
    return allow("permission Research_Decide");
  return decideByCode(hasPermission(actor.permissions, code), code);
}

export type BoardRow = typeof board.$inferSelect;

export type ListedItem = Omit<typeof boardItem.$inferSelect, "content"> & {
  attachedPictureId?: string | null;
};

export function itemResource(board: BoardResource, item: Omit<ItemResource, "board">): ItemResource {
  const { createdUserId, isSecret, createdDate, deletedDate } = item;
  return { board, createdUserId, isSecret, createdDate, deletedDate };
}
