import type { ComponentProps } from "react";
import { Link } from "react-router";
import { cx } from "#app/ui/cx.ts";

export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return <Link {...rest} className={cx("text-primary-70 underline underline-offset-4", className)} />;
}
