import { afterEach } from "vitest";
import { checkSiteLog } from "./expected-log.ts";

afterEach(checkSiteLog);
