import { z } from "zod";
import { type AppError, invalidInput } from "./errors.ts";
import { koreanIssue, REQUIRED_MESSAGE } from "./korean-issues.ts";
import { profileMissingMessage } from "./messages.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";

/** Common field names; others keep the name that the call gives. */
const FIELD_NAMES: Record<string, string> = {
  address: "주소",
  advertising: "광고 여부",
  affiliation: "소속",
  boardCode: "게시판 코드",
  boardName: "게시판 이름",
  category: "분류",
  code: "코드",
  content: "내용",
  description: "설명",
  effectiveDate: "시행일",
  email: "이메일",
  endDate: "끝나는 날",
  fileName: "파일 이름",
  inputType: "입력 방식",
  itemNos: "글 번호",
  kind: "종류",
  label: "이름",
  linkUrl: "주소",
  menu: "메뉴",
  message: "내용",
  mobile: "휴대전화번호",
  name: "이름",
  newPassword: "새 비밀번호",
  note: "바뀐 점",
  password: "비밀번호",
  permissions: "권한",
  phone: "연락처",
  pincode: "인증번호",
  profile: "추가 항목",
  reason: "사유",
  receivedDay: "받은 날",
  refreshToken: "로그인 정보",
  requesterName: "요청한 분",
  roleCode: "역할",
  roleName: "역할 이름",
  size: "크기",
  startDate: "시작하는 날",
  status: "상태",
  subject: "제목",
  text: "본문",
  title: "제목",
  url: "주소",
  userKeyCode: "아이디",
  userKeyToken: "인증 정보",
  userKeyTokenForEmail: "이메일 인증",
  userKeyTokenForMobile: "휴대전화 인증",
  userKeyType: "아이디 종류",
  userName: "이름",
  userToken: "인증 정보",
  version: "판",
};

/** @param path such as `title`, `profile.org`, `rows.3.name` */
function fieldName(path: string): string {
  const last = path.split(".").findLast((part) => !/^\d+$/.test(part)) ?? path;
  return lookUp(FIELD_NAMES, last) ?? last;
}

/** The label that a declared field has at a path. */
function labelAt(schema: unknown, path: readonly PropertyKey[]): string | undefined {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return labelAt(schema.unwrap(), path);
  const [name, ...rest] = path;
  const inside =
    schema instanceof z.ZodArray
      ? schema.element
      : schema instanceof z.ZodObject
        ? lookUp(schema.shape, String(name))
        : undefined;
  if (rest.length > 0) return labelAt(inside, rest);
  return inside instanceof z.ZodType ? inside.meta()?.title : undefined;
}

z.config({ customError: koreanIssue });

export function fieldErrors(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) {
    const path = issue.path.join(".") || "_";
    fields[path] ??= issue.message;
  }
  return fields;
}

function invalidInputOf(schema: z.ZodType, error: z.ZodError): AppError {
  const fields = fieldErrors(error);
  const [path, message] = Object.entries(fields)[0] ?? [];
  const isMissing = message === REQUIRED_MESSAGE && path && path !== "_";
  const label = isMissing && (labelAt(schema, error.issues[0]?.path ?? []) ?? fieldName(path));
  return invalidInput(fields, label ? profileMissingMessage(label) : message);
}

/** @throws AppError INVALID_INPUT with one message a field */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalidInputOf(schema, result.error);
  return result.data;
}
