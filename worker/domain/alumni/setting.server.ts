import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { storedAlumniSettings, type updateAlumniSettingsInput } from "#worker/contract/alumni/setting-input.ts";
import {
  type AlumniSettings,
  CONFIGURABLE_FIELDS,
  type ConfigurableField,
  DEFAULT_ALUMNI_SETTINGS,
  type OwnEntryRight,
} from "#worker/contract/alumni/alumni-settings.ts";
import { alumniBinDays } from "#worker/contract/audit/retention-input.ts";
import {
  privacySettingStatement as retentionStatement,
  privacySettingView,
} from "../audit/retention-setting.server.ts";
import { ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import { readNames } from "../kernel/choice-rename.server.ts";
import { fieldUses } from "./choice-holders.server.ts";
import { settingStatement, storeSetting } from "../kernel/setting.server.ts";
import { authorize, authorizeConsole, authorizeSetting } from "../kernel/authorize.server.ts";
import { eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import type { OwnField } from "#worker/contract/alumni/own-fields.ts";

export async function getAlumniSetting(scope: RequestScope) {
  const { rows } = await scope.readFor(
    (ctx) => authorizeSetting(ctx, "alumni"),
    [settingStatement(scope.db, ALUMNI_SETTING_KEY), retentionStatement(scope.db), bookFieldUsesStatement(scope.db)],
  );
  const [[row], [retention], used] = rows;
  return {
    value: storedAlumniSettings.parse(row?.value ?? DEFAULT_ALUMNI_SETTINGS),
    version: row?.version ?? 0,
    binDays: alumniBinDays(privacySettingView(retention).value),
    /** Names of what uses a field. */
    uses: Object.fromEntries(
      used.map(({ code, uses }) => [code, readNames(uses)] as const).filter(([, uses]) => uses.length > 0),
    ) as Partial<Record<ConfigurableField, string[]>>,
  };
}

const bookFieldUsesStatement = (db: Db) =>
  db
    .select({
      code: sql<string>`f.value ->> 0`.as("code"),
      uses: fieldUses({ code: sql`(f.value ->> 0)`, name: sql`(f.value ->> 1)` }).as("field_uses"),
    })
    .from(
      sql`json_each(${JSON.stringify(CONFIGURABLE_FIELDS.map((field) => [field, ALUMNI_COLUMN_LABELS[field]]))}) f`,
    );

export type AlumniSettingView = View<typeof getAlumniSetting>;

/** Keeps the values of a disabled column. @throws AppError CONFLICT */
export async function updateAlumniSetting(
  ctx: AppContext,
  input: Parsed<typeof updateAlumniSettingsInput>,
): Promise<{ version: number }> {
  authorizeSetting(ctx, "alumni");
  const { version, ...value } = input;
  return storeSetting(ctx, ALUMNI_SETTING_KEY, version, value, { ...DEFAULT_ALUMNI_SETTINGS });
}

/** Authorizes the office in the console. @throws AppError UNAUTHORIZED, FORBIDDEN */
export function authorizeOffice(ctx: Pick<AppContext, "actor">): void {
  authorizeConsole(ctx);
  authorize(ctx, { action: "Alumni_Write" });
}

export const ALUMNI_SETTING_KEY = "alumni" as const;

const parsedSettings = new WeakMap<AppContext["storedSettings"], AlumniSettings>();

export function alumniSettings({ storedSettings }: Pick<AppContext, "storedSettings">): AlumniSettings {
  const known = parsedSettings.get(storedSettings);
  if (known) return known;
  const text = storedSettings.alumni;
  const settings =
    text === null
      ? DEFAULT_ALUMNI_SETTINGS
      : storedAlumniSettings.catch(DEFAULT_ALUMNI_SETTINGS).parse(JSON.parse(text));
  parsedSettings.set(storedSettings, settings);
  return settings;
}

export async function readAlumniSettings(db: Db): Promise<AlumniSettings> {
  const [row] = await db
    .select({ value: siteSetting.value })
    .from(siteSetting)
    .where(eq(siteSetting.key, ALUMNI_SETTING_KEY));
  return row ? storedAlumniSettings.catch(DEFAULT_ALUMNI_SETTINGS).parse(row.value) : DEFAULT_ALUMNI_SETTINGS;
}

const OWN_ENTRY_RANK: Record<OwnEntryRight, number> = { none: 0, read: 1, correct: 2 };

export const ownerUserIdFor = (
  ctx: Pick<AppContext, "storedSettings">,
  person: { ownerUserId: string | null },
  act: Exclude<OwnEntryRight, "none">,
) => (OWN_ENTRY_RANK[alumniSettings(ctx).ownEntry] >= OWN_ENTRY_RANK[act] ? person.ownerUserId : null);

const parsedFields = new WeakMap<AppContext["storedSettings"], readonly OwnField[]>();

export function ownFields({ storedSettings }: Pick<AppContext, "storedSettings">): readonly OwnField[] {
  const known = parsedFields.get(storedSettings);
  if (known) return known;
  const rows = JSON.parse(storedSettings.alumniFields ?? "[]") as OwnField[];
  const fields = rows.map(({ code, name, kind, choices, required, access, personEdits, inList }) => ({
    code,
    name,
    kind,
    choices,
    required: Boolean(required),
    access,
    personEdits: Boolean(personEdits),
    inList: Boolean(inList),
  }));
  parsedFields.set(storedSettings, fields);
  return fields;
}

export type OwnFieldName = Pick<OwnField, "code" | "name">;

/** Names of all own fields, closed ones too. */
export const ownFieldNames = (ctx: Pick<AppContext, "storedSettings">): OwnFieldName[] => [
  ...ownFields(ctx),
  ...(JSON.parse(ctx.storedSettings.closedAlumniFields ?? "[]") as OwnFieldName[]),
];
