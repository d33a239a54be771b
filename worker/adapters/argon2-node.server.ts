import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const argon2Instance = () =>
  new WebAssembly.Instance(
    new WebAssembly.Module(readFileSync(fileURLToPath(import.meta.resolve("@phi-ag/argon2/argon2.wasm")))),
  );
