import { Parser } from "htmlparser2";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { RowControls } from "#app/features/form/row-fields.tsx";
import { KINDS, type RowFields, type SentValues } from "#worker/contract/kernel/row.ts";

interface Control {
  name: string;
  value: string;
  isPicked: boolean;
}

/** Named controls of a page, those of a group of choices one by one. */
function controlsIn(html: string): Control[] {
  const controls: Control[] = [];
  let select = "";
  let area: Control | null = null;
  const parser = new Parser({
    onopentag(tag, { name = "", value = "", type = "", ...more }) {
      if (tag === "select") select = name;
      if (tag === "option" && select) controls.push({ name: select, value, isPicked: "selected" in more });
      if (tag === "textarea" && name) controls.push((area = { name, value: "", isPicked: true }));
      if (tag !== "input" || !name) return;
      const isTicked = type === "checkbox" || type === "radio";
      controls.push({ name, value: isTicked ? value || "on" : value, isPicked: !isTicked || "checked" in more });
    },
    ontext(text) {
      if (area) area.value += text;
    },
    onclosetag(tag) {
      if (tag === "select") select = "";
      if (tag === "textarea") area = null;
    },
  });
  parser.end(html);
  return controls;
}

/** The form of these fields as a browser sends it, with the controls as they are first shown. */
export function sentForm<F extends RowFields>(fields: F, values: Partial<SentValues<F>> | null): FormData {
  const element = createElement(RowControls<F>, { fields, values, errors: {} });
  const router = createMemoryRouter([{ id: "root", path: "/", element }]);
  const form = new FormData();
  for (const { name, value, isPicked } of controlsIn(renderToStaticMarkup(createElement(RouterProvider, { router }))))
    if (isPicked) form.append(name, value);
  return form;
}

/** Without what one control holds: its text is deleted, its ticks are taken away. */
export function withEmptied(form: FormData, fields: RowFields, name: string): FormData {
  const emptied = new FormData();
  for (const [each, value] of form) if (each !== name) emptied.append(each, value);
  const field = fields[name];
  const isTicked = field && field.kind !== "group" && ["tick", "ticks"].includes(KINDS[field.kind].control);
  if (!isTicked) emptied.append(name, "");
  return emptied;
}
