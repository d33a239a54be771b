import type { FormTexts } from "#app/lib/texts/korean-form.ts";

export const ENGLISH_FORM_TEXTS: FormTexts = {
  needsScript: "Please turn on JavaScript in your browser to use this page.",
  preparing: "Loading",
  showPassword: "Show password",
  capsLock: "Caps Lock is on.",
  hangul: "Korean letters have been typed. Please switch your keyboard to English.",
};
