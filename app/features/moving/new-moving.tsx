import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { formText, useAction } from "#app/features/form/action.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { MOVING_LIMITS } from "#worker/contract/moving/rules.ts";

const calls = api.admin.moving;

export function NewMoving() {
  const { busy, run, fields, general } = useAction();
  return (
    <ConsoleSection title="새 이사">
      <ol className="mb-6 max-w-2xl list-decimal space-y-1 pl-6 text-gray-80">
        <li>
          이전 사이트에 <b>RDX Exporter</b>(GitHub의 rhymix/rdx-exporter)를 올리고, 회원·쪽지·게시판을 모두 골라 zip으로
          내보냅니다. phpMyAdmin에서 받은 .sql 파일은 읽지 못하니 먼저 RDX로 내보내십시오.
        </li>
        <li>내려받은 zip을 여기에 올립니다. 크기에 제한이 없고, 끊겨도 이어서 올립니다.</li>
        <li>무엇이 어디로 오는지 살펴보고 옮깁니다. 옮긴 뒤 {MOVING_LIMITS.undoDays}일 안에는 통째로 되돌립니다.</li>
      </ol>
      <form
        className="max-w-xl"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const json = { site: formText(form, "site"), oldOrigin: formText(form, "oldOrigin") };
          void run(
            () => callApi(calls.$put({ json, header: ONCE })),
            "이사를 시작하였습니다. 이제 파일을 올려 주십시오.",
          );
        }}
      >
        <ErrorAlert className="mb-4">{general}</ErrorAlert>
        <Field
          label="이전 사이트의 이름"
          hint="같은 이름으로 다시 옮기면 이미 온 것은 건너뛰고 빠진 것만 가져옵니다."
          required
          error={fields.site}
        >
          <Input name="site" maxLength={MOVING_LIMITS.siteName} defaultValue="이전 사이트" autoComplete="off" />
        </Field>
        <Field
          className="mt-5"
          label="이전 사이트의 주소"
          hint="본문에 주소가 통째로 적힌 그림과 링크를 알아보는 데 씁니다. 예: https://old.example.kr"
          error={fields.oldOrigin}
        >
          <Input name="oldOrigin" type="url" inputMode="url" autoComplete="off" />
        </Field>
        <Button type="submit" variant="primary" className="mt-6" busy={busy}>
          시작하기
        </Button>
      </form>
    </ConsoleSection>
  );
}
