import { ownValue } from "#worker/contract/kernel/labels.ts";
import { Select } from "#app/ui/select.tsx";
import { PROFILE_FIELD_LIMITS } from "#worker/contract/account/rules.ts";
import type { FieldTarget } from "#worker/contract/moving/input.ts";
import type { MovingPageData } from "#worker/contract/moving/view.ts";

const OLD_FIELD_NAMES: Record<string, string> = {
  address: "주소",
  phone_number: "전화번호",
  homepage: "홈페이지",
  blog: "블로그",
  birthday: "생일",
};
/** gnuboard numbers the fields that a site added. */
export const oldFieldName = (name: string): string =>
  ownValue(OLD_FIELD_NAMES, name) ?? (/^mb_\d{1,2}$/.test(name) ? `여분 항목 ${name.slice(3)}` : name);

interface FieldTargetSelectProps {
  name: string;
  target: FieldTarget | undefined;
  targets: MovingPageData["targets"];
  onChange: (target: FieldTarget) => void;
}

export function FieldTargetSelect({ name, target, targets, onChange }: FieldTargetSelectProps) {
  const options = [
    { value: "new", label: "새 가입 항목 만들기" },
    ...targets.fields.map(({ code, name: label }) => ({ value: `field ${code}`, label })),
  ];
  const value = target?.to === "field" ? `field ${target.code}` : target?.to === "new" ? "new" : "";
  const choose = (chosen: string) => {
    if (chosen === "") return onChange({ to: "skip" });
    if (chosen === "new") return onChange({ to: "new", name: oldFieldName(name).slice(0, PROFILE_FIELD_LIMITS.name) });
    return onChange({ to: "field", code: chosen.slice("field ".length) });
  };
  return (
    <Select
      value={value}
      placeholder="옮기지 않음"
      options={options}
      onChange={(event) => choose(event.target.value)}
    />
  );
}
