declare module 'markdownlint-cli2/markdownlint/promise' {
  interface MarkdownFinding {
    lineNumber: number;
    ruleDescription: string;
    errorDetail: string | null;
  }
  /** Checks texts by name. The package has no types of its own. */
  export function lint(options: {
    strings: Record<string, string>;
    config: object;
  }): Promise<Record<string, MarkdownFinding[]>>;
}
