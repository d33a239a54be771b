import { type ComponentProps, useState } from "react";
import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { askOf, controlOf } from "#app/features/form/field-controls.tsx";
import { StoredForm } from "#app/features/form/stored-form.tsx";
import type { ShownValues } from "#app/features/form/use-conflict.ts";
import { useSiteFrame } from "#app/lib/page-language.ts";
import type { Versioned } from "#worker/contract/kernel/errors.ts";
import { SITE_PERMISSION_NAMES } from "#worker/contract/kernel/permissions.ts";
import {
  isShownWith,
  type LeafField,
  type RowField,
  type RowFields,
  type SentValues,
} from "#worker/contract/kernel/row.ts";

interface RowControlsProps<F extends RowFields> {
  fields: F;
  /** The fields to draw; all by default. */
  only?: readonly (keyof F & string)[];
  values: Partial<SentValues<F>> | null;
  /** Makes the controls follow `values`. */
  onChange?: (values: Partial<SentValues<F>>) => void;
  errors: Record<string, string | undefined>;
  /** Before the names. */
  path?: string;
}

/** Form controls for fields declared as data. */
export function RowControls<F extends RowFields>(props: RowControlsProps<F>) {
  const { fields, only, values, errors, onChange, path = "" } = props;
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const deciding = Object.values<RowField>(fields).flatMap(({ onlyWith }) => onlyWith?.[0] ?? []);
  const valueOf = (name: string) => values?.[name] ?? fields[name]?.start;
  const fieldOf = (name: string) => fields[name] as RowField;
  const isShown = (name: string) => isShownWith(fieldOf(name), (by) => chosen[by] ?? valueOf(by));
  const controls = (only ?? Object.keys(fields)).filter(isShown).map((name) => {
    const field = fieldOf(name);
    const value = valueOf(name);
    const change =
      onChange && ((changed: unknown) => onChange({ ...values, [name]: changed } as Partial<SentValues<F>>));
    return field.kind === "group" ? (
      <RowControls
        key={name}
        fields={field.fields}
        values={value as never}
        errors={errors}
        path={`${path}${name}.`}
        {...(change && { onChange: change })}
      />
    ) : (
      <RowControl
        key={name}
        name={path + name}
        field={field}
        value={value}
        error={errors[path + name]}
        onChange={change}
      />
    );
  });
  return deciding.length === 0 ? (
    controls
  ) : (
    <div
      className="contents"
      onInput={({ target }) => {
        const control = target as HTMLInputElement;
        if (deciding.includes(control.name)) setChosen({ ...chosen, [control.name]: control.value });
      }}
    >
      {controls}
    </div>
  );
}

type SectionedControlsProps<F extends RowFields> = Omit<RowControlsProps<F>, "only"> & { className?: string };

/** One section of the form for each `section` of the fields, its flags together. */
export function SectionedControls<F extends RowFields>({
  fields,
  className = "grid gap-5 md:grid-cols-2",
  ...rest
}: SectionedControlsProps<F>) {
  const names = Object.keys(fields) as (keyof F & string)[];
  return [...new Set(names.map((name) => fields[name]?.section ?? ""))].map((section) => {
    const own = names.filter((name) => (fields[name]?.section ?? "") === section);
    const isFlag = (name: string) => fields[name]?.kind === "flag";
    const flags = own.filter(isFlag);
    const controls = (
      <div key={section} className={className}>
        <RowControls fields={fields} only={own.filter((name) => !isFlag(name))} {...rest} />
        {flags.length > 0 && (
          <div className="grid justify-items-start">
            <RowControls fields={fields} only={flags} {...rest} />
          </div>
        )}
      </div>
    );
    return section === "" ? (
      controls
    ) : (
      <ConsoleSection key={section} title={section}>
        {controls}
      </ConsoleSection>
    );
  });
}

interface RowControlProps {
  name: string;
  field: LeafField;
  value: unknown;
  error: string | undefined;
  onChange?: ((value: unknown) => void) | undefined;
}
function RowControl({ field, ...rest }: RowControlProps) {
  const lacking = useLackedRight(field);
  const hint = lacking ? [field.hint, lacking].filter(Boolean).join(" ") : field.hint;
  return controlOf(field).control({ ...rest, field: field as never, hint, isReadOnly: lacking !== null });
}

/** Says who may change a field that the viewer may not; null for all others. */
export function useLackedRight({ right }: Pick<RowField, "right">): string | null {
  const rights = useSiteFrame()?.user?.consoleRights ?? [];
  return right === undefined || rights.includes(right)
    ? null
    : `‘${SITE_PERMISSION_NAMES[right]}’ 권한이 있는 관리자만 바꿀 수 있습니다.`;
}

const readField = (name: string, field: RowField, form: FormData): unknown =>
  field.kind === "group" ? readRow(field.fields, form, `${name}.`) : controlOf(field).read(form, name, field as never);

export const readRow = <F extends RowFields>(fields: F, form: FormData, path = ""): SentValues<F> =>
  Object.fromEntries(
    Object.entries<RowField>(fields).map(([name, field]) => [name, readField(path + name, field, form)]),
  ) as SentValues<F>;

export const shownText = (field: LeafField, value: unknown): string => controlOf(field).shown(value, field as never);

/** Values by label, for the conflict view. */
export const describeRow = <F extends RowFields>(fields: F, values: Partial<SentValues<F>>): ShownValues =>
  Object.assign(
    {},
    ...Object.entries(fields).map(([name, field]: [string, RowField]) =>
      field.kind === "group"
        ? describeRow(field.fields, (values[name] ?? {}) as never)
        : { [field.kind === "flag" ? field.label : askOf(field)]: shownText(field, values[name]) },
    ),
  ) as ShownValues;

type StoredFormOf<F extends RowFields> = ComponentProps<typeof StoredForm<Versioned<SentValues<F>>, SentValues<F>>>;
type FieldsFormProps<F extends RowFields> = Omit<StoredFormOf<F>, "valueOf" | "describe" | "read" | "children"> & {
  fields: F;
};

/** The form of one setting, with a section for each `section` of its fields. */
export const FieldsForm = <F extends RowFields>({ fields, ...props }: FieldsFormProps<F>) => (
  <StoredForm
    valueOf={({ value }) => value}
    describe={(value) => describeRow(fields, value)}
    read={(form) => readRow(fields, form)}
    {...props}
  >
    {(errors) => (
      <SectionedControls fields={fields} values={props.latest.value} errors={errors} className="grid gap-5" />
    )}
  </StoredForm>
);
