import { ACCOUNT_RULE_MESSAGES, SECOND_FACTOR_MESSAGES } from "#worker/contract/account/rule-messages.ts";
import { expect, test } from "vitest";
import { ENGLISH_EVENT_TEXTS } from "#app/lib/texts/english-board.ts";
import { ENGLISH_ACCOUNT_SECTIONS } from "#app/lib/texts/english-account.ts";
import { ENGLISH_SECTIONS, ENGLISH_TEXTS } from "#app/lib/texts/english.ts";
import { ENGLISH_SIGNIN_TEXTS } from "#app/lib/texts/english-signin.ts";
import { englishProblem, englishProfileProblem } from "#app/lib/texts/english-problems.ts";
import { KOREAN_EVENT_TEXTS } from "#app/lib/texts/korean-events.ts";
import type { EventView } from "#worker/contract/board/view.ts";
import { valuesOf } from "#worker/contract/kernel/labels.ts";
import { PROFILE_INPUT_LABELS } from "#worker/contract/account/rules.ts";
import {
  ENGLISH_MAIL_TEXTS,
  MAIL_TEMPLATES,
  type MailTemplateKind,
  mailTemplateProblems,
} from "#worker/contract/mail/templates.ts";
import { TEXT_MESSAGE_BYTES, textMessageBytes } from "#worker/contract/mail/text-message.ts";
import { REGISTRATION_MESSAGES } from "#worker/contract/event/event.ts";
import { RULES } from "#worker/contract/kernel/setting/identity-rules.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { englishPath, isKorean, koreanPath } from "#worker/contract/kernel/language.ts";

/** Collects all strings recursively; texts made by functions are left out. */
const plainTexts = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(plainTexts)
      : [];

test("no English text contains Korean, except the name of the language link", () => {
  const texts = plainTexts([ENGLISH_TEXTS, ENGLISH_SECTIONS, ENGLISH_ACCOUNT_SECTIONS]);
  expect(texts.length).toBeGreaterThan(200);
  expect(texts.filter((text) => isKorean(text) && text !== "한국어")).toEqual([]);
});

const event = (value: Partial<EventView>): EventView => ({
  isAllDay: false,
  startDate: "2026-12-11T00:30:00.000Z",
  endDate: "2026-12-11T08:40:00.000Z",
  firstDay: "2026-12-11",
  lastDay: "2026-12-11",
  place: "",
  deadline: null,
  isCancelled: false,
  daysLeft: 18,
  isOver: false,
  ...value,
});

test.for<[string, Partial<EventView>]>([
  ["Fri 11 Dec 2026, 09:30–17:40 KST", {}],
  ["Fri 11 Dec 2026, 09:30 KST", { endDate: "2026-12-11T00:30:00.000Z" }],
  ["Fri 11 Dec 2026, 09:30–midnight KST", { endDate: "2026-12-11T15:00:00.000Z" }],
  ["Fri 11 Dec 2026", { isAllDay: true }],
  ["Fri 11 Dec to Sun 13 Dec 2026", { isAllDay: true, lastDay: "2026-12-13" }],
  ["Fri 11 Dec 2026 to Fri 1 Jan 2027", { isAllDay: true, lastDay: "2027-01-01" }],
  ["Fri 11 Dec, 09:30 to Sat 12 Dec 2026, 06:00 KST", { lastDay: "2026-12-12", endDate: "2026-12-11T21:00:00.000Z" }],
])("an event is on %s", ([text, value]) => {
  expect(ENGLISH_EVENT_TEXTS.spanText(event(value))).toBe(text);
});

test("the time until an event is given in words", () => {
  const said = [{}, { daysLeft: 1 }, { daysLeft: 0 }, { daysLeft: -1 }, { isOver: true }, { isCancelled: true }];
  expect(said.map((value) => ENGLISH_EVENT_TEXTS.distanceText(event(value)))).toEqual([
    "in 18 days",
    "tomorrow",
    "today",
    "under way",
    "",
    "cancelled",
  ]);
});

test("a refused sign-in gives the reason in English", () => {
  const { failed, passkeyFailed } = ENGLISH_SIGNIN_TEXTS;
  const wrong = (remaining: number) => failed(new AppError("INVALID_CREDENTIAL", { data: { remaining } }));
  expect(wrong(3)).toContain("closed for a while: 3.");
  expect(wrong(0)).toContain("closed for a while.");
  expect(failed(new AppError("TOO_MANY_REQUESTS"))).toContain("too many attempts");
  expect(failed(new Error("x"))).toContain("try again in a moment");
  expect(passkeyFailed(Object.assign(new Error("x"), { name: "NotAllowedError" }))).toBeNull();
  expect(passkeyFailed(new AppError("INVALID_CREDENTIAL"))).toBe("The password is not correct.");
});

test.for([
  ["/", "/en"],
  ["/board/notice/List/?page=2", "/en/board/notice/List/?page=2"],
  ["/Board/Notice/View/3", "/en/Board/Notice/View/3"],
  ["/board/notice/rss.xml", "/en/board/notice/rss.xml"],
  ["/search?keyword=a", "/en/search?keyword=a"],
  ["/calendar", "/en/calendar"],
  ["/Account/Signin?returnUrl=%2Fen", "/en/Account/Signin?returnUrl=%2Fen"],
  ["/pid/about", "/en/pid/about"],
  ["/Board/notice/Register/3", "/en/Board/notice/Register/3"],
  ["/mail/event/x", "/en/mail/event/x"],
  ["/Account/Signup/Welcome", "/en/Account/Signup/Welcome"],
  ["/Account/FindPassword", "/en/Account/FindPassword"],
])("%s is in English at %s", ([korean = "", english = ""]) => {
  expect(englishPath("pid", korean)).toBe(english);
  expect(koreanPath(english)).toBe(korean);
});

test.for(["/en//evil.example/a", "/EN///evil.example/a"])("the Korean path of %s stays on this site", (path) => {
  expect(koreanPath(path)).toBe("/evil.example/a");
});

test.for(["/board/notice/Write", "/board/notice/Bin", "/Mypage", "/Admin", "/Account/Agreements/terms", "/alumni"])(
  "%s exists only in Korean",
  (path) => {
    expect(englishPath("pid", path)).toBe(path);
  },
);

test("every account rule has an English text", () => {
  const said = Object.values(ACCOUNT_RULE_MESSAGES).map((text) => englishProblem("x", text, RULES));
  expect(new Set(said).size).toBe(said.length);
  const all = [...said, ...valuesOf(PROFILE_INPUT_LABELS).map((inputType) => englishProfileProblem({ inputType }))];
  expect(all.filter((text) => isKorean(text) || text === englishProblem("x", "모르는 규칙", RULES))).toEqual([]);
});

const TOLD = [
  "closed",
  "full",
  "fullButWaiting",
  "role",
  "signIn",
  "questionsChanged",
  "feeNotTheirs",
  "twice",
] as const;

test("a refused registration gives its own reason in English", () => {
  const { said, refuse } = ENGLISH_ACCOUNT_SECTIONS.register;
  const texts = TOLD.map((key) => said(REGISTRATION_MESSAGES[key]));
  expect(new Set(texts).size).toBe(TOLD.length);
  expect(texts.filter(isKorean)).toEqual([]);
  const fields = { feeCode: REGISTRATION_MESSAGES.feeNotTheirs, "profile.q1": "골라 주십시오." };
  const refused = () => refuse(new AppError("INVALID_INPUT", { fields }), (_field, text) => `checked ${text.length}`);
  expect(refused).toThrow(expect.objectContaining({ fields: { feeCode: texts[6], "profile.q1": "checked 8" } }));
});

test("a refused code or second factor gives the reason in English", () => {
  const { account, secondFactor } = ENGLISH_ACCOUNT_SECTIONS;
  const wrong = (remaining: number) => account.codeFailed(new AppError("PINCODE_MISMATCH", { data: { remaining } }));
  expect([wrong(2), wrong(0)]).toEqual([
    "The code is not correct. Attempts left: 2.",
    "The code is not correct. Please ask for a new code.",
  ]);
  expect(account.failed("sendCode", new AppError("TOO_MANY_REQUESTS", { retryAfterSeconds: 61 }))).toBe(
    "The code could not be sent. There have been too many attempts. Please try again in 2 minutes.",
  );
  expect(account.failed("check", new Error("x"))).toBe("This could not be checked. Please try again in a moment.");
  const { totpWrong } = SECOND_FACTOR_MESSAGES;
  expect(secondFactor.failed(new AppError("PINCODE_MISMATCH", { message: totpWrong }))).toContain("authenticator app");
  expect(secondFactor.failed(new AppError("INTERNAL_ERROR"))).toBe("The verification did not work.");
});

test.for(Object.entries(ENGLISH_MAIL_TEXTS))(
  "the English message %s has the fields of the Korean one",
  ([kind, text]) => {
    const { fields, channel } = MAIL_TEMPLATES[kind as MailTemplateKind];
    expect(mailTemplateProblems(fields, text)).toEqual({});
    expect(isKorean(`${text.subject} ${text.text}`.replace(/\{\{[^}]*\}\}/g, ""))).toBe(false);
    if (channel === "sms")
      expect(textMessageBytes(text.text.replace(/\{\{[^}]*\}\}/g, "123456"))).toBeLessThanOrEqual(
        TEXT_MESSAGE_BYTES.sms,
      );
  },
);

test("a two-day Korean event shows both days in one format", () => {
  const hours = { startDate: "2026-11-28T13:00:00.000Z", endDate: "2026-11-28T21:00:00.000Z" };
  const night = event({ ...hours, firstDay: "2026-11-28", lastDay: "2026-11-29" });
  expect(KOREAN_EVENT_TEXTS.spanText(night)).toBe("2026. 11. 28.(토) 22:00~11. 29.(일) 06:00");
  const newYear = event({ isAllDay: true, firstDay: "2026-12-31", lastDay: "2027-01-02" });
  expect(KOREAN_EVENT_TEXTS.spanText(newYear)).toBe("2026. 12. 31.(목)~2027. 1. 2.(토)");
});
