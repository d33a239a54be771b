import { valuesOf } from "./labels.ts";
import { RATE_LIMITS, type RateLimit, type RateLimitName } from "./limits.ts";

export const LIMIT_GROUPS = {
  signin: "로그인",
  code: "가입과 인증번호",
  use: "글, 파일, 검색, 주소록",
  office: "담당자",
} as const;

interface LimitRule {
  group: keyof typeof LIMIT_GROUPS;
  label: string;
  meaning: string;
  unit: string;
  min: number;
  max: number;
  /** Counted units per unit of the setting; 1 by default. */
  scale?: number;
  /** The setting is the window in seconds, with one request each; otherwise it is the maximum. */
  setsSeconds?: boolean;
}

export const LIMIT_RULES = {
  signinFailureKeyAddress: {
    group: "signin",
    label: "로그인 실패 (한 계정, 한 접속 주소)",
    meaning:
      "같은 곳에서 한 계정의 비밀번호를 이만큼 틀리면 15분 동안 로그인을 막습니다. 마지막 한 번 전에 알려 드립니다.",
    unit: "번",
    min: 3,
    max: 20,
  },
  signinFailureKey: {
    group: "signin",
    label: "하루 로그인 실패 (한 계정)",
    meaning: "접속 주소와 관계없이 하루에 이만큼 틀리면 그날은 비밀번호를 재설정해야 로그인할 수 있습니다.",
    unit: "번",
    min: 10,
    max: 500,
  },
  signinFailureAddress: {
    group: "signin",
    label: "시간당 로그인 실패 (한 접속 주소)",
    meaning:
      "한 곳에서 모두 합하여 이만큼 틀리면 그곳에서는 계정마다 세 번까지만 틀릴 수 있습니다. 비밀번호가 맞으면 누구나 로그인할 수 있습니다.",
    unit: "번",
    min: 10,
    max: 5000,
  },
  lookupAddress: {
    group: "signin",
    label: "시간당 가입 여부 확인 (한 접속 주소)",
    meaning: "중복 확인, 아이디 찾기, 없는 아이디로 한 로그인을 함께 셉니다. 누가 회원인지 알아내는 것을 막습니다.",
    unit: "번",
    min: 10,
    max: 5000,
  },
  findIdAddress: {
    group: "signin",
    label: "시간당 아이디 찾기 (한 접속 주소)",
    meaning: "이름과 주소를 짝지어 맞혀 보는 것을 막습니다.",
    unit: "번",
    min: 3,
    max: 1000,
  },
  codeKeyWait: {
    group: "code",
    label: "인증번호를 다시 받기까지 기다리는 시간",
    meaning: "인증번호를 보낸 뒤 이 시간이 지나야 재전송 단추를 누를 수 있습니다.",
    unit: "초",
    min: 30,
    max: 600,
    setsSeconds: true,
  },
  codeTries: {
    group: "code",
    label: "인증번호 하나를 맞혀 볼 수 있는 횟수",
    meaning: "이만큼 틀리면 그 인증번호는 쓸 수 없고 새로 받아야 합니다. 늘리면 맞혀 볼 기회도 늘어납니다.",
    unit: "번",
    min: 3,
    max: 10,
  },
  codeKeyHour: {
    group: "code",
    label: "시간당 인증번호 발송 (한 이메일·휴대전화)",
    meaning: "한 사람에게 인증번호가 너무 많이 가지 않게 합니다.",
    unit: "번",
    min: 2,
    max: 20,
  },
  codeKeyDay: {
    group: "code",
    label: "하루 인증번호 발송 (한 이메일·휴대전화)",
    meaning: "한 사람에게 인증번호가 너무 많이 가지 않게 합니다. 늘리면 인증번호를 맞혀 볼 기회도 늘어납니다.",
    unit: "번",
    min: 3,
    max: 50,
  },
  codeAddressDay: {
    group: "code",
    label: "하루 인증번호 발송 (한 접속 주소)",
    meaning: "큰 행사나 회사에서는 여러 사람이 주소 하나로 가입합니다.",
    unit: "번",
    min: 20,
    max: 20_000,
  },
  codeSignupSiteDay: {
    group: "code",
    label: "하루 가입 인증번호 발송 (사이트 전체)",
    meaning: "메일과 문자 요금의 상한입니다. 절반에 이르면 관리자에게 메일로 알립니다.",
    unit: "번",
    min: 20,
    max: 100_000,
  },
  codeResetSiteDay: {
    group: "code",
    label: "하루 비밀번호 재설정 인증번호 발송 (사이트 전체)",
    meaning: "가입과 따로 셉니다. 절반에 이르면 관리자에게 메일로 알립니다.",
    unit: "번",
    min: 20,
    max: 100_000,
  },
  confirmAddress: {
    group: "code",
    label: "시간당 인증번호 틀림 (한 접속 주소)",
    meaning:
      "한 접속 주소에서 틀린 횟수를 여러 인증번호에 걸쳐 모두 합한 것입니다. 이만큼 틀리면 그곳에서는 인증번호마다 세 번까지만 틀릴 수 있습니다.",
    unit: "번",
    min: 10,
    max: 5000,
  },
  signupAddress: {
    group: "code",
    label: "시간당 가입 (한 접속 주소)",
    meaning: "큰 행사나 회사에서는 여러 사람이 주소 하나로 가입합니다.",
    unit: "번",
    min: 10,
    max: 5000,
  },
  refreshSession: {
    group: "signin",
    label: "시간당 로그인 연장 (한 기기)",
    meaning: "브라우저가 로그인을 자동으로 연장하는 횟수입니다. 보통 한 시간에 서너 번입니다.",
    unit: "번",
    min: 10,
    max: 1000,
  },
  itemHour: {
    group: "use",
    label: "시간당 글쓰기 (한 회원)",
    meaning: "게시판을 관리하지 않는 회원이 한 시간에 올릴 수 있는 글 수입니다.",
    unit: "건",
    min: 1,
    max: 1000,
  },
  commentHour: {
    group: "use",
    label: "시간당 댓글 (한 회원)",
    meaning: "게시판을 관리하지 않는 회원이 한 시간에 쓸 수 있는 댓글 수입니다.",
    unit: "건",
    min: 5,
    max: 2000,
  },
  commentMailHour: {
    group: "use",
    label: "시간당 댓글 알림 메일 (글 하나, 받는 사람 하나)",
    meaning: "한 글에 댓글이 이보다 많이 달리면 나머지는 메일 한 통에 모아 보냅니다.",
    unit: "통",
    min: 1,
    max: 20,
  },
  uploadUrl: {
    group: "use",
    label: "분당 파일 올리기 (한 회원)",
    meaning: "한 회원이 1분 동안 올릴 수 있는 파일 수입니다.",
    unit: "개",
    min: 5,
    max: 1000,
  },
  uploadBytesDay: {
    group: "use",
    label: "하루 파일 크기 (한 회원)",
    meaning: "한 회원이 하루에 올릴 수 있는 파일을 모두 합한 크기입니다.",
    unit: "MB",
    min: 20,
    max: 10_000,
    scale: 1024 * 1024,
  },
  searchAddress: {
    group: "use",
    label: "분당 검색 (한 접속 주소)",
    meaning: "로그인하지 않은 사람의 검색입니다.",
    unit: "번",
    min: 10,
    max: 5000,
  },
  searchAccount: {
    group: "use",
    label: "분당 검색 (한 회원)",
    meaning: "로그인한 회원의 검색입니다.",
    unit: "번",
    min: 10,
    max: 1000,
  },
  alumniRows: {
    group: "use",
    label: "시간당 주소록 열람 (한 회원)",
    meaning: "회원이 찾아보기에는 넉넉하고 주소록을 통째로 베끼기에는 모자라게 정해 주십시오.",
    unit: "명",
    min: 50,
    max: 10_000,
  },
  inquiryDay: {
    group: "use",
    label: "하루 1:1 문의 (한 회원)",
    meaning: "한 회원이 하루에 보낼 수 있는 문의와 추가 질문의 수입니다.",
    unit: "건",
    min: 1,
    max: 200,
  },
  exportDay: {
    group: "office",
    label: "하루 내보내기 (한 담당자)",
    meaning: "주소록, 회원, 게시판을 파일로 내려받는 횟수입니다.",
    unit: "번",
    min: 1,
    max: 500,
  },
  importLookRowsDay: {
    group: "office",
    label: "하루 주소록 미리보기 (한 담당자)",
    meaning: "가져올 파일에서 읽어 주소록과 비교한 사람 수를 모두 더합니다. 파일 수는 세지 않습니다.",
    unit: "명",
    min: 1000,
    max: 100_000_000,
  },
  importRowsDay: {
    group: "office",
    label: "하루 주소록 가져오기 (한 담당자)",
    meaning: "가져오기로 하루에 더하거나 고칠 수 있는 사람 수입니다.",
    unit: "명",
    min: 1000,
    max: 10_000_000,
  },
} as const satisfies Partial<Record<RateLimitName, LimitRule>>;

export type EditableLimitName = keyof typeof LIMIT_RULES;

export const EDITABLE_LIMITS = valuesOf(LIMIT_RULES);

export function limitOfSetting(name: EditableLimitName, value: number): RateLimit {
  const { scale = 1, setsSeconds = false }: LimitRule = LIMIT_RULES[name];
  return setsSeconds ? { ...RATE_LIMITS[name], windowSeconds: value } : { ...RATE_LIMITS[name], max: value * scale };
}

function standardOf(name: EditableLimitName): number {
  const { scale = 1, setsSeconds = false }: LimitRule = LIMIT_RULES[name];
  return setsSeconds ? RATE_LIMITS[name].windowSeconds : RATE_LIMITS[name].max / scale;
}

export const limitSetsSeconds = (name: EditableLimitName): boolean =>
  (LIMIT_RULES[name] as LimitRule).setsSeconds ?? false;

export type LimitSettings = Record<EditableLimitName, number>;

export const DEFAULT_LIMIT_SETTINGS = Object.fromEntries(
  EDITABLE_LIMITS.map((name) => [name, standardOf(name)]),
) as LimitSettings;

export interface LimitSettingView {
  limits: { name: EditableLimitName; value: number; standard: number }[];
  version: number;
}
