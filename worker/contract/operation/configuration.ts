/** Values of wrangler.toml, its secrets, and what the Worker is bound to. Nothing of them is changed in the console. */
export const CONFIGURATION_GROUPS = [
  {
    label: "주소",
    settings: {
      SITE_ORIGIN: { label: "사이트 주소", kind: "value" },
      PRODUCT_CODE: { label: "안내 페이지 주소의 첫 부분", kind: "value" },
    },
  },
  {
    label: "메일과 문자",
    settings: {
      MESSAGE_TRANSPORT: { label: "보내는 방법", kind: "value" },
      MAIL_FROM: { label: "보내는 사람", kind: "value" },
      RESEND_API_KEY: { label: "메일 발송 키", kind: "secret" },
      RESEND_WEBHOOK_SECRET: { label: "반송 보고의 서명", kind: "secret" },
      SMS_API_KEY: { label: "문자 발송 키", kind: "secret" },
      SMS_API_SECRET: { label: "문자 발송 비밀 값", kind: "secret" },
      SMS_FROM: { label: "문자 발신 번호", kind: "value" },
    },
  },
  {
    label: "로그인과 보안",
    settings: {
      SECOND_FACTOR: { label: "2단계 인증", kind: "value" },
      JWT_SECRET: { label: "로그인 서명", kind: "secret" },
      PASSWORD_PEPPER: { label: "비밀번호 보호", kind: "secret" },
      PASSWORD_PEPPER_OLD: { label: "비밀번호 보호(이전 값)", kind: "secret" },
      SIGNING_SECRET: { label: "올리기와 횟수 제한의 서명", kind: "secret" },
      HEALTH_TOKEN: { label: "상태 감시", kind: "secret" },
    },
  },
  {
    label: "저장소와 백업",
    settings: {
      DB: { label: "데이터베이스", kind: "binding" },
      FILES: { label: "파일 저장소", kind: "binding" },
      KV: { label: "인증번호 저장소", kind: "binding" },
      BACKUPS: { label: "백업 저장소", kind: "binding" },
      SCRATCH: { label: "복구 연습용 데이터베이스", kind: "binding" },
      BACKUP_KEY: { label: "백업 암호화 키", kind: "secret" },
    },
  },
  {
    label: "연계 서비스",
    settings: {
      CASE_REPORT_URL: { label: "연계 서비스 주소", kind: "value" },
      CASE_REPORT_APP_ID: { label: "연계 서비스에서 쓰는 이름", kind: "value" },
    },
  },
] as const satisfies readonly { label: string; settings: Record<string, { label: string; kind: ConfigurationKind }> }[];

export type ConfigurationKind = "value" | "secret" | "binding";

type Settings<G> = G extends { settings: infer S } ? keyof S : never;

export type ConfigurationName = Settings<(typeof CONFIGURATION_GROUPS)[number]>;

/** First parts of addresses that the site has of its own: information pages below one of them would never be found. */
export const TAKEN_PRODUCT_CODES: readonly string[] = [
  "account",
  "admin",
  "alumni",
  "api",
  "assets",
  "board",
  "calendar",
  "certificate",
  "cohort",
  "confirm",
  "mail",
  "mypage",
  "privacy",
  "registry",
  "research",
  "search",
  "sitemap",
  "terms",
  "tos",
];

/** `unknown`: it was not used yet. `local`: of a developer's machine, where nothing goes out. */
export type ConfigurationState = "ok" | "failed" | "off" | "unknown" | "local";

export interface ConfigurationFinding {
  /** What it is set to; of a secret and a binding nothing. */
  value: string;
  state: ConfigurationState;
  /** What was found. */
  note: string;
  /** When it last worked, or did not. */
  date: string | null;
}

export interface ConfigurationLine extends ConfigurationFinding {
  name: ConfigurationName;
  isSet: boolean;
  label: string;
  kind: ConfigurationKind;
}

export interface ConfigurationGroup {
  label: string;
  lines: ConfigurationLine[];
}
