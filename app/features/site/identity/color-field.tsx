import { ConsoleSection } from "#app/features/form/console-header.tsx";
import type { IdentityFieldsProps } from "#app/features/site/identity/identity-fields.ts";
import { RadioGroup } from "#app/ui/choice.tsx";
import { PALETTE_NAMES, PALETTES, type PaletteName } from "#worker/contract/kernel/palette.ts";

const OPTIONS = PALETTE_NAMES.map((name) => ({ value: name, label: PALETTES[name].label }));

export function ColorField({ value, errors, onChange }: IdentityFieldsProps) {
  return (
    <ConsoleSection title="색">
      <RadioGroup
        legend="대표 색"
        name="color"
        options={OPTIONS}
        value={value.color}
        error={errors["color"]}
        onChange={(color) => onChange({ ...value, color: color as PaletteName })}
      />
      <div className="mt-2 flex h-6 max-w-xl" aria-hidden="true">
        {PALETTES[value.color].shades.split(" ").map((shade) => (
          <span key={shade} className="flex-1" style={{ background: `#${shade}` }} />
        ))}
      </div>
    </ConsoleSection>
  );
}
