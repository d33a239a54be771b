import { TOAST_LIFE_MS, TOAST_TEXT_CLASS, toastClass, type ToastTone } from "#app/ui/toast-look.ts";

export function showToast(text: string, tone: ToastTone): void {
  const region = document.querySelector(`#toasts [role="${tone === "error" ? "alert" : "status"}"]`);
  const words = Object.assign(document.createElement("p"), { className: TOAST_TEXT_CLASS, textContent: text });
  const toast = Object.assign(document.createElement("div"), { className: toastClass(tone) });
  toast.appendChild(words);
  region?.replaceChildren(toast);
  setTimeout(() => toast.remove(), TOAST_LIFE_MS[tone]);
}
