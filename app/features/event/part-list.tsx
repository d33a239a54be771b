import { type ReactNode, useState } from "react";
import { readRow, RowControls } from "#app/features/form/row-fields.tsx";
import { formText } from "#app/features/form/action.tsx";
import { Button } from "#app/ui/button.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import type { RowFields, SentValues } from "#worker/contract/kernel/row.ts";

/** A new part has no code. */
export type SentPart<Part extends { code: string }> = Omit<Part, "code"> & { code?: string };

/** Reads the parts of a list; `more` reads what the fields do not. */
export function readParts<F extends RowFields, More extends object>(
  name: string,
  fields: F,
  form: FormData,
  more: (path: string) => More,
): (SentValues<F> & More & { code?: string })[] {
  const parts: (SentValues<F> & More & { code?: string })[] = [];
  for (let index = 0; form.has(`${name}.${index}.code`); index += 1) {
    const path = `${name}.${index}.`;
    const code = formText(form, `${path}code`);
    parts.push({ ...readRow(fields, form, path), ...more(path), ...(code && { code }) });
  }
  return parts;
}

interface PartListProps<F extends RowFields, Part> {
  name: string;
  label: string;
  most: number;
  fields: F;
  parts: readonly Part[];
  errors: Record<string, string>;
  /** Below the fields of a part. */
  children?: (part: Partial<Part>, path: string) => ReactNode;
}

/** Questions or fees of an event, each with its fields. */
export function PartList<F extends RowFields, Part extends { code?: string }>(props: PartListProps<F, Part>) {
  const { name, label, most, fields, parts, errors, children } = props;
  const [rows, setRows] = useState(() => parts.map((part, key) => ({ key, part: part as Partial<Part> })));
  const add = () => setRows([...rows, { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, part: {} }]);
  const raise = (index: number) =>
    setRows(rows.toSpliced(index - 1, 2, ...rows.slice(index, index + 1), ...rows.slice(index - 1, index)));
  return (
    <div className="grid gap-4">
      <ErrorAlert>{errors[name]}</ErrorAlert>
      {rows.map(({ key, part }, index) => {
        const path = `${name}.${index}.`;
        const named = (
          <span className="sr-only">
            : {label} {index + 1}
          </span>
        );
        return (
          <fieldset key={key} className="rounded-lg border border-gray-20 p-4">
            <legend className="px-1 font-semibold">
              {label} {index + 1}
            </legend>
            <input type="hidden" name={`${path}code`} defaultValue={part.code ?? ""} />
            <div className="grid items-start gap-4 md:grid-cols-2">
              <RowControls fields={fields} values={part as Partial<SentValues<F>>} errors={errors} path={path} />
              {children?.(part, path)}
            </div>
            <div className="mt-3 flex flex-wrap justify-end gap-2">
              <Button size="sm" disabled={index === 0} onClick={() => raise(index)}>
                위로{named}
              </Button>
              <Button size="sm" onClick={() => setRows(rows.filter((row) => row.key !== key))}>
                빼기{named}
              </Button>
            </div>
          </fieldset>
        );
      })}
      <div>
        <Button size="sm" disabled={rows.length >= most} onClick={add}>
          {label} 추가
        </Button>
      </div>
    </div>
  );
}
