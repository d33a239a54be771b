import ChevronDown from "lucide-react/icons/chevron-down";
import { type ReactNode, useEffect, useRef } from "react";
import { useDisclosure } from "./use-disclosure.ts";

interface ActionMenuProps {
  label: string;
  children: ReactNode;
}

/** Links and buttons behind one word; a plain disclosure without script. */
export function ActionMenu({ label, children }: ActionMenuProps) {
  const { open, setOpen, details } = useDisclosure();
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!open) return;
    const closeFromOutside = ({ target }: Event) => {
      if (!menu.current?.contains(target as Node)) setOpen(false);
    };
    const kinds = ["pointerdown", "focusin"] as const;
    for (const kind of kinds) document.addEventListener(kind, closeFromOutside);
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, closeFromOutside);
    };
  }, [open, setOpen]);
  return (
    <details ref={menu} {...details} className="md:relative">
      <summary className="inline-flex min-h-10 cursor-pointer items-center gap-1.5 rounded-md border border-gray-40 bg-white px-3 text-sm font-semibold text-gray-80 hover:border-primary-60 hover:text-primary-70">
        <span>{label}</span>
        <ChevronDown aria-hidden="true" className="size-4.5" />
      </summary>
      <div
        role="group"
        aria-label={label}
        className="absolute top-full right-0 z-20 mt-1 grid min-w-48 gap-1 rounded-lg border border-gray-20 bg-white p-2 shadow-lg max-md:left-0 [&>*]:justify-start [&>*]:border-transparent"
        onClick={() => setOpen(false)}
      >
        {children}
      </div>
    </details>
  );
}
