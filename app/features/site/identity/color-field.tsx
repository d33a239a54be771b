import type { CSSProperties } from "react";
import { ConsoleSection } from "#app/features/form/console-header.tsx";
import type { IdentityFieldsProps } from "#app/features/site/identity/identity-fields.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import {
  checkContrasts,
  DEFAULT_PALETTE,
  HEX_COLOR,
  HEX_COLOR_LENGTH,
  PALETTE_STEPS,
  paletteOf,
} from "#worker/contract/site/palette.ts";

/** Shows all shades and their contrast before saving. */
export function ColorField({ value, errors, onChange, siteName }: IdentityFieldsProps & { siteName: string }) {
  const { color } = value;
  const isColor = HEX_COLOR.test(color);
  const palette = isColor ? paletteOf(color) : DEFAULT_PALETTE;
  const choose = (next: string) => onChange({ ...value, color: next.toLowerCase() });
  const style = Object.fromEntries(PALETTE_STEPS.map((step) => [`--color-primary-${step}`, palette[step]]));
  return (
    <ConsoleSection title="색">
      <div className="grid gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <div>
          <Field
            label="대표 색"
            hint="단체의 색 하나를 고르면 나머지 농도는 저절로 만들어집니다. 비우면 처음 색을 씁니다."
            error={errors["color"]}
          >
            <Input
              value={color}
              placeholder={DEFAULT_PALETTE[60]}
              maxLength={HEX_COLOR_LENGTH}
              onChange={(event) => choose(event.target.value)}
            />
          </Field>
          <div className="mt-2 flex items-center gap-2">
            <input
              type="color"
              aria-label="색 고르기"
              value={palette[60]}
              onChange={(event) => choose(event.target.value)}
              className="size-11 rounded-md border border-gray-30"
            />
            {color !== "" && (
              <Button size="sm" onClick={() => choose("")}>
                처음 색으로
              </Button>
            )}
          </div>
          {isColor && palette[60] !== color && (
            <p role="status" className="mt-3 text-sm text-gray-70">
              글자가 잘 읽히도록 조금 어둡게 씁니다: {palette[60]}
            </p>
          )}
        </div>
        <div>
          <ColorPreview style={style as CSSProperties} siteName={siteName} />
          <table className="mt-4 w-full max-w-xl text-sm">
            <caption className="sr-only">글자와 바탕의 대비</caption>
            <tbody>
              {checkContrasts(palette).map(({ label, ratio, isEnough }) => (
                <tr key={label} className="border-b border-gray-20">
                  <th scope="row" className="py-1.5 text-left font-normal">
                    {label}
                  </th>
                  <td className="tabular py-1.5 text-right">{ratio.toFixed(1)} : 1</td>
                  <td className="py-1.5 pl-3 text-right">
                    <Badge tone={isEnough ? "success" : "danger"}>{isEnough ? "잘 읽힘" : "읽기 어려움"}</Badge>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </ConsoleSection>
  );
}

function ColorPreview({ style, siteName }: { style: CSSProperties; siteName: string }) {
  return (
    <div
      style={style}
      role="group"
      aria-label="색 미리보기"
      className="overflow-hidden rounded-lg border border-gray-20"
    >
      <div className="flex items-center justify-between gap-4 bg-white px-4 py-3">
        <strong className="text-primary-90">{siteName}</strong>
        <span className="border-b-2 border-primary-60 font-semibold text-primary-60">메뉴</span>
      </div>
      <div className="bg-linear-to-br from-primary-90 via-primary-80 to-primary-70 px-4 py-6 text-white">
        <p className="text-sm text-primary-20">첫 화면</p>
        <p className="text-xl font-bold">{siteName}</p>
      </div>
      <div className="flex flex-wrap items-center gap-3 bg-primary-5 px-4 py-4">
        <span className="rounded-md bg-primary-60 px-4 py-2 font-semibold text-white">단추</span>
        <span className="text-primary-60 underline underline-offset-4">링크</span>
        <span className="rounded-md bg-primary-10 px-3 py-1 text-sm text-primary-70">표시</span>
      </div>
      <div className="bg-primary-90 px-4 py-3 text-sm text-primary-20">바닥글</div>
    </div>
  );
}
