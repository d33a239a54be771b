import { resolve } from "node:path";
import { API, type Checker, type Type } from "typescript/unstable/sync";

const ROOT = resolve(import.meta.dirname, "../..");
const ROUTES = resolve(ROOT, "worker/api/app.ts");
const NO_TRUNCATION = 1;
const ENVELOPE = /^SuccessAnswer<([^]*)>$/;

/** The parts of a union, or the type itself. */
const partsOf = (type: Type): readonly Type[] => (type.isUnionType() ? type.getTypes() : [type]);

/** The inferred type of the data that each call answers, by "GET /api/board". */
export function readAnswerTypes(): Map<string, string> {
  const compiler = new API({ cwd: ROOT });
  try {
    const [project] = compiler.updateSnapshot({ openProject: resolve(ROOT, "tsconfig.json") }).getProjects();
    if (!project) throw new Error("tsconfig.json names no project");
    const { checker, program } = project;
    const text = program.getSourceFile(ROUTES)?.text ?? "";
    const name = checker.getSymbolAtPosition(ROUTES, text.indexOf("export type Api") + "export type ".length);
    if (!name) throw new Error(`${ROUTES} has no type Api`);
    const routes = checker.getDeclaredTypeOfSymbol(name);
    if (!routes.isTypeReference()) throw new Error("Api is no type of Hono");
    const schema = checker.getTypeArguments(routes)[1];
    return new Map(schema ? partsOf(schema).flatMap((part) => answersOf(checker, part)) : []);
  } finally {
    compiler.close();
  }
}

const answersOf = (checker: Checker, schema: Type): [string, string][] =>
  propertiesOf(checker, schema).flatMap(([path, methods]) =>
    propertiesOf(checker, methods).map(([method, call]): [string, string] => {
      const output = propertiesOf(checker, call).find(([key]) => key === "output")?.[1];
      const written = output ? checker.typeToString(output, undefined, NO_TRUNCATION) : "";
      return [`${method.slice(1).toUpperCase()} ${path}`, ENVELOPE.exec(written)?.[1] ?? written];
    }),
  );

const propertiesOf = (checker: Checker, type: Type): [string, Type][] =>
  checker.getPropertiesOfType(type).flatMap((property): [string, Type][] => {
    const value = checker.getTypeOfSymbol(property);
    return value ? [[property.name, value]] : [];
  });
