import { UNSAFE_decodeViaTurboStream as decodeData, UNSAFE_ErrorResponseImpl as ErrorResponse } from "react-router";
import { expect, test } from "vitest";
import { flattenData } from "#app/lib/loader-data.ts";
import { requirePresent } from "../../support/require-present.ts";

const decode = async (text: string) => {
  const body = requirePresent(new Response(`${text}\n`).body);
  return (await decodeData(body, globalThis as unknown as Window)).value;
};

test.for<[what: string, data: unknown]>([
  ["texts, numbers and marks", { text: '가 "나" <b>\u2028', number: 1.5, zero: 0, yes: true, no: false }],
  ["nothing", { nothing: null, absent: undefined, list: [null, undefined, [], {}] }],
  ["numbers that JSON lacks", [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]],
  ["repeated values", [{ title: "안내" }, { title: "안내", count: 1 }, 1, 1, "title"]],
  ["a name of the language's own", JSON.parse('{"constructor":{"length":2},"toString":"말"}')],
  ["an error page's answer", { errors: { root: new ErrorResponse(404, "", { code: "NOT_FOUND" }) } }],
])("the browser reads %s as the loader returned them", async ([, data]) => {
  expect(await decode(flattenData(data))).toEqual(data);
});

test("the browser reads an error with its message alone", async () => {
  const error = new Error("Unexpected Server Error");
  error.stack = undefined;
  expect(await decode(flattenData({ root: error }))).toEqual({ root: error });
});

test.for([new Date(), new Map(), Promise.resolve()])("data that is not JSON is refused", (data) => {
  expect(() => flattenData({ data })).toThrow(TypeError);
});
