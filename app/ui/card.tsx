import type { ComponentProps } from "react";
import { cx } from "#app/ui/cx.ts";

export function Card({ className, ...rest }: ComponentProps<"div">) {
  return <div {...rest} className={cx("rounded-xl border border-gray-20 bg-white p-5 md:p-8", className)} />;
}
