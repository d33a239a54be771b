import { z } from "zod";
import { lineField, textField, idField } from "../kernel/fields.ts";
import { contentRowVersion } from "./input.ts";
import { CENTER_LIMITS } from "./rules.ts";

export const regionCode = z.string().regex(/^[a-z]{2,20}$/, "지역 코드는 영문 소문자 2~20자입니다.");

export const centerPathInput = z.object({ regionCode });

const requiredName = (max: number, message: string) => lineField(max).refine((value) => value !== "", { message });

const phoneField = lineField(CENTER_LIMITS.phone).refine((value) => value === "" || /^[\d+()\- ]{3,30}$/.test(value), {
  message: "전화번호 형식이 올바르지 않습니다.",
});

const webAddressField = lineField(CENTER_LIMITS.url).refine(
  (value) => value === "" || /^https?:\/\/[^\s/]+/.test(value),
  {
    message: "http:// 또는 https://로 시작하는 주소를 입력해 주십시오.",
  },
);

export const centerValue = z.object({
  regionName: requiredName(CENTER_LIMITS.regionName, "지역 이름을 입력해 주십시오."),
  centerName: requiredName(CENTER_LIMITS.centerName, "센터 이름을 입력해 주십시오."),
  director: lineField(CENTER_LIMITS.director).default(""),
  address: lineField(CENTER_LIMITS.address).default(""),
  phone: phoneField.default(""),
  fax: phoneField.default(""),
  url: webAddressField.default(""),
  directions: textField(CENTER_LIMITS.directions).default(""),
  introduction: textField(CENTER_LIMITS.introduction).default(""),
  imageFileId: z.union([z.literal(""), idField]).default(""),
  imageAlt: lineField(CENTER_LIMITS.imageAlt).default(""),
  /** Empty: the centre has no English page. */
  englishName: lineField(CENTER_LIMITS.englishName).default(""),
  englishDirector: lineField(CENTER_LIMITS.englishDirector).default(""),
  englishAddress: lineField(CENTER_LIMITS.englishAddress).default(""),
  englishDirections: textField(CENTER_LIMITS.englishDirections).default(""),
  englishIntroduction: textField(CENTER_LIMITS.englishIntroduction).default(""),
  englishImageAlt: lineField(CENTER_LIMITS.englishImageAlt).default(""),
});

export type CenterValue = z.output<typeof centerValue>;

const ENGLISH_CENTER_TEXTS = [
  "englishDirector",
  "englishAddress",
  "englishDirections",
  "englishIntroduction",
  "englishImageAlt",
] as const;

const ENGLISH_NAME_ISSUE = { path: ["englishName"], message: "영문 내용이 있으면 영문 이름도 적어 주십시오." };

export const saveCenterInput = centerValue
  .extend({ version: contentRowVersion })
  .refine(({ imageFileId, imageAlt }) => imageFileId === "" || imageAlt !== "", {
    path: ["imageAlt"],
    message: "사진에 무엇이 보이는지 적어 주십시오.",
  })
  .refine(
    ({ englishName, ...value }) => englishName !== "" || ENGLISH_CENTER_TEXTS.every((name) => value[name] === ""),
    ENGLISH_NAME_ISSUE,
  );

/** Excludes the picture, which belongs to its site. */
export const centerDocument = centerValue
  .omit({ imageFileId: true, imageAlt: true, englishImageAlt: true })
  .extend({ regionCode })
  .refine(
    ({ englishName, englishDirector, englishAddress, englishDirections, englishIntroduction }) =>
      englishName !== "" || `${englishDirector}${englishAddress}${englishDirections}${englishIntroduction}` === "",
    ENGLISH_NAME_ISSUE,
  );

export const orderCentersInput = z.object({ codes: z.array(regionCode).min(1).max(100) });
