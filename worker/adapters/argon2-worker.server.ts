import wasm from "@phi-ag/argon2/argon2.wasm";

/** Workers compile nothing while they run: the module comes compiled with the bundle. */
export const argon2Instance = () => new WebAssembly.Instance(wasm);
