import type { ReactNode } from "react";

interface MappingGroupProps {
  legend: string;
  hint?: string;
  children: ReactNode;
}

export function MappingGroup({ legend, hint, children }: MappingGroupProps) {
  return (
    <fieldset className="not-first-of-type:mt-8">
      <legend className="text-base font-semibold text-gray-90">{legend}</legend>
      {hint && <p className="mt-1 max-w-2xl text-sm text-gray-60">{hint}</p>}
      {children}
    </fieldset>
  );
}
