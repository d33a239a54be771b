import type { ControlTexts } from "#app/lib/texts/korean-control.ts";

export const ENGLISH_CONTROL_TEXTS: ControlTexts = {
  required: "(required)",
  close: "Close",
  partMissing: "This part could not be loaded. Please note what you have entered and reload the page.",
  checkFields: "Please check what you have entered.",
  choose: "Please choose",
};
