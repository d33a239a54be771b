import type { ComponentProps } from "react";
import { Link } from "react-router";
import { cx } from "#app/ui/cx.ts";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger";
export type ButtonSize = "sm" | "md" | "lg";

const VARIANTS: Record<ButtonVariant, string> = {
  primary: "bg-primary-60 text-white hover:bg-primary-70 active:bg-primary-80",
  secondary:
    "border border-gray-40 bg-white text-gray-80 hover:border-primary-60 hover:bg-primary-5 hover:text-primary-70",
  quiet: "text-gray-70 hover:bg-gray-10 hover:text-gray-90",
  danger: "border border-danger-50 bg-white text-danger-60 hover:bg-danger-5",
};
const DISABLED = "border border-gray-20 bg-gray-10 text-gray-60 cursor-not-allowed";
const SIZES: Record<ButtonSize, string> = {
  sm: "min-h-11 px-3.5 text-sm md:min-h-10",
  md: "min-h-12 px-5 text-base",
  lg: "min-h-14 px-7 text-lg",
};

interface ButtonStyle {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
}

function buttonClass(
  { variant = "secondary", size = "md" }: ButtonStyle,
  disabled: boolean,
  className?: string,
): string {
  return cx("button", SIZES[size], disabled ? DISABLED : VARIANTS[variant], className);
}

export type ButtonProps = ComponentProps<"button"> &
  ButtonStyle & {
    /** Something is under way: the button says so and does nothing, but keeps the focus. */
    busy?: boolean | undefined;
  };

export function Button({
  variant,
  size,
  busy = false,
  className,
  disabled,
  onClick,
  type,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? "button"}
      disabled={disabled}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
      className={buttonClass({ variant, size }, disabled === true, className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

export function ButtonLink({ variant, size, className, ...rest }: ComponentProps<typeof Link> & ButtonStyle) {
  return <Link {...rest} className={buttonClass({ variant, size }, false, className)} />;
}

function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-4 animate-spin rounded-full border-2 border-current border-r-transparent motion-reduce:border-r-current"
    />
  );
}

/** A square button with an icon; `label` is its name. */
export function IconButton({ label, className, children, ...rest }: ComponentProps<"button"> & { label: string }) {
  return (
    <button type="button" {...rest} aria-label={label} title={label} className={cx("icon-button", className)}>
      {children}
    </button>
  );
}
