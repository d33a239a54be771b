import { z } from "zod";
import { koreanIssue } from "#worker/contract/kernel/korean-issues.ts";
import { SECOND_FACTOR_MODES } from "#worker/contract/kernel/second-factor.ts";

const secretValue = z.string().min(32, "32자 이상의 비밀 값이 필요합니다(worker/OPERATIONS.md).");
const httpUrl = z.url({ protocol: /^https?$/, error: "http(s) 주소가 아닙니다." });

export const splitPeppers = (value: string): string[] => value.split(/[\s,]+/).filter((each) => each !== "");

const configSchema = z
  .object({
    PRODUCT_CODE: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,30}$/, "소문자로 시작하는 짧은 영문 이름이어야 합니다.")
      .refine((code) => code !== "en", "영문 페이지의 주소가 쓰는 이름입니다. 다르게 적어 주십시오."),
    /** The public origin; never taken from a request, whose Host can be forged. */
    SITE_ORIGIN: httpUrl.transform((value) => new URL(value).origin),
    MESSAGE_TRANSPORT: z.enum(["resend", "outbox"]),
    SECOND_FACTOR: z.enum(SECOND_FACTOR_MODES).default("required"),
    MAIL_FROM: z.string().min(3),
    RESEND_API_KEY: z.string().min(1).optional(),
    RESEND_API_URL: httpUrl.optional(),
    RESEND_WEBHOOK_SECRET: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{20,}={0,2}$/, "whsec_로 시작하는 서명 비밀 값이어야 합니다.")
      .optional(),
    SMS_API_KEY: z.string().optional(),
    SMS_API_SECRET: z.string().optional(),
    SMS_FROM: z.string().optional(),
    KAKAO_CHANNEL_ID: z.string().optional(),
    SMS_API_URL: httpUrl.default("https://api.solapi.com"),
    CASE_REPORT_URL: z.union([z.literal(""), httpUrl]).default(""),
    CASE_REPORT_APP_ID: z.string().default(""),
    JWT_SECRET: secretValue,
    PASSWORD_PEPPER: secretValue,
    /** Earlier peppers, while passwords still use them (OPERATIONS, 'Rotate the pepper'). */
    PASSWORD_PEPPER_OLD: z.string().default("").transform(splitPeppers).pipe(z.array(secretValue)),
    SIGNING_SECRET: secretValue,
    /** Without it no backups are made, and an alarm is raised. */
    BACKUP_KEY: secretValue.optional(),
    /** The bearer token for the detailed report of /health. */
    HEALTH_TOKEN: secretValue.optional(),
  })
  .refine((value) => !value.RESEND_WEBHOOK_SECRET || value.RESEND_API_KEY, {
    path: ["RESEND_API_KEY"],
    message: "RESEND_WEBHOOK_SECRET이 있으면 있어야 합니다.",
  })
  .refine((value) => value.MESSAGE_TRANSPORT === "outbox" || value.RESEND_API_KEY, {
    path: ["RESEND_API_KEY"],
    message: "MESSAGE_TRANSPORT가 resend이면 있어야 합니다.",
  });

export type Config = z.output<typeof configSchema>;

export class ConfigError extends Error {}

/** Caches per binding object: settings do not change while an instance lives. */
const knownConfigs = new WeakMap<object, Config>();

/** @throws ConfigError with a line for each bad setting, without its value */
export function readConfig(env: object): Config {
  const known = knownConfigs.get(env);
  if (known) return known;
  const result = configSchema.safeParse(env, { error: koreanIssue });
  if (result.success) {
    knownConfigs.set(env, result.data);
    return result.data;
  }
  const lines = result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new ConfigError(`설정이 올바르지 않습니다. ${lines.join(" / ")}`);
}

/** Local development, the only place with an outbox, serves at any port. */
export function siteOriginOf(config: Pick<Config, "MESSAGE_TRANSPORT" | "SITE_ORIGIN">, url: string): string {
  return config.MESSAGE_TRANSPORT === "outbox" ? new URL(url).origin : config.SITE_ORIGIN;
}

export function isLocalHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}

/** No other host of the domain can set a `__Host-` cookie; it needs https, which local development lacks. */
export function sessionCookieName(url: string): "accessToken" | "__Host-accessToken" {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && isLocalHost(hostname) ? "accessToken" : "__Host-accessToken";
}
