import type { ReactNode } from "react";
import { cx } from "#app/ui/cx.ts";

/** Each tone is one CSS class (repeated.css). */
export type BadgeTone = "primary" | "solid" | "accent" | "gray" | "danger" | "success" | "warning";

export function Badge({
  tone = "gray",
  className,
  children,
}: {
  tone?: BadgeTone;
  className?: string;
  children: ReactNode;
}) {
  return <span className={cx("badge", `badge-${tone}`, className)}>{children}</span>;
}

interface StateBadgeProps<State extends string> {
  desk: { states: Readonly<Record<State, string>>; tones: Readonly<Record<State, BadgeTone>> };
  state: NoInfer<State>;
}

export function StateBadge<State extends string>({ desk, state }: StateBadgeProps<State>) {
  return <Badge tone={desk.tones[state]}>{desk.states[state]}</Badge>;
}
