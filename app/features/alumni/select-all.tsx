import { useAction } from "#app/features/form/use-action.ts";
import { alumniFilterOf, type AlumniListChoice } from "#app/features/alumni/list-choice.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Button } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.tsx";
import type { AlumniRow } from "#worker/contract/alumni/view.ts";

/** What may be deleted or exported by hand at once. */
const SELECT_MAX = 1000;
const PAGE_SIZE = 100;

interface SelectAllMatchingProps {
  choice: AlumniListChoice;
  total: number;
  /** How many are ticked. */
  selected: number;
  onSelect: (people: AlumniRow[]) => void;
}

/** Ticks everybody who matches what is looked for, whatever page they stand on. */
export function SelectAllMatching({ choice, total, selected, onSelect }: SelectAllMatchingProps) {
  const { busy, run } = useAction({ reloads: "never" });
  if (selected >= total) return null;
  if (total > SELECT_MAX)
    return (
      <span className="self-center text-sm text-gray-70">
        {formatCount(SELECT_MAX)}명까지 모두 고를 수 있습니다. 조건을 좁혀 주십시오.
      </span>
    );
  const selectAll = () =>
    run(async () => {
      const people = new Map<string, AlumniRow>();
      for (let page = 1; (page - 1) * PAGE_SIZE < total; page += 1) {
        const query = { ...alumniFilterOf(choice), page: String(page), size: String(PAGE_SIZE) };
        const { content } = await callApi(api.alumni.$get({ query }));
        for (const person of content) people.set(person.id, person);
      }
      onSelect([...people.values()]);
      toast(`조건에 맞는 ${formatCount(people.size)}명을 모두 골랐습니다.`, "success");
    }, null);
  return (
    <Button size="sm" busy={busy} onClick={selectAll}>
      조건에 맞는 {formatCount(total)}명 모두 선택
    </Button>
  );
}
