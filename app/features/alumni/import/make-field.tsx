import { useState } from "react";
import { useRevalidator } from "react-router";
import { OwnFieldFields, readOwnFieldForm } from "#app/features/alumni/setting/own-field-fields.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import {
  isImportable,
  OWN_FIELD_KINDS,
  OWN_FIELD_LIMITS,
  type OwnFieldCode,
} from "#worker/contract/alumni/own-fields.ts";
import { guessOwnField } from "#worker/contract/alumni/own-values.ts";

interface MakeFieldProps {
  header: string;
  /** The field kind is guessed from the values of all rows. */
  values: readonly string[];
  onMade: (code: OwnFieldCode) => void;
}

export function MakeField({ header, values, onMade }: MakeFieldProps) {
  const [open, setOpen] = useState(false);
  const { busy, run, fields: errors, general } = useAction({ reloads: "never" });
  const { revalidate } = useRevalidator();
  const create = async (form: FormData) => {
    let code: OwnFieldCode | null = null;
    const work = async () => {
      ({ code } = await callApi(api.admin.setting.alumni.field.$put({ json: readOwnFieldForm(form) })));
      await revalidate();
    };
    if (!(await run(work, "항목을 만들었습니다.")) || code === null) return;
    setOpen(false);
    onMade(code);
  };
  const guess = open ? guessOwnField(values) : null;
  return (
    <>
      <Button size="sm" variant="quiet" className="mt-1" onClick={() => setOpen(true)}>
        <span className="sr-only">‘{header}’ 열을 </span>항목으로 만들기
      </Button>
      {guess && (
        <FormDialog
          open={open}
          onClose={() => setOpen(false)}
          title="주소록에 항목 만들기"
          size="md"
          generation={0}
          submitLabel="만들기"
          busy={busy}
          error={general}
          onSubmit={(form) => void create(form)}
        >
          <OwnFieldFields
            start={{ name: header.slice(0, OWN_FIELD_LIMITS.name), ...guess }}
            errors={errors}
            canChooseKind
            kinds={OWN_FIELD_KINDS.filter((kind) => isImportable({ kind }))}
          />
        </FormDialog>
      )}
    </>
  );
}
