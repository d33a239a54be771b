import { sql } from "drizzle-orm";
import { type Db, tripsOf } from "#db/client.ts";
import { user } from "#db/schema/account.ts";
import { mailReport, message } from "#db/schema/mail.ts";
import type { backupDrill } from "#db/schema/operation.ts";
import { pepperName, peppersOf } from "#worker/adapters/password.server.ts";
import {
  CONFIGURATION_GROUPS,
  type ConfigurationFinding,
  configurationKind,
  type ConfigurationName,
  type ConfigurationState,
  TAKEN_PRODUCT_CODES,
} from "#worker/contract/operation/configuration.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { authorizeConsole } from "#worker/domain/kernel/authorize.server.ts";
import { lastDrillStatement } from "./backup-drill.server.ts";
import { lastBackupStatement } from "./backup-run.server.ts";

type Config = AppContext["config"];
interface Sending {
  isOk: boolean;
  date: string;
}
interface Dated {
  createdDate: Date | null;
}

const MESSAGES_LOOKED_AT = 500;
const PLACEHOLDER = /(^|[.@/])example\./;

const NOT_SET = "정하지 않았습니다.";
const isSet = (config: Config, name: ConfigurationName) => String(config[name as keyof Config] ?? "") !== "";
const finding = (state: ConfigurationState, note = "", more: Partial<ConfigurationFinding> = {}) => ({
  value: "",
  state,
  note,
  date: null,
  ...more,
});

const lastSendingStatement = (db: Db, channel: "email" | "sms") =>
  db
    .select({ status: message.status, createdDate: message.createdDate })
    .from(message)
    .where(
      sql`${message.id} = (SELECT id FROM (SELECT id, channel, status, created_date FROM message ORDER BY created_date DESC LIMIT ${MESSAGES_LOOKED_AT})
        WHERE channel = ${channel} AND status IN ('sent', 'failed') ORDER BY created_date DESC LIMIT 1)`,
    );

/** Counts passwords per pepper; imported hashes have none. */
const pepperStatement = (db: Db) =>
  db
    .select({
      pepper:
        sql<string>`CASE WHEN password_hash LIKE 'imported$%' THEN 'imported' WHEN password_hash LIKE '%$pep1' THEN 'pep1'
        ELSE substr(password_hash, -12) END`.as("pepper"),
      count: sql<number>`count(*)`.as("people"),
    })
    .from(user)
    .where(sql`password_hash <> ''`)
    .groupBy(sql`1`);

/**
 * Checks the external configuration by a probe or its last use; secrets are only reported as set. @param openedAt the
 * address of the page
 */
export async function getConfiguration(scope: RequestScope, openedAt: string) {
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    pepperStatement(scope.db),
    lastSendingStatement(scope.db, "email"),
    lastSendingStatement(scope.db, "sms"),
    scope.db
      .select({ createdDate: mailReport.createdDate })
      .from(mailReport)
      .orderBy(sql`created_date DESC`)
      .limit(1),
    lastBackupStatement(scope.db, scope.now()),
    lastDrillStatement(scope.db),
    scope.db.run(sql`SELECT 1`),
  ]);
  const [peppers, mails, texts, reports, backups, drills, { meta }] = rows;
  const { config } = ctx;
  const sending = ([row]: { status: string; createdDate: Date }[]): Sending | null =>
    row ? { isOk: row.status === "sent", date: row.createdDate.toISOString() } : null;
  const storage = await probeStorage(ctx);
  const [drill] = drills;
  const found: Record<ConfigurationName, ConfigurationFinding> = {
    ...addressFindings(config, openedAt, ctx.messages.isLocal),
    ...messageFindings(config, { mail: sending(mails), text: sending(texts), report: reports[0] ?? null }),
    ...secretFindings(config, peppers),
    ...storage,
    DB: databaseFinding(meta.size_after, tripsOf(ctx.db, ctx.now())),
    SCRATCH: drill ? drillFinding(drill, storage.SCRATCH) : storage.SCRATCH,
    BACKUP_KEY: backupKeyFinding(config, backups[0]?.finishedDate ?? null),
    CASE_REPORT_URL: config.CASE_REPORT_URL
      ? finding(await probePart(() => reachHost(config.CASE_REPORT_URL)), "", { value: config.CASE_REPORT_URL })
      : finding("off", "연계 서비스를 쓰지 않습니다."),
    CASE_REPORT_APP_ID: config.CASE_REPORT_APP_ID
      ? finding("ok", "", { value: config.CASE_REPORT_APP_ID })
      : finding("off", NOT_SET),
  };
  const shared = sharedSecrets(config);
  for (const name of shared) found[name] = finding("failed", "다른 비밀 값과 같습니다. 서로 다른 값으로 바꾸십시오.");
  return CONFIGURATION_GROUPS.map(({ label, settings }) => ({
    label,
    lines: Object.entries(settings).map(([key, text]) => {
      const name = key as ConfigurationName;
      const kind = configurationKind(name);
      const { value, state, note, date } = found[name];
      return { name, label: text, kind, isSet: kind === "binding" || isSet(config, name), value, state, note, date };
    }),
  }));
}

function addressFindings(config: Config, openedAt: string, isLocal: boolean) {
  const { SITE_ORIGIN, PRODUCT_CODE } = config;
  const origin = () => {
    if (isLocal) return finding("local", `이 컴퓨터에서는 여신 주소(${openedAt})를 씁니다.`);
    if (PLACEHOLDER.test(SITE_ORIGIN))
      return finding("failed", "보기로 적어 둔 주소입니다. 사이트의 주소로 바꾸십시오.");
    if (!SITE_ORIGIN.startsWith("https://")) return finding("failed", "https로 시작해야 합니다.");
    return SITE_ORIGIN === openedAt
      ? finding("ok", "지금 여신 주소와 같습니다.")
      : finding("failed", `지금 여신 주소(${openedAt})와 다릅니다. 메일과 피드의 링크는 설정된 주소로 갑니다.`);
  };
  return {
    SITE_ORIGIN: { ...origin(), value: SITE_ORIGIN },
    PRODUCT_CODE: {
      ...(TAKEN_PRODUCT_CODES.includes(PRODUCT_CODE)
        ? finding("failed", "사이트의 다른 화면이 쓰는 주소여서 안내 페이지가 열리지 않습니다.")
        : finding("ok", `안내 페이지의 주소는 /${PRODUCT_CODE}/…입니다.`)),
      value: PRODUCT_CODE,
    },
  };
}

function sendingFinding(canSend: boolean, last: Sending | null): ConfigurationFinding {
  if (!canSend) return finding("off", NOT_SET);
  if (!last) return finding("unknown", "아직 보낸 것이 없습니다.");
  return last.isOk
    ? finding("ok", "마지막으로 보낸 때입니다.", { date: last.date })
    : finding("failed", "마지막 것을 보내지 못했습니다. 메일·문자 기록을 확인하십시오.", { date: last.date });
}

function messageFindings(config: Config, last: { mail: Sending | null; text: Sending | null; report: Dated | null }) {
  const isLocal = config.MESSAGE_TRANSPORT === "outbox";
  const { SMS_API_KEY, SMS_API_SECRET, SMS_FROM, KAKAO_CHANNEL_ID } = config;
  const sms = [SMS_API_KEY, SMS_API_SECRET, SMS_FROM];
  const isPartly = sms.some(Boolean) && !sms.every(Boolean);
  const text = (value: string | undefined) =>
    isPartly
      ? finding("failed", value ? "나머지 두 값과 함께 있어야 합니다." : "정하지 않아 문자를 보낼 수 없습니다.")
      : sendingFinding(Boolean(value), last.text);
  const alimtalk = () => {
    if (!KAKAO_CHANNEL_ID) return finding("off", "정하지 않아 알림톡을 보낼 수 없습니다.");
    return sms.every(Boolean)
      ? finding("ok", "승인된 템플릿으로 알림톡을 보낼 수 있습니다.")
      : finding("failed", "문자를 보내는 세 값과 함께 있어야 합니다.");
  };
  const from = () => {
    if (PLACEHOLDER.test(config.MAIL_FROM)) return finding(isLocal ? "local" : "failed", "보기로 적어 둔 주소입니다.");
    return sendingFinding(true, isLocal ? null : last.mail);
  };
  const reported = last.report?.createdDate;
  return {
    MESSAGE_TRANSPORT: isLocal
      ? finding("local", "아무것도 보내지 않고 보관함에만 둡니다.", { value: "outbox" })
      : { ...sendingFinding(true, last.mail), value: "resend" },
    MAIL_FROM: { ...from(), value: config.MAIL_FROM },
    RESEND_API_KEY: sendingFinding(config.RESEND_API_KEY !== undefined, last.mail),
    RESEND_WEBHOOK_SECRET: !config.RESEND_WEBHOOK_SECRET
      ? finding("off", "정하지 않아 메일이 반송되었는지 알 수 없습니다.")
      : reported
        ? finding("ok", "마지막으로 보고를 받은 때입니다.", { date: reported.toISOString() })
        : finding("unknown", "아직 받은 보고가 없습니다."),
    SMS_API_KEY: text(SMS_API_KEY),
    SMS_API_SECRET: text(SMS_API_SECRET),
    SMS_FROM: { ...text(SMS_FROM), value: SMS_FROM ?? "" },
    KAKAO_CHANNEL_ID: { ...alimtalk(), value: KAKAO_CHANNEL_ID ?? "" },
  };
}

function secretFindings(config: Config, stored: readonly { pepper: string; count: number }[]) {
  const [current = "", ...older] = peppersOf(config).map(pepperName);
  const count = (names: readonly string[]) =>
    stored.reduce((sum, row) => sum + (names.includes(row.pepper) ? row.count : 0), 0);
  const lost = stored.reduce((sum, row) => sum + row.count, 0) - count([current, ...older, "pep1", "imported"]);
  return {
    SECOND_FACTOR:
      config.SECOND_FACTOR === "required"
        ? finding("ok", "관리하는 사람은 모두 등록해야 합니다.", { value: "required" })
        : finding("local", "등록하지 않은 관리자도 들어올 수 있습니다.", { value: "offered" }),
    JWT_SECRET: finding("ok", "지금 로그인한 것이 이 값으로 확인되었습니다."),
    PASSWORD_PEPPER:
      lost > 0
        ? finding(
            "failed",
            `${lost}명의 비밀번호가 여기에 없는 값으로 만들어져 로그인할 수 없습니다. 그 값을 PASSWORD_PEPPER_OLD에 넣으십시오.`,
          )
        : finding("ok", `${count([current, "pep1", "imported"])}명의 비밀번호가 지금 값으로 보호됩니다.`),
    PASSWORD_PEPPER_OLD:
      older.length === 0
        ? finding("off", "바꾸는 중이 아니면 두지 않습니다.")
        : finding("ok", `${count(older)}명이 아직 이전 값을 씁니다. 0명이 되면 지우실 수 있습니다.`),
    SIGNING_SECRET: finding("ok"),
    HEALTH_TOKEN: config.HEALTH_TOKEN
      ? finding("ok", "감시 프로그램이 이 값으로 /health를 봅니다.")
      : finding("off", "감시 프로그램을 쓰지 않으면 두지 않아도 됩니다."),
  };
}

/** More than any distance within one continent, without the time of the SQL. */
const FAR_MS = 100;

export function databaseFinding(bytes: number, trips: ReturnType<typeof tripsOf>): ConfigurationFinding {
  const { region, count: times, medianMs, percentile95Ms, sqlMedianMs, since } = trips;
  const size = `${formatBytes(bytes)}를 쓰고 있습니다.`;
  if (medianMs === null) return finding("ok", size);
  const isFar = medianMs - (sqlMedianMs ?? 0) >= FAR_MS;
  const far = isFar ? "다른 대륙에 있는 것 같습니다. worker/OPERATIONS.md의 Location을 확인하십시오. " : "";
  const where = region ? `${region} 지역이 응답합니다. ` : "";
  const trip = `최근 1시간에 ${times.toLocaleString("ko-KR")}번 오갔고 한 번에 보통 ${medianMs}ms, 95%는 ${percentile95Ms}ms 안에 끝났습니다.`;
  return finding(isFar ? "failed" : "ok", `${size} ${where}${trip} ${far}이 값은 다음 시각부터 잰 것입니다.`, {
    date: since,
  });
}

async function probeStorage(ctx: AppContext) {
  const answers = (state: "ok" | "failed") => finding(state, state === "ok" ? "" : "응답하지 않습니다.");
  const [FILES, BACKUPS, KV, SCRATCH] = await Promise.all([
    probePart(() => ctx.files.head("health")),
    probePart(() => ctx.backups.head("health")),
    probePart(() => ctx.kv.get("health")),
    probePart(() => ctx.scratch.prepare("SELECT 1").first()),
  ]);
  return { FILES: answers(FILES), BACKUPS: answers(BACKUPS), KV: answers(KV), SCRATCH: answers(SCRATCH) };
}

function drillFinding(drill: typeof backupDrill.$inferSelect, answer: ConfigurationFinding): ConfigurationFinding {
  const isFailed = drill.status === "failed";
  const note = isFailed ? "마지막 복구 연습이 실패하였습니다." : "마지막으로 복구를 연습한 때입니다.";
  return { ...answer, state: isFailed ? "failed" : answer.state, date: drill.startedDate.toISOString(), note };
}

function backupKeyFinding(config: Config, last: Date | null): ConfigurationFinding {
  if (!config.BACKUP_KEY) return finding("failed", "정하지 않아 백업을 만들지 못합니다.");
  return last
    ? finding("ok", "마지막으로 백업한 때입니다.", { date: last.toISOString() })
    : finding("unknown", "아직 백업이 없습니다.");
}

/** A secret used for two purposes exposes both. */
function sharedSecrets(config: Config): ConfigurationName[] {
  const names = ["JWT_SECRET", "PASSWORD_PEPPER", "SIGNING_SECRET", "BACKUP_KEY", "HEALTH_TOKEN"] as const;
  return names.filter((name) =>
    names.some((other) => other !== name && config[name] && config[name] === config[other]),
  );
}

const TIMEOUT_MS = 2000;

export async function probePart(work: () => Promise<unknown>): Promise<"ok" | "failed"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"failed">((resolve) => {
    timer = setTimeout(() => resolve("failed"), TIMEOUT_MS);
  });
  const done = work().then(
    () => "ok" as const,
    () => "failed" as const,
  );
  const result = await Promise.race([done, late]);
  clearTimeout(timer);
  return result;
}

/** Any response proves that the host is reachable. */
export async function reachHost(url: string): Promise<void> {
  const response = await fetch(url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
  await response.body?.cancel();
}
