import wasm from "@phi-ag/argon2/argon2.wasm";

/** Workers cannot compile WebAssembly at run time: the module is compiled with the bundle. */
export const argon2Instance = () => new WebAssembly.Instance(wasm);
