import Columns3 from "lucide-react/icons/columns-3";
import type { ReactNode } from "react";
import { Form, useSearchParams } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { cx } from "#app/ui/cx.ts";
import type { ListedColumn } from "#worker/contract/kernel/row.ts";

interface ColumnsMenuProps {
  path: string;
  /** The rest of the URL, as hidden inputs. */
  kept: readonly (readonly [name: string, value: string])[];
  className?: string;
  children: ReactNode;
}

/** A form inside `<details>` works without script; the chosen columns are part of the URL. */
export function ColumnsMenu({ path, kept, className, children }: ColumnsMenuProps) {
  return (
    <details className={cx("relative", className)}>
      <summary className="inline-flex min-h-10 items-center gap-2 rounded-md border border-gray-40 px-3 text-sm font-semibold text-gray-80 hover:border-primary-60 hover:text-primary-70">
        <Columns3 aria-hidden="true" className="size-4.5" />열 선택
      </summary>
      <Form
        action={path}
        preventScrollReset
        className="absolute top-full right-0 z-20 mt-2 w-80 rounded-lg border border-gray-20 bg-white p-4 shadow-lg"
      >
        {kept.map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        <div className="-mr-2 grid max-h-[55dvh] gap-2 overflow-y-auto pr-2">{children}</div>
        <Button type="submit" size="sm" variant="primary" className="mt-3 w-full">
          적용
        </Button>
      </Form>
    </details>
  );
}

/** The columns that the URL chooses, the first always, and the menu for the others. */
export function useColumnChoice<Row>(path: string, columns: readonly ListedColumn<Row>[]) {
  const params = [...useSearchParams()[0]];
  const asked = params.flatMap(([name, value]) => (name === "columns" ? value : []));
  const isShown = ({ code, isOptional }: ListedColumn<Row>, at: number) =>
    at === 0 || (asked.length > 0 ? asked.includes(code) : !isOptional);
  const shown = columns.filter(isShown);
  const menu = (
    <ColumnsMenu
      key={shown.map(({ code }) => code).join()}
      path={path}
      kept={params.filter(([name]) => name !== "columns")}
    >
      {columns.slice(1).map((column) => (
        <Checkbox
          key={column.code}
          name="columns"
          value={column.code}
          label={column.label}
          defaultChecked={shown.includes(column)}
        />
      ))}
    </ColumnsMenu>
  );
  return { shown, menu };
}
