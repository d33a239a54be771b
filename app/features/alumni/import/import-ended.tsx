import { EndedPeople } from "#app/features/alumni/ended-people.tsx";
import type { ImportChoiceProps } from "#app/features/alumni/import/import-facts.tsx";
import { rowLabel } from "#worker/contract/alumni/import/header.ts";

/** Lines of a file that would end 작고, 탈퇴 or a refusal. */
export function ImportEndedChoice({ result, sources, options, busy, onChoose }: ImportChoiceProps) {
  if (result.ended.length === 0) return null;
  const ended = result.ended.map((each) => ({ ...each, place: rowLabel(sources, each.row) }));
  return (
    <section className="mt-8">
      <EndedPeople
        ended={ended}
        ticked={options.ended}
        busy={busy}
        onTick={(ticked) => onChoose({ ...options, ended: ticked })}
      />
    </section>
  );
}
