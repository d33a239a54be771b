import { asc } from "drizzle-orm";
import { board } from "#db/schema/board.ts";
import type { simulateSettingsQuery } from "#worker/contract/access/input.ts";
import { decisionReason } from "#worker/contract/access/simulation.ts";
import { valuesOf } from "#worker/contract/kernel/labels.ts";
import { leavesOf } from "#worker/contract/kernel/row.ts";
import {
  SETTING_SECTIONS,
  sectionRule,
  type SettingSection,
} from "#worker/contract/kernel/setting/setting-sections.ts";
import { MAIL_TEMPLATE_KINDS, MAIL_TEMPLATES } from "#worker/contract/mail/templates.ts";
import { settingFieldsOf } from "#worker/contract/site/setting-fields.ts";
import type { Actor, AppContext, Parsed, View } from "#worker/domain/kernel/context.ts";
import { namesOfActor, simulatedActor } from "../access/simulate.server.ts";
import {
  type AccessDecision,
  authorizeConsole,
  type BoardResource,
  decideAccess,
  decideSetting,
} from "../kernel/authorize.server.ts";
import { inSiteWords } from "../kernel/site-identity.server.ts";

interface SimulatedRow {
  code: string;
  name: string;
  /** For its fields. */
  row?: object;
  board?: BoardResource;
}

/** Which sections, rows and fields of the settings a person may change, and what asks for more proof. */
export async function simulateSettings(ctx: AppContext, { who }: Parsed<typeof simulateSettingsQuery>) {
  authorizeConsole(ctx);
  const [actor, boards] = await Promise.all([
    simulatedActor(ctx, who),
    ctx.db
      .select({ boardCode: board.boardCode, boardName: board.boardName, isClosed: board.isClosed })
      .from(board)
      .orderBy(asc(board.sortOrder)),
  ]);
  const rowsOf: Partial<Record<SettingSection, SimulatedRow[]>> = {
    boards: boards.map((each) => ({ code: each.boardCode, name: each.boardName, board: each })),
    mailTemplates: MAIL_TEMPLATE_KINDS.map((kind) => ({ code: kind, name: MAIL_TEMPLATES[kind].name, row: { kind } })),
  };
  const nameOf = (code: string) => boards.find(({ boardCode }) => boardCode === code)?.boardName ?? code;
  const answerOf = (decision: AccessDecision) => ({
    allowed: decision.allowed,
    reason: decisionReason(decision, nameOf).reason,
  });
  const settings = valuesOf(SETTING_SECTIONS).flatMap((section) => {
    const alike = new Map<string, ReturnType<typeof simulateRow> & { rows: Pick<SimulatedRow, "code" | "name">[] }>();
    for (const { code, name, ...given } of rowsOf[section] ?? [{ code: "", name: "" }]) {
      const found = simulateRow(actor, section, given, answerOf);
      // The reason is shown of a refusal alone.
      const key = JSON.stringify({ ...found, reason: found.allowed ? "" : found.reason });
      const same = alike.get(key) ?? { ...found, rows: [] };
      alike.set(key, { ...same, rows: [...same.rows, ...(code ? [{ code, name }] : [])] });
    }
    const { name, more = "" } = sectionRule(section);
    return [...alike.values()].map((each) => ({ section, name: inSiteWords(ctx, name), more, ...each }));
  });
  return { ...namesOfActor(actor), settings };
}

function simulateRow(
  actor: Actor,
  section: SettingSection,
  { row = {}, board: resource }: Pick<SimulatedRow, "row" | "board">,
  answerOf: (decision: AccessDecision) => { allowed: boolean; reason: string },
) {
  const decisions = [
    decideSetting(actor, section),
    ...(resource ? [decideAccess(actor, { action: "Board.Manage", board: resource })] : []),
  ];
  const decision = decisions.find(({ allowed }) => !allowed) ?? (decisions.at(-1) as AccessDecision);
  return {
    ...answerOf(decision),
    fields: leavesOf(settingFieldsOf(section, row)).map(({ path, field }) => ({
      path: path.join("."),
      label: field.label,
      ...answerOf(
        decision.allowed ? decideAccess(actor, { action: "Field.Change", field, value: undefined }) : decision,
      ),
      asksProof: field.asks !== undefined,
      tellsAdministrators: field.tells !== undefined,
      /** The smallest number that this person may set. */
      floor: (!actor.permissions.all && "floor" in field && field.floor) || null,
    })),
  };
}

export type SimulatedSettings = View<typeof simulateSettings>;
