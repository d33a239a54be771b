// In the words of the oldest browsers. Adds the built-ins that the browser's code uses and Chrome 109 lacks, before any module runs; test/boundary.test.ts finds any other.
(() => {
  const add = (owner, name, value) => {
    if (!(name in owner)) Object.defineProperty(owner, name, { value, writable: true, configurable: true });
  };
  const onCopy = (change) =>
    function changed(...given) {
      const copy = Array.from(this);
      change(copy, given);
      return copy;
    };
  add(
    Array.prototype,
    "toSorted",
    onCopy((copy, given) => copy.sort(...given)),
  );
  add(
    Array.prototype,
    "toReversed",
    onCopy((copy) => {
      copy.reverse();
    }),
  );
  add(
    Array.prototype,
    "toSpliced",
    onCopy((copy, given) => copy.splice(...given)),
  );
  add(
    Array.prototype,
    "with",
    onCopy((copy, [at, value]) => {
      copy[at < 0 ? copy.length + at : at] = value;
    }),
  );
  add(URL, "canParse", (url, base) => {
    try {
      return Boolean(new URL(url, base));
    } catch (refusal) {
      return !refusal;
    }
  });
})();
