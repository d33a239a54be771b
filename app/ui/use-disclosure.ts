import { type ComponentProps, useState } from "react";

type DetailsProps = Pick<ComponentProps<"details">, "open" | "onToggle" | "onKeyDown">;

/** The state of a `<details>` that Esc closes. */
export function useDisclosure() {
  const [open, setOpen] = useState(false);
  const details: DetailsProps = {
    open,
    onToggle: (event) => setOpen(event.currentTarget.open),
    onKeyDown(event) {
      if (event.key !== "Escape" || !open) return;
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
      event.currentTarget.querySelector("summary")?.focus();
    },
  };
  return { open, setOpen, details };
}
