import { useState } from "react";
import { EndedPeople } from "#app/features/alumni/ended-people.tsx";
import type { ImportFactsProps } from "#app/features/alumni/import/import-facts.tsx";
import { Button } from "#app/ui/button.tsx";
import { rowLabel } from "#worker/contract/alumni/import/header.ts";

/** Lines of a file that would end 작고, 탈퇴 or a refusal. */
export function ImportEndedChoice({ result, sources, options, busy, onDecide }: ImportFactsProps) {
  const [ticked, setTicked] = useState<string[]>(options.ended);
  if (result.ended.length === 0) return null;
  const ended = result.ended.map((each) => ({ ...each, place: rowLabel(sources, each.row) }));
  const isChanged = ticked.toSorted().join() !== options.ended.toSorted().join();
  return (
    <section className="mt-8">
      <EndedPeople ended={ended} ticked={ticked} busy={busy} onTick={setTicked} />
      {isChanged && (
        <Button className="mt-3" busy={busy} onClick={() => onDecide({ ...options, ended: ticked })}>
          표시한 대로 다시 확인
        </Button>
      )}
    </section>
  );
}
