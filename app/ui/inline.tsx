import type { ComponentProps, ReactNode } from "react";
import { cx } from "#app/ui/cx.ts";
import { Link } from "react-router";
import { useTexts } from "#app/lib/page-language.ts";
import type { SiteTexts } from "#app/lib/texts/korean.ts";

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

export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return <Link {...rest} className={cx("text-primary-70 underline underline-offset-4", className)} />;
}

/** Formats in Korean time, whatever the reader's time zone. */
export function Time({ date, format = "date" }: { date: string; format?: keyof SiteTexts["date"] }) {
  const formats = useTexts().date;
  return (
    <time dateTime={date} className="figure">
      {formats[format](date)}
    </time>
  );
}
