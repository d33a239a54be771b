import { Link } from "react-router";
import { Time } from "#app/ui/time.tsx";
import type { ContentVersionInfo } from "#worker/contract/content/view.ts";

export function VersionList({
  path,
  versions,
  chosen,
}: {
  path: string;
  versions: readonly ContentVersionInfo[];
  chosen: number;
}) {
  return (
    <nav aria-label="버전">
      <ol className="divide-y divide-gray-20 border-y border-gray-20">
        {versions.map((version) => (
          <li key={version.versionNo}>
            <Link
              to={`${path}?version=${version.versionNo}`}
              preventScrollReset
              aria-current={version.versionNo === chosen ? "true" : undefined}
              className="block px-3 py-3 hover:bg-gray-5 aria-[current]:bg-primary-5 aria-[current]:font-semibold"
            >
              버전 {version.versionNo} · <Time date={version.effectiveDate} format="long" /> 시행
              <span className="block text-sm text-gray-60">
                {version.createdUserName}
                {version.note && ` · ${version.note}`}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
