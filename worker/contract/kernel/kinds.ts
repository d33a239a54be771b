import type { z } from "zod";
import {
  canBeEmpty,
  defineKind,
  type Emptied,
  type FieldBase,
  type FieldWith,
  type MoreOf,
  type OrEmpty,
  type Schemas,
} from "./field-kind.ts";
import { orRequired } from "./korean-issues.ts";
import { SIZE_LIMITS } from "./limits.ts";

interface TextOptions extends Emptied {
  /** Characters. */
  max?: number;
  lang?: "en";
}

interface LineOptions extends TextOptions {
  /** Of a control for a long line. */
  rows?: number;
  type?: "email" | "tel" | "search";
  placeholder?: string;
}

interface LinesOptions extends TextOptions {
  maxLines?: number;
}

interface NumberOptions extends Emptied {
  min?: number;
  max?: number;
  /** Only a system administrator sets a smaller number. */
  floor?: number;
}

interface ChoiceOptions extends Emptied {
  options: Readonly<Record<string, string>>;
  /** Draws the options as buttons. */
  asButtons?: true;
  /** The choice of nothing. */
  placeholder?: string;
}

interface ChoicesOptions extends Emptied {
  options: Readonly<Record<string, string>>;
}

type AnyField = FieldBase<unknown, unknown>;

const textRules = {
  empty: "",
  least: { minLength: 1 },
  control: "text",
  schema: ({ lineField }: Schemas, { max = 200 }: { max?: number }) => lineField(max),
  stored: ({ z }: Schemas) => z.string(),
} as const;

const numberRules = {
  empty: null,
  schema({ z }: Schemas, field: AnyField & NumberOptions) {
    const { min = 0, max = SIZE_LIMITS.documentBytes } = field;
    const filled = z.number().int().min(min).max(max);
    return canBeEmpty(field) ? filled.nullable() : filled;
  },
  stored: ({ z }: Schemas, field: AnyField) => (canBeEmpty(field) ? z.number().nullable() : z.number()),
} as const;

const storedTexts = ({ z }: Schemas) => z.array(z.string());

/** The value, or nothing in the way that its kind is sent or stored. */
const orNothing = ({ z }: Schemas, field: AnyField, filled: z.ZodType, nothing: z.ZodType) =>
  canBeEmpty(field)
    ? z.union([nothing, filled], {
        error: ({ input, errors }) => orRequired(String(errors?.at(-1)?.[0]?.message))({ input }),
      })
    : filled;

const oneOf = ({ z }: Schemas, options: object, more: readonly string[] = []) =>
  z.enum([...more, ...Object.keys(options)], { error: orRequired("선택할 수 없는 값입니다.") });

/** Markup without a letter or a picture. */
const isBlankMarkup = (markup: string): boolean =>
  !markup.toLowerCase().includes("<img") &&
  markup
    .split("<")
    .every((part, at) => (at === 0 ? part : part.slice(part.indexOf(">") + 1)).replaceAll("&nbsp;", " ").trim() === "");

export const line = defineKind<LineOptions, string>()("line", textRules);

/** Its pattern is given to `rowInputs`. */
export const code = defineKind<TextOptions, string>()("code", { ...textRules, attributes: { autoCapitalize: "none" } });

export const link = defineKind<TextOptions, string>()("link", {
  ...textRules,
  attributes: { autoCapitalize: "none" },
  defaults: { max: SIZE_LIMITS.linkLength },
});

export const html = defineKind<TextOptions, string>()("html", {
  ...textRules,
  control: "editor",
  schema: ({ z }) => z.string().max(SIZE_LIMITS.contentBytes / 4, { abort: true }),
  isEmpty: isBlankMarkup,
});

/** `max` characters each. */
export const lines = defineKind<LinesOptions, string[]>()("lines", {
  empty: [],
  least: { minItems: 1 },
  control: "lines",
  // An English line may be empty: it belongs to the Korean line at its place.
  schema: ({ z, lineField, requiredLineField }, { max = 200, maxLines = 50, lang }) =>
    z.array(lang ? lineField(max) : requiredLineField(max)).max(maxLines),
  stored: storedTexts,
});

export const day = defineKind<Emptied, string>()("day", {
  empty: "",
  control: "text",
  attributes: { type: "date" },
  schema: (schemas, field) =>
    orNothing(schemas, field, schemas.boundedDay(orRequired(schemas.DAY_MESSAGE)), schemas.z.literal("")),
  stored: ({ z }) => z.string(),
});

export const moment = defineKind<Emptied, string, never, Date, null>()("moment", {
  empty: "",
  storedEmpty: null,
  control: "moment",
  schema(schemas, field) {
    const nothing = schemas.z.literal(["", null]).transform(() => null);
    return orNothing(schemas, field, schemas.boundedDate(orRequired(schemas.ISO_DATE_MESSAGE)), nothing);
  },
  stored: ({ z }, field) => (canBeEmpty(field) ? z.date().nullable() : z.date()),
});

/** Null when it is empty; with `start: 0` that is 0, and with another start it is refused. */
export const whole = defineKind<NumberOptions, number, null>()("number", { ...numberRules, control: "number" });

/** Stored in bytes, entered in megabytes. */
export const bytes = defineKind<NumberOptions, number, null>()("bytes", { ...numberRules, control: "megabytes" });

export const flag = defineKind<object, boolean>()("flag", {
  empty: false,
  control: "tick",
  schema: ({ flagField }) => flagField,
  stored: ({ z }) => z.boolean(),
});

const anyChoice = defineKind<ChoiceOptions, string>()("choice", {
  empty: "",
  control: "choice",
  schema: (schemas, field) => oneOf(schemas, field.options, canBeEmpty(field) ? [""] : []),
  stored: (schemas, field) => oneOf(schemas, field.options, canBeEmpty(field) ? [""] : []),
});

/** Without a start nothing is chosen, as in the conditions of a list. */
export const choice = Object.assign(
  <
    K extends string,
    S extends NoInfer<K> | undefined = undefined,
    M extends Omit<MoreOf<ChoiceOptions, K>, "options"> = Omit<MoreOf<ChoiceOptions, K>, "options">,
  >(
    label: string,
    options: Readonly<Record<K, string>>,
    start?: S,
    more?: M,
  ) =>
    anyChoice(label, { options, ...(start && { start }), ...more }) as FieldWith<
      "choice",
      ChoiceOptions,
      K | (S extends string ? never : OrEmpty<M, "">)
    >,
  { kind: anyChoice.kind, rules: anyChoice.rules },
);

const anyChoices = defineKind<ChoicesOptions, string[]>()("choices", {
  empty: [],
  least: { minItems: 1 },
  control: "ticks",
  schema: (schemas, { options }) => schemas.z.array(oneOf(schemas, options)),
  stored: storedTexts,
});

/** Begins with all of them. */
export const choices = Object.assign(
  (label: string, options: readonly string[], more: Omit<MoreOf<ChoicesOptions, string[]>, "options"> = {}) =>
    anyChoices(label, {
      options: Object.fromEntries(options.map((each) => [each, each])),
      start: [...options],
      ...more,
    }),
  { kind: anyChoices.kind, rules: anyChoices.rules },
);
