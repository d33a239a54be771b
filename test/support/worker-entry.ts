// The Worker of the tests: the source, with the database that runs in their isolate.
export { default } from "#worker/index.ts";
export { IsolateDatabase } from "./isolate-database.ts";
