import type { ComponentProps } from "react";
import { useStoredValues } from "#app/ui/use-stored-values.ts";

/** A form around what is stored, which another administrator may change meanwhile. */
export function FormFollowingStored(props: ComponentProps<"form">) {
  const ref = useStoredValues();
  return <form {...props} ref={ref} />;
}
