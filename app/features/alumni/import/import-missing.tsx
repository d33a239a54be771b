import type { ImportChoiceProps } from "#app/features/alumni/import/import-facts.tsx";
import { describeCandidate } from "#app/features/alumni/import/import-people.tsx";
import { PagedRows } from "#app/features/alumni/import/paged-rows.tsx";
import { formatCount, formatDate } from "#app/lib/format.ts";
import { Select } from "#app/ui/field.tsx";
import { MISSING_STATES } from "#worker/contract/mail/letters.ts";

const KEEP = "그대로 두기";

const STATES = MISSING_STATES.map((state) => ({ value: state, label: state }));

/** People of the last file of the form who are not in this one; only a chosen state changes them. */
export function ImportMissingPeople({ result, options, busy, onChoose }: ImportChoiceProps) {
  const chosen = options.missing;
  const { missing } = result;
  if (missing === null) return null;
  const { fileName, date, count, people } = missing;
  const choose = (ids: readonly string[], state: string) => {
    const others = Object.entries(chosen).filter(([id]) => !ids.includes(id));
    const next = Object.fromEntries([...others, ...(state === "" ? [] : ids.map((id) => [id, state] as const))]);
    onChoose({ ...options, missing: next });
  };
  const states = new Set(people.map(({ id }) => chosen[id] ?? ""));
  return (
    <section aria-labelledby="missing" className="mt-8">
      <h2 id="missing" className="mb-3 text-lg">
        지난 파일에는 있고 이 파일에는 없는 분 {formatCount(count)}명
      </h2>
      <p className="mb-3 text-sm text-gray-70">
        같은 양식의 ‘{fileName}’({formatDate(date)} 가져옴)에 있던 분입니다. 상태를 고르신 분만 바뀌고, 나머지는 그대로
        둡니다.
      </p>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span aria-hidden="true" className="font-semibold text-gray-90">
          모두
        </span>
        <Select
          className="w-44"
          aria-label="모두의 상태"
          disabled={busy}
          placeholder={KEEP}
          value={states.size === 1 ? ([...states][0] ?? "") : ""}
          options={STATES}
          onChange={(event) =>
            choose(
              people.map(({ id }) => id),
              event.target.value,
            )
          }
        />
      </div>
      <PagedRows rows={people} label="이 파일에 없는 분">
        {(page) => (
          <ul className="divide-y divide-gray-20 border-y border-gray-20">
            {page.map((person) => (
              <li key={person.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
                <span className="min-w-0 break-words">
                  {describeCandidate({ ...person, row: null, shares: [] }, [])}
                </span>
                <Select
                  className="w-44"
                  aria-label={`${person.name}의 상태`}
                  disabled={busy}
                  placeholder={KEEP}
                  value={chosen[person.id] ?? ""}
                  options={STATES}
                  onChange={(event) => choose([person.id], event.target.value)}
                />
              </li>
            ))}
          </ul>
        )}
      </PagedRows>
      {count > people.length && (
        <p className="mt-2 text-sm text-gray-60">처음 {formatCount(people.length)}명을 보여 드립니다.</p>
      )}
    </section>
  );
}
