import { type FormEvent, useState } from "react";
import { FormFoot } from "#app/features/form/form-foot.tsx";
import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { useConflict } from "#app/features/form/use-conflict.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { NumberField } from "#app/ui/number-field.tsx";
import {
  type EditableLimitName,
  LIMIT_GROUPS,
  LIMIT_RULES,
  limitSetsSeconds,
  type LimitSettingView,
} from "#worker/contract/kernel/limit-rules.ts";

type Limit = LimitSettingView["limits"][number];
type TypedValues = Partial<Record<EditableLimitName, string>>;

const GROUPS = Object.entries(LIMIT_GROUPS) as [keyof typeof LIMIT_GROUPS, string][];
const withUnit = (name: EditableLimitName, value: number) => `${formatCount(value)}${LIMIT_RULES[name].unit}`;

export function LimitsForm({ setting }: { setting: LimitSettingView }) {
  /** Holds only values typed here; others follow the stored setting. */
  const [typed, setTyped] = useState<TypedValues>({});
  const { busy, run, fields, general, isConflict } = useAction();
  const { conflict, versionToSend, keep, take } = useConflict({
    latest: setting,
    describe: ({ limits }) =>
      Object.fromEntries(limits.map(({ name, value }) => [LIMIT_RULES[name].label, String(value)])),
    isConflict,
    follows: true,
  });
  const textOf = ({ name, value }: Limit) => typed[name] ?? String(value);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const changed = setting.limits.filter((limit) => textOf(limit) !== String(limit.value));
    const limits = Object.fromEntries(
      changed.map((limit) => [limit.name, textOf(limit).trim() === "" ? NaN : Number(textOf(limit))]),
    );
    const shown = Object.fromEntries(setting.limits.map((limit) => [LIMIT_RULES[limit.name].label, textOf(limit)]));
    const json = { limits, version: versionToSend(event, shown) };
    const work = async () => keep((await callApi(api.admin.setting.limits.$patch({ json }))).version);
    if (await run(work, "이용 제한을 저장하였습니다.")) setTyped({});
  };
  return (
    <form onSubmit={submit} noValidate>
      {GROUPS.map(([group, label]) => (
        <ConsoleSection key={group} title={label}>
          <ul className="divide-y divide-gray-20 border-y border-gray-20">
            {setting.limits
              .filter(({ name }) => LIMIT_RULES[name].group === group)
              .map((limit) => (
                <LimitRow
                  key={limit.name}
                  limit={limit}
                  text={textOf(limit)}
                  error={fields[`limits.${limit.name}`]}
                  onChange={(text) => setTyped((before) => ({ ...before, [limit.name]: text }))}
                />
              ))}
          </ul>
        </ConsoleSection>
      ))}
      <FormFoot
        conflict={conflict}
        error={general}
        busy={busy}
        className="mt-6"
        onTake={() => {
          take();
          setTyped({});
        }}
      />
    </form>
  );
}

interface LimitRowProps {
  limit: Limit;
  text: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

function LimitRow({ limit: { name, value, standard }, text, error, onChange }: LimitRowProps) {
  const { label, meaning, unit, min, max } = LIMIT_RULES[name];
  const isStandard = text === String(standard);
  return (
    <li className="grid gap-x-8 gap-y-3 py-5 md:grid-cols-[minmax(0,1fr)_15rem]">
      <div>
        <h3 className="flex flex-wrap items-center gap-2">
          {label}
          {value !== standard && <Badge tone="primary">바꿈</Badge>}
        </h3>
        <p className="mt-1 text-sm text-gray-60">{meaning}</p>
      </div>
      <div>
        <NumberField
          label={
            <>
              <span className="sr-only">{label}: </span>
              {limitSetsSeconds(name) ? "시간" : "한도"}({unit})
            </>
          }
          hint={`기본값 ${withUnit(name, standard)}, ${formatCount(min)}~${formatCount(max)}`}
          error={error}
          {...{ name, min, max }}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
        {!isStandard && (
          <Button size="sm" className="mt-2" onClick={() => onChange(String(standard))}>
            기본값으로<span className="sr-only"> ({label})</span>
          </Button>
        )}
      </div>
    </li>
  );
}
