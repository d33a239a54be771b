import { ACCOUNT_RULE_MESSAGES } from "#worker/contract/account/rule-messages.ts";
import { describe, expect, test } from "vitest";
import { replaceEmailDomain } from "#app/features/account/address-field.tsx";
import { hyphenatePhone } from "#app/features/account/hyphenate-phone.ts";
import { checkSignup, signupServerErrors } from "#app/features/account/signup/check-signup.ts";
import type { SignupDraft } from "#app/features/account/signup/signup-draft.ts";
import { signinErrorMessage, addObjectParticle } from "#app/features/account/error-messages.ts";
import {
  formatCountdown,
  completeVerification,
  startVerification,
  findVerification,
} from "#app/features/account/verification.ts";
import { KOREAN_ACCOUNT_TEXTS } from "#app/features/account/account-texts.ts";
import { ENGLISH_ACCOUNT_TEXTS } from "#app/lib/texts/english-account.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { OwnField } from "#worker/contract/alumni/own-fields.ts";
import { cleanOwnValue } from "#worker/contract/alumni/own-values.ts";
import type { ProfileField } from "#worker/contract/account/view.ts";
import type { SignupFormView } from "#worker/domain/account/signup.server.ts";
import { RULES } from "#worker/contract/kernel/setting/identity-rules.ts";
import { checkProfile } from "#worker/contract/account/own-field.ts";
import { isPhone, normalisePhone, passwordChecks } from "#worker/contract/account/rules.ts";
import { passwordProblem } from "#worker/domain/account/password-rule.server.ts";

describe("a phone number during typing", () => {
  test.each([
    ["0", "0"],
    ["010", "010"],
    ["0101", "010-1"],
    ["0101234", "010-123-4"],
    ["01012345678", "010-1234-5678"],
    ["010 1234 5678", "010-1234-5678"],
    ["010-1234-56789", "010-1234-5678"],
    ["0112345678", "011-234-5678"],
    ["021234567", "02-123-4567"],
    ["0212345678", "02-1234-5678"],
    ["0311234567", "031-123-4567"],
    ["+82 10-1234-5678", "010-1234-5678"],
    ["+82 010 1234 5678", "010-1234-5678"],
    ["+82 10", "+82 10"],
    ["０１０１２３４５６７８", "010-1234-5678"],
  ])("%s becomes %s", (typed, shown) => {
    expect(hyphenatePhone(typed)).toBe(shown);
  });
});

describe("a telephone number", () => {
  test.each([
    ["+43 1 4277 0", "+43 1 4277 0"],
    ["+43 (0)1/4277-0", "+43 1 4277-0"],
    ["+4314277 0", "+4314277 0"],
    ["＋１ (617) 555-0100", "+1 617 555-0100"],
    ["+82 10 1234 5678", "010-1234-5678"],
    ["02-123-4567", "02-123-4567"],
    ["+43 1", null],
    ["+999 1234 5678", null],
    ["+0 1234 5678", null],
    ["+1 617 555 0100 0100 01", null],
    ["4277 0", null],
    ["+82 1 4277", null],
  ])("%s is stored as %s", (typed, stored) => {
    const phone = normalisePhone(typed);
    expect(isPhone(phone) ? phone : null).toBe(stored);
  });
});

test("the domain list replaces the domain of an address", () => {
  expect(replaceEmailDomain("hong", "naver.com")).toBe("hong@naver.com");
  expect(replaceEmailDomain("hong@daum.net", "gmail.com")).toBe("hong@gmail.com");
});

test("particles match the last syllable", () => {
  expect([addObjectParticle("아이디"), addObjectParticle("이메일")]).toEqual(["아이디를", "이메일을"]);
});

describe("a refused sign-in", () => {
  test.each([
    [new AppError("INVALID_CREDENTIAL"), "계정 정보가 일치하지 않습니다. 다시 입력해주세요."],
    [new AppError("NOT_FOUND"), "회원 정보가 없습니다."],
    [new AppError("NOT_ACCEPTABLE"), "로그인에 실패했습니다. 관리자에게 문의해주세요."],
    [new AppError("INTERNAL_ERROR"), "로그인에 실패했습니다."],
    [new AppError("INVALID_INPUT"), "로그인에 실패했습니다."],
    [new Error("x"), "로그인에 실패했습니다."],
  ])("%s is reported in the words of the spec", (error, message) => {
    expect(signinErrorMessage(error)).toBe(message);
  });

  test("after too many attempts says when to try again", () => {
    const error = new AppError("TOO_MANY_REQUESTS", {
      message: "요청이 너무 많습니다. 15분 뒤에 다시 시도해 주십시오.",
    });
    expect(signinErrorMessage(error)).toBe(
      "로그인에 실패했습니다. 요청이 너무 많습니다. 15분 뒤에 다시 시도해 주십시오.",
    );
  });
});

describe("the proof of an address", () => {
  const sent = startVerification("hong@naver.com", { userKeyToken: "token", resendSeconds: 90 }, 1000);

  test("is valid only for that address, in any spelling", () => {
    expect(findVerification("Email", " Hong@NAVER.com ", sent, 2000)).toBe(sent);
    expect(findVerification("Email", "hong@naver.co", sent, 2000)).toBeNull();
    expect(sent.resendAt).toBe(1000 + 90_000);
  });

  test("expires: the code after 10 minutes, the proof after 30", () => {
    expect(findVerification("Email", "hong@naver.com", sent, 1000 + 600_000)).toBeNull();
    const confirmed = completeVerification(sent, "verified", 5000);
    expect(findVerification("Email", "hong@naver.com", confirmed, 5000 + 1_799_999)?.userKeyToken).toBe("verified");
    expect(findVerification("Email", "hong@naver.com", confirmed, 5000 + 1_800_000)).toBeNull();
  });

  test("counts down in minutes with seconds", () => {
    expect([formatCountdown(600_000), formatCountdown(59_001), formatCountdown(-1)]).toEqual([
      "10:00",
      "01:00",
      "00:00",
    ]);
  });
});

describe("the sign-up form", () => {
  const field = (part: Partial<ProfileField>): ProfileField => ({
    code: "x",
    name: "소속",
    inputType: "text",
    required: true,
    detail: [],
    englishName: "",
    englishDetail: [],
    order: 1,
    ...part,
  });
  const info = {
    authType: "IdAndPassword",
    rules: RULES,
    agreements: [
      { code: "terms", title: "이용약관", required: true, version: "2", content: "" },
      { code: "news", title: "소식지", required: false, version: "1", content: "" },
    ],
    userProfiles: [field({ code: "org" }), field({ code: "tel", name: "연락처", inputType: "phone" })],
  } as unknown as SignupFormView;
  const now = 1_000_000;
  const whole: SignupDraft = {
    agreed: ["terms@2"],
    email: "hong@naver.com",
    mobile: "",
    verification: completeVerification(
      startVerification("hong@naver.com", { userKeyToken: "a", resendSeconds: 60 }, now),
      "b",
      now,
    ),
    userId: "Hong",
    checkedId: "hong",
    userName: "홍길동",
    profile: { org: "한빛", tel: "02-123-4567" },
  };
  const passwords = { password: "abc12!", confirmation: "abc12!" };
  const check = (part: Partial<SignupDraft> = {}, other = passwords, texts = KOREAN_ACCOUNT_TEXTS) =>
    checkSignup(info, { ...whole, ...part }, other, now, texts);

  test("is complete when every step is done", () => {
    expect(check()).toEqual({});
    expect(check({ userName: "\u200b홍길동\u00a0" })).toEqual({});
  });

  test.each<[Partial<SignupDraft>, Record<string, string>]>([
    [{ agreed: ["terms@1"] }, { "agreements.terms": "'이용약관'에 동의해 주십시오." }],
    [{ verification: null }, { email: "이메일 인증을 진행해주세요." }],
    [{ email: "" }, { email: "이메일을 입력해 주십시오." }],
    [{ checkedId: null }, { userId: "아이디 중복 확인을 진행해주세요." }],
    [{ userId: "ho ng" }, { userId: "아이디는 공백 없이 입력해 주십시오." }],
    [{ userName: "Hong" }, { userName: "이름은 한글 1~4자로 입력해 주십시오." }],
    [{ userName: "홍길동이다" }, { userName: "이름은 한글 1~4자로 입력해 주십시오." }],
    [{ profile: { org: " ", tel: "02-123-4567" } }, { "profile.org": "소속 항목을 확인바랍니다." }],
    [{ profile: { org: "한빛", tel: "1234" } }, { "profile.tel": "연락처를 형식에 맞게 입력해주세요." }],
  ])("with %j says what to do", (part, errors) => {
    expect(check(part)).toEqual(errors);
  });

  test.each([
    ["0930", "09:30"],
    ["23:59", "23:59"],
    ["00:00", "00:00"],
    ["\uff10\uff19\uff1a\uff13\uff10", "09:30"],
    ["24:00", null],
    ["9:30", null],
    ["12:60", null],
    ["12-30", null],
    ["12:30:00", null],
  ])("a time field reads %s as %s", (given, kept) => {
    const times = [field({ code: "call", name: "통화 가능 시각", inputType: "time" })];
    const { profile, errors } = checkProfile(times, { call: given });
    expect([profile.call ?? null, Object.keys(errors).length]).toEqual([kept, kept === null ? 1 : 0]);
    if (kept === null) expect(errors["profile.call"]).toContain("통화 가능 시각 항목");
  });

  test.each<[Partial<ProfileField>, OwnField["kind"], string | string[]]>([
    [{ inputType: "date" }, "date", "2004. 2. 25."],
    [{ inputType: "date" }, "date", "05/06/2004"],
    [{ inputType: "radio" }, "choice", "  정 회원 "],
    [{ inputType: "select" }, "choice", "손님"],
    [{ inputType: "checkbox" }, "choices", ["준회원, 명예", "정회원"]],
    [{ inputType: "checkbox" }, "choices", ["정회원", "손님"]],
  ])("reads %j as the book reads its %s field: %j", (part, kind, given) => {
    const choices = ["정회원", "준회원, 명예"];
    const { profile, errors } = checkProfile([field({ detail: choices, ...part })], { x: given });
    const read = cleanOwnValue({ kind, choices }, given);
    expect("value" in read ? [read.value, {}] : [undefined, { "profile.x": expect.any(String) }]).toEqual([
      profile.x,
      errors,
    ]);
  });

  test.each([
    [{ password: "abcdef", confirmation: "abcdef" }, "password"],
    [{ password: "abc12!abc12!abc12!", confirmation: "" }, "password"],
    [{ password: "한글12!a", confirmation: "한글12!a" }, "password"],
    [{ password: "abc12!", confirmation: "abc12?" }, "passwordConfirmation"],
  ])("with the passwords %j has an error at %s", (given, id) => {
    expect(Object.keys(check({}, given))).toEqual([id]);
  });

  test("lists its errors in the order of the page", () => {
    const none = { ...whole, agreed: [], verification: null, userId: "", userName: "", profile: {} };
    const errors = check(none, { password: "", confirmation: "" });
    expect(Object.keys(errors)).toEqual([
      "agreements.terms",
      "email",
      "userId",
      "password",
      "userName",
      "profile.org",
      "profile.tel",
    ]);
  });

  test("shows a server error at its control", () => {
    const found = signupServerErrors(
      { userKeyCode: "a", userKeyTokenForEmail: "b", "profile.org": "c", other: "d" },
      info,
      KOREAN_ACCOUNT_TEXTS,
    );
    expect(found).toEqual({ userId: "a", email: "b", "profile.org": "c", form: "d" });
  });

  const NOTHING = { agreed: [], verification: null, email: "", userId: "", userName: "", profile: {} };
  const WRONG = {
    verification: null,
    email: "hong@",
    userId: "ho ng",
    userName: "Hong 3",
    profile: { org: "", tel: "1" },
  };
  test.each<[Partial<SignupDraft>, typeof passwords, Record<string, string>]>([
    [
      NOTHING,
      { password: "", confirmation: "" },
      {
        "agreements.terms": "You need to agree to this text to sign up.",
        email: "Please enter your email address.",
        userId: "Please enter your ID.",
        password: "Please enter a password.",
        userName: "Please enter your name.",
        "profile.org": "Please fill in this field.",
        "profile.tel": "Please enter a telephone number with its country code, for example +43 1 4277 0.",
      },
    ],
    [
      WRONG,
      { password: "abc", confirmation: "" },
      {
        email: "Please enter a valid email address.",
        userId: "Please enter an ID without spaces.",
        password: "Please choose a password of 6 to 16 characters with at least one letter, one digit and one symbol.",
        userName: "Please use Latin letters, or up to four Hangul syllables.",
        "profile.org": "Please fill in this field.",
        "profile.tel": "Please enter a telephone number with its country code, for example +43 1 4277 0.",
      },
    ],
    [
      { verification: null, checkedId: null },
      { password: "abc12!", confirmation: "abc12?" },
      {
        email: "Please verify your email address.",
        userId: "Please check whether this ID is available.",
        passwordConfirmation: "The two passwords are not the same.",
      },
    ],
  ])("with %j says in English what to do on an English page", (part, other, errors) => {
    expect(check(part, other, ENGLISH_ACCOUNT_TEXTS)).toEqual(errors);
  });

  test("shows every server error in English", () => {
    const fields = {
      password: ACCOUNT_RULE_MESSAGES.passwordCommon,
      userKeyCode: "어느 날 새로 생긴 규칙",
      "agreements.terms": "'이용약관'에 동의해 주십시오.",
      "profile.tel": "연락처를 형식에 맞게 입력해주세요.",
    };
    expect(signupServerErrors(fields, info, ENGLISH_ACCOUNT_TEXTS)).toEqual({
      password: "This password is widely known and easy to guess. Please choose another.",
      userId: "Please check what you have entered here.",
      "agreements.terms": "You need to agree to this text to sign up.",
      "profile.tel": "Please enter a telephone number with its country code, for example +43 1 4277 0.",
    });
  });
});

test.each([
  ["gildong88", "Gildong88!", true],
  ["gildong88", "G1ld0ng88!x", true],
  ["hong.gildong@example.kr", "1gildong!", true],
  ["010-1234-5678", "a!12345678", true],
  ["Anna-Maria Schmidt", "schm1dt!A1", true],
  ["김하늘", "Kimhaneul!1", false],
  ["lee@example.kr", "Sleeve!8831", false],
  ["010-1234-5678", "Zk7!1234", false],
])("the mark agrees with the rule on own words: %s, %s, %s", async (word, password, holds) => {
  const mark = passwordChecks(RULES.password, [word]).find(({ code }) => code === "own");
  expect(mark?.test(password)).toBe(!holds);
  const problem = await passwordProblem(RULES, password, [word]);
  expect(problem === ACCOUNT_RULE_MESSAGES.passwordOwn).toBe(holds);
});
