import { loadProject } from "./migrate.ts";

process.stdout.write(JSON.stringify(loadProject()));
