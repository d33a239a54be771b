import { Link } from "react-router";
import { goToControl } from "#app/features/form/error-summary.tsx";
import { Alert } from "#app/ui/alert.tsx";

interface AskedLaterProps {
  fields: readonly { code: string; name: string }[];
  /** The page with the fields; by default this one. */
  path?: string;
}

const LINK = "inline-flex min-h-11 items-center underline underline-offset-4";

/** Asks for sign-up fields that the office made required later. */
export function AskedLater({ fields, path }: AskedLaterProps) {
  if (fields.length === 0) return null;
  return (
    <Alert title="새로 여쭙는 항목이 있습니다">
      <ul className="flex flex-wrap gap-x-4">
        {fields.map(({ code, name }) => {
          const at = `profile.${code}`;
          return (
            <li key={code}>
              {path === undefined ? (
                <a href={`#${at}`} onClick={(event) => goToControl(event, at)} className={LINK}>
                  {name}
                </a>
              ) : (
                <Link to={`${path}#${at}`} className={LINK}>
                  {name}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
      시간이 나실 때 적어 주십시오. 비워 두셔도 다른 정보는 그대로 저장됩니다.
    </Alert>
  );
}
