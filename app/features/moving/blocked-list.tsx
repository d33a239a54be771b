import { useState } from "react";
import { useAction } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field, Textarea } from "#app/ui/field.tsx";
import { FileButton } from "#app/features/file/upload/file-button.tsx";
import { blockedIdsOf, MOVING_LIMITS, splitIds } from "#worker/contract/moving/rules.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { MovingView } from "#worker/domain/moving/moving-view.server.ts";

async function idsInFile(file: File): Promise<string[]> {
  const [{ DROPPED_FILE_LIMITS }, { readFileSheets }] = await Promise.all([
    import("#app/features/alumni/import/read-dropped-file.ts"),
    import("#worker/adapters/spreadsheet/read-file.ts"),
  ]);
  const bytes = new Uint8Array(await file.arrayBuffer());
  return blockedIdsOf(await readFileSheets(bytes, DROPPED_FILE_LIMITS));
}

/** Asks for the old site's blocked members, because its archives do not contain them. */
export function BlockedList({ view }: { view: MovingView }) {
  const [text, setText] = useState("");
  const [unreadable, setUnreadable] = useState<string | null>(null);
  const { busy, run, problem } = useAction();
  const { listed, found, unknown } = view.blocked;
  const readFile = async (file: File) => {
    setUnreadable(null);
    try {
      const ids = await idsInFile(file);
      setText((before) => [...splitIds(before), ...ids].join("\n"));
    } catch (error) {
      setUnreadable(
        error instanceof AppError ? error.message : "파일을 읽지 못했습니다. 다른 형식으로 저장해 주십시오.",
      );
    }
  };
  const apply = () => {
    const json = { ids: splitIds(text).slice(0, MOVING_LIMITS.blocked + 1) };
    void run(
      () => callApi(api.admin.moving[":id"].blocked.$post({ param: { id: view.id }, json })),
      "차단 명단을 적용하였습니다.",
    );
  };
  return (
    <div className="mt-8 max-w-2xl">
      <h3 className="mb-2 text-base font-semibold text-gray-90">RDX에 들어 있지 않은 것</h3>
      <ul className="list-disc space-y-1 pl-5 text-gray-80">
        {view.notInArchive.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {view.counts.members > 0 && (
        <>
          <Field
            className="mt-6"
            label="차단한 회원의 아이디나 이메일"
            hint="명단에 없는 회원은 차단되지 않은 회원으로 보고, 쓰던 비밀번호로 로그인하게 합니다. 한 줄에 하나씩 적거나 쉼표로 나누십시오. 파일은 아이디 열을 읽고, 차단일(mb_intercept_date) 열이 있으면 차단일이 있는 회원만 읽습니다."
          >
            <Textarea rows={4} value={text} onChange={(event) => setText(event.target.value)} />
          </Field>
          <ErrorAlert className="mt-3">{unreadable ?? problem}</ErrorAlert>
          <div className="mt-1 flex flex-wrap gap-2">
            <FileButton
              accept=".txt,.csv,.tsv,.xlsx,.xls,.ods"
              label="명단 파일 고르기"
              disabled={busy}
              onPick={([file]) => file && void readFile(file)}
            />
            <Button
              size="sm"
              className="mt-2"
              busy={busy}
              disabled={text.trim() === "" && listed === 0}
              onClick={apply}
            >
              명단 적용
            </Button>
          </div>
          {listed > 0 && (
            <Alert tone={found === listed ? "info" : "warning"} className="mt-4">
              차단 명단 {formatCount(listed)}명 가운데 {formatCount(found)}명을 이전 사이트의 회원에서 찾았습니다. 차단
              상태로 옮깁니다.
              {found < listed && (
                <span className="mt-1 block">
                  찾지 못한 아이디: {unknown.join(", ")}
                  {listed - found > unknown.length && " …"}
                </span>
              )}
            </Alert>
          )}
        </>
      )}
    </div>
  );
}
