import { useSearchParams } from "react-router";

/** The search that stands in the address of a list of the console. @param path the list's own */
export function useListSearch(path: string) {
  const [params] = useSearchParams();
  return {
    /** Changes with the search, so that the form shows what is searched for. */
    key: params.toString(),
    value: (name: string) => params.get(name) ?? "",
    values: (name: string) => params.getAll(name),
    /** Those of the fields that are filled in, as a call takes them. */
    filter: (fields: readonly { name: string }[]) =>
      Object.fromEntries(fields.flatMap(({ name }) => (params.get(name) ? [[name, params.get(name)]] : []))),
    href: (page: number) => {
      const next = new URLSearchParams(params);
      next.set("page", String(page));
      return `${path}?${next}`;
    },
  };
}
