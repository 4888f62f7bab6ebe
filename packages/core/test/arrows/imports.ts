import ts from 'typescript';

/** One module that a file names in an import or a re-export. */
export interface Import {
  specifier: string;
  line: number;
  /**
   * The compiler removes it: `import type`, `export type`, `import('…').T`. With `verbatimModuleSyntax`, it keeps
   * `import { type T }`.
   */
  typeOnly: boolean;
  /** `import('…')` as an expression. */
  dynamic: boolean;
}

/** Reads the imports of a TypeScript source, in the order in which they stand. Pure. */
export function readImports(text: string): Import[] {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest);
  const found: Import[] = [];

  function add(name: ts.Node | undefined, typeOnly: boolean, dynamic = false): void {
    if (!name || !ts.isStringLiteralLike(name)) return;
    const { line } = source.getLineAndCharacterOfPosition(name.getStart(source));
    found.push({ specifier: name.text, line: line + 1, typeOnly, dynamic });
  }

  function visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    } else if (ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier, node.isTypeOnly);
    } else if (ts.isImportTypeNode(node)) {
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, true);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false, true);
    }
    ts.forEachChild(node, visit);
  }

  visit(source);
  return found;
}
