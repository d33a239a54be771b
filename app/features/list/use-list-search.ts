import { useSearchParams } from "react-router";

export function useListSearch(path: string) {
  const [params] = useSearchParams();
  return {
    /** Changes with the search so that the filter form is reset. */
    key: params.toString(),
    value: (name: string) => params.get(name) ?? "",
    values: (name: string) => params.getAll(name),
    filter: (fields: readonly { name: string }[]) =>
      Object.fromEntries(fields.flatMap(({ name }) => (params.get(name) ? [[name, params.get(name)]] : []))),
    href: (page: number) => {
      const next = new URLSearchParams(params);
      next.set("page", String(page));
      return `${path}?${next}`;
    },
  };
}
