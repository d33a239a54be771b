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

export default { meta: { name: "site" }, rules: { "no-replacement-text": noReplacementText } };
