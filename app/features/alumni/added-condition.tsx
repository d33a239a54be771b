import { type ComponentType, useState } from "react";
import { now } from "#app/lib/clock.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, Input, Select } from "#app/ui/field.tsx";
import {
  type AlumniFilterText,
  CONDITION_KEYS,
  type ConditionEntry,
  conditionOf,
  type KeyOfKind,
} from "#worker/contract/alumni/conditions.ts";
import { DAY_FILTER_MAX, DUES_FILTER_YEARS } from "#worker/contract/alumni/list.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { formatCount } from "#app/lib/format.ts";
import type { AlumniListPage } from "#worker/domain/alumni/list.server.ts";

interface ControlsProps<V> {
  label: string;
  values: V;
  set: (values: V) => void;
  problem: string | null;
}

/** The controls of a kind of condition, whose values make its text. */
interface KindControls<V> {
  start: () => V;
  text: (values: V) => string;
  /** Why the text is unreadable. */
  problem: (values: V) => string;
  Controls: ComponentType<ControlsProps<V>>;
}

/** Kinds without a control in the search form. */
export type AddedKind = "dues" | "day";
type AddedKey = KeyOfKind<AddedKind>;

const define = <V extends object>(controls: KindControls<V>) => controls as unknown as KindControls<object>;

const YEARS = "years";
const DUES_CHOICES = [
  { value: "unpaid", label: "미납" },
  { value: "partial", label: "일부" },
  { value: "unpaid,partial", label: "미납과 일부" },
  { value: "paid", label: "완납" },
  { value: "exempt", label: "면제" },
  { value: YEARS, label: "여러 해 미납" },
];

const DAY_CHOICES = [
  { value: "days", label: "최근 며칠 안" },
  { value: "between", label: "두 날 사이" },
];

const CONTROLS: Record<AddedKind, KindControls<object>> = {
  dues: define({
    start: () => ({ states: "unpaid,partial", year: koreanDay(new Date(now())).slice(0, 4), years: "2" }),
    text: ({ states, year, years }) => (states === YEARS ? `${YEARS}:${years.trim()}` : `${year.trim()}:${states}`),
    problem: ({ states }) =>
      states === YEARS ? `햇수는 1에서 ${DUES_FILTER_YEARS}까지 적어 주십시오.` : "연도는 2026처럼 적어 주십시오.",
    Controls: ({ label, values, set, problem }) => {
      const isYears = values.states === YEARS;
      return (
        <>
          <Field label={label} className="w-44">
            <Select
              value={values.states}
              options={DUES_CHOICES}
              onChange={(event) => set({ ...values, states: event.target.value })}
            />
          </Field>
          <Field label={isYears ? "몇 해 이상" : "연도"} className="w-40" error={problem}>
            <Input
              value={isYears ? values.years : values.year}
              maxLength={isYears ? 2 : 13}
              inputMode="numeric"
              onChange={(event) => set({ ...values, [isYears ? "years" : "year"]: event.target.value })}
            />
          </Field>
        </>
      );
    },
  }),
  day: define({
    start: () => ({ way: "days", days: "30", from: "", to: "" }),
    text: ({ way, days, from, to }) => (way === "days" ? `days:${days.trim()}` : `between:${from},${to}`),
    problem: ({ way, from, to }) => {
      if (way === "days") return `일수는 1에서 ${formatCount(DAY_FILTER_MAX)}까지 적어 주십시오.`;
      return from === "" && to === "" ? "두 날 가운데 하나는 골라 주십시오." : "종료일이 시작일보다 앞섭니다.";
    },
    Controls: ({ label, values, set, problem }) => (
      <>
        <Field label={label} className="w-44">
          <Select
            value={values.way}
            options={DAY_CHOICES}
            onChange={(event) => set({ ...values, way: event.target.value })}
          />
        </Field>
        {values.way === "days" ? (
          <Field label="일수" className="w-40" error={problem}>
            <Input
              value={values.days}
              maxLength={String(DAY_FILTER_MAX).length}
              inputMode="numeric"
              onChange={(event) => set({ ...values, days: event.target.value })}
            />
          </Field>
        ) : (
          <>
            <Field label="시작일" className="w-44" error={problem}>
              <Input
                type="date"
                value={values.from}
                onChange={(event) => set({ ...values, from: event.target.value })}
              />
            </Field>
            <Field label="종료일" className="w-44">
              <Input type="date" value={values.to} onChange={(event) => set({ ...values, to: event.target.value })} />
            </Field>
          </>
        )}
      </>
    ),
  }),
};

const ADDED: readonly { key: AddedKey; entry: ConditionEntry<AddedKind>; controls: KindControls<object> }[] =
  CONDITION_KEYS.flatMap((key) => {
    const { entry } = conditionOf(key);
    return entry.kind === "dues" || entry.kind === "day"
      ? [{ key: key as AddedKey, entry, controls: CONTROLS[entry.kind] }]
      : [];
  });

interface Draft {
  isOpen: boolean;
  values: object;
  problem: string | null;
}

const startDraft = ({ start }: KindControls<object>): Draft => ({ isOpen: false, values: start(), problem: null });

/** Conditions with controls of their own, chosen and perhaps not yet added. */
export function useAddedConditions(can: AlumniListPage["can"]) {
  const [drafts, setDrafts] = useState(
    () => Object.fromEntries(ADDED.map(({ key, controls }) => [key, startDraft(controls)])) as Record<AddedKey, Draft>,
  );
  const change = (key: AddedKey, to: Partial<Draft>) =>
    setDrafts((before) => ({ ...before, [key]: { ...before[key], ...to } }));
  const mayUse = { office: can.write, dues: can.dues };
  const offered = ADDED.filter(({ entry }) => mayUse[entry.right]).map(({ key, entry, controls }) => {
    const { isOpen, values, problem } = drafts[key];
    const text = controls.text(values);
    const isRight = (conditionOf(key).parse(text) ?? null) !== null;
    const texts: AlumniFilterText = isOpen && isRight ? { [key]: text } : {};
    /** @returns false for an unreadable value */
    const finish = (isAsked = isOpen): boolean => {
      if (isAsked) change(key, isRight ? { isOpen: false, problem: null } : { problem: controls.problem(values) });
      return !isAsked || isRight;
    };
    return { key, label: entry.label, isOpen, values, problem, texts, finish, controls };
  });
  return { offered, change };
}

interface AddedConditionsProps extends ReturnType<typeof useAddedConditions> {
  onAdd: (texts: AlumniFilterText) => void;
}

export function AddedConditions({ offered, change, onAdd }: AddedConditionsProps) {
  return offered.map(({ key, label, isOpen, values, problem, texts, finish, controls: { Controls } }) => (
    <details
      key={key}
      className="open:basis-full"
      open={isOpen}
      onToggle={(event) => change(key, { isOpen: event.currentTarget.open })}
    >
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-gray-70 underline underline-offset-4">
        {label} 조건
      </summary>
      <div className="flex flex-wrap items-start gap-3 pb-2">
        <Controls label={label} values={values} set={(to) => change(key, { values: to })} problem={problem} />
        <Button className="self-end" onClick={() => finish(true) && onAdd(texts)}>
          조건 더하기
        </Button>
      </div>
    </details>
  ));
}
