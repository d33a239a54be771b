export type ToastTone = "info" | "success" | "error";

export const TOAST_LIFE_MS: Record<ToastTone, number> = { info: 5000, success: 5000, error: 10_000 };

const COLORS: Record<ToastTone, string> = {
  info: "bg-gray-80 text-white",
  success: "bg-success-60 text-white",
  error: "bg-danger-60 text-white",
};

export const toastClass = (tone: ToastTone) =>
  `on-dark pointer-events-auto flex w-full max-w-md animate-rise items-center gap-2 rounded-lg py-2 pr-2 pl-5 shadow-lg ${COLORS[tone]}`;
export const TOAST_TEXT_CLASS = "min-w-0 flex-1 py-1.5";
