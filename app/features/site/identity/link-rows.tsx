import { moveEntry, RowMoveButtons } from "#app/features/list/row-move-buttons.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import type { IdentityFieldsProps } from "#app/features/site/identity/identity-fields.ts";
import type { SiteLink } from "#worker/contract/kernel/identity-setting.ts";
import { LINK_URL_MAX } from "#worker/contract/kernel/row.ts";
import { ENGLISH_LABEL_MAX, MENU_LABEL_MAX } from "#worker/contract/site/rules.ts";

interface LinkRowsProps extends IdentityFieldsProps {
  name: string;
  path: "actions" | "footerLinks";
  max: number;
}

export function LinkRows({ name, path, max, value, errors, onChange }: LinkRowsProps) {
  const links = value[path] ?? [];
  const change = (changed: SiteLink[]) => onChange({ ...value, [path]: changed });
  return (
    <>
      <ol className="grid max-w-4xl gap-3">
        {links.map((link, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- links have no other name, and their fields are controlled
          <li key={at} className="flex flex-wrap items-end gap-3">
            <Field label={`${name} ${at + 1}의 이름`} error={errors[`${path}.${at}.label`]} className="basis-44">
              <Input
                value={link.label}
                maxLength={MENU_LABEL_MAX}
                autoComplete="off"
                onChange={(event) => change(links.with(at, { ...link, label: event.target.value }))}
              />
            </Field>
            <Field label={`${name} ${at + 1}의 영문 이름`} error={errors[`${path}.${at}.english`]} className="basis-44">
              <Input
                value={link.english}
                lang="en"
                maxLength={ENGLISH_LABEL_MAX}
                autoComplete="off"
                onChange={(event) => change(links.with(at, { ...link, english: event.target.value }))}
              />
            </Field>
            <Field
              label={`${name} ${at + 1}의 주소`}
              error={errors[`${path}.${at}.href`]}
              className="min-w-0 flex-1 basis-56"
            >
              <Input
                value={link.href}
                maxLength={LINK_URL_MAX}
                autoComplete="off"
                placeholder="/로 시작하거나 https://로 시작"
                onChange={(event) => change(links.with(at, { ...link, href: event.target.value }))}
              />
            </Field>
            <span className="flex flex-wrap gap-2">
              <RowMoveButtons
                name={link.label}
                index={at}
                count={links.length}
                onMove={(by) => change(moveEntry(links, at, by))}
              />
              <Button size="sm" variant="quiet" onClick={() => change(links.filter((_link, other) => other !== at))}>
                빼기<span className="sr-only"> {link.label}</span>
              </Button>
            </span>
          </li>
        ))}
      </ol>
      {links.length < max && (
        <Button size="sm" className="mt-3" onClick={() => change([...links, { label: "", href: "", english: "" }])}>
          {name} 추가
        </Button>
      )}
    </>
  );
}
