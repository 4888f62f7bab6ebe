import ts from 'typescript';

/** A comment, a message or a title, with the number of the source line where it begins. */
export interface Passage {
  kind: 'comment' | 'message';
  line: number;
  text: string;
}

/** Returns the English in a source file: its comments, test titles and messages. */
export function passagesOf(path: string, content: string): Passage[] {
  const code = path.endsWith('.svelte') ? scriptsOf(content) : content;
  const source = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true, scriptKindOf(path));
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const passages = new Map<number, Passage>();

  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.JsxText) return;
    for (const { pos, end } of commentsAround(code, node)) {
      passages.set(pos, { kind: 'comment', line: lineOf(pos), text: proseOfComment(code.slice(pos, end)) });
    }
    if (isEnglish(node, isTest(path))) {
      const start = node.getStart(source);
      passages.set(start, { kind: 'message', line: lineOf(start), text: proseOfString(node, source) });
    }
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return [...passages.values()].filter(({ text }) => /[a-z]/i.test(text)).sort((a, b) => a.line - b.line);
}

/** Keeps the scripts of a Svelte file and blanks the rest, so that line numbers stay the same. */
function scriptsOf(content: string): string {
  const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
  let code = '';
  let end = 0;
  for (const { index, 0: block, 1: script = '' } of content.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)) {
    const start = index + block.indexOf('>') + 1;
    code += blank(content.slice(end, start)) + script;
    end = start + script.length;
  }
  return code + blank(content.slice(end));
}

function scriptKindOf(path: string): ts.ScriptKind {
  if (path.endsWith('.tsx')) return ts.ScriptKind.TSX;
  return path.endsWith('.mjs') ? ts.ScriptKind.JS : ts.ScriptKind.TS;
}

function commentsAround(code: string, node: ts.Node): ts.TextRange[] {
  if (node.kind === ts.SyntaxKind.JSDoc || node.getChildCount() > 0) return [];
  const leading = ts.getLeadingCommentRanges(code, node.pos) ?? [];
  return [...joinLines(code, leading), ...(ts.getTrailingCommentRanges(code, node.end) ?? [])];
}

/** Makes one comment of `//` lines that follow one another. */
function joinLines(code: string, comments: readonly ts.CommentRange[]): ts.TextRange[] {
  const joined: ts.TextRange[] = [];
  for (const { pos, end } of comments) {
    const last = joined.at(-1);
    const between = last && code.slice(last.end, pos + 2);
    if (last && between && /^\n[ \t]*\/\/$/.test(between) && code.startsWith('//', last.pos)) last.end = end;
    else joined.push({ pos, end });
  }
  return joined;
}

const directive = /^\W*(biome-|eslint|@ts-|@type\b|@vitest|@__|#__|[a-z]+ mutation|\/\s*<reference|Stryker|v8 ignore)/;

/** Removes the marks of a comment and the names in its tags, line by line. */
function proseOfComment(comment: string): string {
  if (directive.test(comment.replace(/^\/[/*]+/, ''))) return '';
  return (
    comment
      .replace(/\*+\/$/, '')
      .split('\n')
      .map((line) => line.replace(/^\s*(\/\/+|\/\*+|\*(?!\*)) ?/, '').trim())
      // A tag begins an item, as a hyphen does in a list.
      .map((line) => line.replace(/^@\w+\s*(\{.*?\}\s*)?(\[?\w+(=\S+)?\]?\s+(- )?)?/, '- '))
      .map((line) => line.replace(/\{@link ([^}]*)\}/g, '`$1`'))
      .join('\n')
  );
}

const isTest = (path: string): boolean => /(^|\/)test\//.test(path);

type Text = ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression;

/** Tells whether a text is the title of a test or, outside of tests, looks like a sentence. */
function isEnglish(node: ts.Node, isInTest: boolean): node is Text {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return false;
  if (ts.isTaggedTemplateExpression(node.parent) || ts.isLiteralTypeNode(node.parent)) return false;
  return isTitle(node) || (!isInTest && looksLikeSentence(node.getText()));
}

function isTitle(node: Text): boolean {
  if (!ts.isCallExpression(node.parent) || node.parent.arguments[0] !== node) return false;
  let callee: ts.Expression = node.parent.expression;
  while (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) callee = callee.expression;
  return ts.isIdentifier(callee) && ['it', 'test', 'describe'].includes(callee.text);
}

function looksLikeSentence(literal: string): boolean {
  const text = literal.slice(1, -1).replace(/\$\{[^}]*\}|`[^`]*`/g, 'x');
  if (/[<>{}=;]|^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH)\b|^\s*select\b.*\bfrom /s.test(text))
    return false;
  return /[A-Za-z]+,? [a-z]+,? [a-z]+/.test(text);
}

/** Returns the text of a string. Inserted values become code, so that no rule reads them. */
function proseOfString(node: Text, source: ts.SourceFile): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  const spans = node.templateSpans.map(({ expression, literal }) => {
    const value = `\`${expression.getText(source).replace(/[`\n]/g, '')}\``;
    return value + literal.text;
  });
  return node.head.text + spans.join('');
}
