import { formatCount } from "#app/lib/format.ts";
import { particleOf } from "#worker/contract/kernel/wording.ts";

export interface UsedRow {
  /** Names of what uses the row. */
  uses?: string[];
}

interface UsedInProps {
  uses: readonly string[] | undefined;
  /** Whose uses. */
  name: string;
}

/** Shown before a field or a kind is closed, renamed or deleted. */
export function UsedIn({ uses = [], name }: UsedInProps) {
  if (uses.length === 0) return null;
  return (
    <div className="mt-2 rounded-lg bg-gray-5 px-4 py-3 text-sm">
      <p className="font-semibold text-gray-80">{`‘${name}’${particleOf(name, "을/를")} 쓰는 곳 ${formatCount(uses.length)}곳`}</p>
      <ul className="mt-1 list-disc pl-5 text-gray-70">
        {uses.map((use) => (
          <li key={use}>{use}</li>
        ))}
      </ul>
    </div>
  );
}
