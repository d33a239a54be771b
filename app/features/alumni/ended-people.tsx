import { useColumnLabel } from "#app/features/alumni/column-label.tsx";
import { Checkbox, Fieldset } from "#app/ui/choice.tsx";
import type { EndedState } from "#worker/contract/alumni/view.ts";

interface EndedPeopleProps {
  ended: readonly (EndedState & { place?: string })[];
  ticked: readonly string[];
  busy: boolean;
  onTick: (ticked: string[]) => void;
}

/** People whose 작고, 탈퇴 or refusal would end, each to be ticked. */
export function EndedPeople({ ended, ticked, busy, onTick }: EndedPeopleProps) {
  const labelOf = useColumnLabel();
  const people = [...new Set(ended.map(({ id }) => id))].map((id) => ended.filter((each) => each.id === id));
  return (
    <Fieldset
      legend="작고·탈퇴·수신 거부가 풀리는 분"
      hint="확인하신 분만 표시해 주십시오. 표시하지 않은 분은 그대로 둡니다."
    >
      <ul className="divide-y divide-gray-20 border-y border-gray-20">
        {people.map(([first, ...more]) => {
          if (!first) return null;
          const changes = [first, ...more]
            .map(({ field, before, after }) => `${labelOf(field)} ‘${before}’ → ‘${after || "없음"}’`)
            .join(", ");
          return (
            <li key={first.id} className="py-2">
              <Checkbox
                label={`${first.place ? `${first.place} ` : ""}${first.name}: ${changes}`}
                checked={ticked.includes(first.id)}
                disabled={busy}
                onChange={({ target }) =>
                  onTick(target.checked ? [...ticked, first.id] : ticked.filter((id) => id !== first.id))
                }
              />
            </li>
          );
        })}
      </ul>
    </Fieldset>
  );
}
