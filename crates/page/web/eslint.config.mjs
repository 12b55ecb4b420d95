// Rules for the page's code: what the types cannot see. How it is laid out is Prettier's business.
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["node_modules/", ".test/", "src/generated.ts"] },
  {
    files: ["src/**/*.ts", "test/**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // Types do not say that an index may miss (`noUncheckedIndexedAccess` is off, for the sake of loops over samples), so
      // that a check of what was found looks unnecessary, and an assertion that it was found says what the code knows.
      "@typescript-eslint/no-unnecessary-condition": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
      // `h<HTMLInputElement>("input", …)` is how an element is made.
      "@typescript-eslint/no-unnecessary-type-parameters": "off",
      // The sides of uPlot are a `const enum`, which modules that are bundled one by one cannot name.
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      // An action of one line may give back what its call gives back.
      "@typescript-eslint/no-confusing-void-expression": "off",
    },
  },
  {
    files: ["test/**/*.ts"],
    // `test` of Node returns a promise that Node itself awaits.
    rules: { "@typescript-eslint/no-floating-promises": "off" },
  },
  {
    files: ["*.mjs", "browser/**/*.mjs"],
    extends: [tseslint.configs.base],
    rules: {
      eqeqeq: "error",
      "no-unused-vars": "error",
      "no-undef": "off",
      "prefer-const": "error",
      "no-var": "error",
    },
  },
);
