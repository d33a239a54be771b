const isText = (node) => node.type === "Literal" || (node.type === "TemplateLiteral" && node.expressions.length === 0);
const isFunction = ({ type }) => type === "ArrowFunctionExpression" || type === "FunctionExpression";

/** `$&` in a replacement is a pattern: a text from elsewhere may bring one. */
const noReplacementText = {
  create: (context) => ({
    CallExpression({ callee, arguments: [pattern, replacement, ...rest] }) {
      if (callee.type !== "MemberExpression" || callee.computed || rest.length > 0 || !replacement) return;
      if (callee.property.name !== "replace" && callee.property.name !== "replaceAll") return;
      if (isFunction(replacement)) return;
      const isSafe =
        isText(replacement) &&
        !(isText(pattern) && !pattern.regex && context.sourceCode.getText(replacement).includes("$"));
      if (!isSafe)
        context.report({
          message: "Give the replacement as a function: in a text `$&` is a pattern.",
          node: replacement,
        });
    },
  }),
};

/** A function that runs at a top-level `await` cannot read a constant below it. */
const noConstantBelowAwait = {
  create: (context) => ({
    Program({ body }) {
      const start = body.findIndex(
        (it) => it.type === "ExpressionStatement" && it.expression.type === "AwaitExpression",
      );
      if (start < 0) return;
      for (const node of body.slice(start)) {
        if (
          node.type === "VariableDeclaration" &&
          node.kind !== "var" &&
          !isFunction(node.declarations[0].init ?? node)
        )
          context.report({ message: "Declare the constant above the module's first `await`.", node });
      }
    },
  }),
};

export default {
  meta: { name: "site" },
  rules: { "no-constant-below-await": noConstantBelowAwait, "no-replacement-text": noReplacementText },
};
