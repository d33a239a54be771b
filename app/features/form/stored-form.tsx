import type { ComponentProps } from "react";
import { useStored } from "#app/ui/use-stored.ts";

/** A form around what is stored, which another administrator may change meanwhile. */
export function StoredForm(props: ComponentProps<"form">) {
  const ref = useStored();
  return <form {...props} ref={ref} />;
}
