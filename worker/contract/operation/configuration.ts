/** Values of wrangler.toml, secrets and bindings, read-only in the console. */
export const CONFIGURATION_GROUPS = [
  {
    label: "주소",
    settings: {
      SITE_ORIGIN: "사이트 주소",
      PRODUCT_CODE: "안내 페이지 주소의 첫 부분",
    },
  },
  {
    label: "메일과 문자",
    settings: {
      MESSAGE_TRANSPORT: "보내는 방법",
      MAIL_FROM: "보내는 사람",
      RESEND_API_KEY: "메일 발송 키",
      RESEND_WEBHOOK_SECRET: "반송 보고의 서명",
      SMS_API_KEY: "문자 발송 키",
      SMS_API_SECRET: "문자 발송 비밀 값",
      SMS_FROM: "문자 발신 번호",
      KAKAO_CHANNEL_ID: "알림톡 채널",
    },
  },
  {
    label: "로그인과 보안",
    settings: {
      SECOND_FACTOR: "2단계 인증",
      JWT_SECRET: "로그인 서명",
      PASSWORD_PEPPER: "비밀번호 보호",
      PASSWORD_PEPPER_OLD: "비밀번호 보호(이전 값)",
      SIGNING_SECRET: "올리기와 횟수 제한의 서명",
      HEALTH_TOKEN: "상태 감시",
    },
  },
  {
    label: "저장소와 백업",
    settings: {
      DB: "데이터베이스",
      FILES: "파일 저장소",
      KV: "인증번호 저장소",
      BACKUPS: "백업 저장소",
      SCRATCH: "복구 연습용 데이터베이스",
      BACKUP_KEY: "백업 암호화 키",
    },
  },
  {
    label: "연계 서비스",
    settings: {
      CASE_REPORT_URL: "연계 서비스 주소",
      CASE_REPORT_APP_ID: "연계 서비스에서 쓰는 이름",
    },
  },
] as const satisfies readonly { label: string; settings: Record<string, string> }[];

type ConfigurationKind = "value" | "secret" | "binding";

type Settings<G> = G extends { settings: infer S } ? keyof S : never;

export type ConfigurationName = Settings<(typeof CONFIGURATION_GROUPS)[number]>;

const SECRETS: readonly ConfigurationName[] = [
  "RESEND_API_KEY",
  "RESEND_WEBHOOK_SECRET",
  "SMS_API_KEY",
  "SMS_API_SECRET",
  "JWT_SECRET",
  "PASSWORD_PEPPER",
  "PASSWORD_PEPPER_OLD",
  "SIGNING_SECRET",
  "HEALTH_TOKEN",
  "BACKUP_KEY",
];
const BINDINGS: readonly ConfigurationName[] = ["DB", "FILES", "KV", "BACKUPS", "SCRATCH"];

export function configurationKind(name: ConfigurationName): ConfigurationKind {
  if (SECRETS.includes(name)) return "secret";
  return BINDINGS.includes(name) ? "binding" : "value";
}

/** First path segments that the site uses; information pages below them are unreachable. */
export const TAKEN_PRODUCT_CODES: readonly string[] =
  "account admin alumni answer api assets board calendar certificate cohort confirm en mail mypage privacy proposal registry research search sitemap terms ticket tos".split(
    " ",
  );

/** `unknown`: not used yet. `local`: a developer machine that sends nothing. */
export type ConfigurationState = "ok" | "failed" | "off" | "unknown" | "local";

export interface ConfigurationFinding {
  value: string;
  state: ConfigurationState;
  note: string;
  date: string | null;
}

export interface ConfigurationLine extends ConfigurationFinding {
  name: ConfigurationName;
  isSet: boolean;
  label: string;
  kind: ConfigurationKind;
}
