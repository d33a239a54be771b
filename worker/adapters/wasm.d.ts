declare module "*.wasm" {
  const compiled: WebAssembly.Module;
  export default compiled;
}

declare module "@zxcvbn-ts/language-common/dist/passwords.json.mjs" {
  const passwords: string[];
  export default passwords;
}
