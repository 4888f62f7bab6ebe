import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** An option of the configuration, as its docstring describes it. */
export interface Option {
  /** Path from the configuration: `session.maxAge`. A symbol is in brackets: `[allowShortSecret]`. */
  readonly path: string;
  /** Source text of the type, in one line and without `undefined`. */
  readonly type: string;
  /** The docstring without the sentence about the default. */
  readonly description: string;
  /** The sentence after `Default:`; `undefined` if the docstring lacks one. */
  readonly fallback: string | undefined;
  readonly isRequired: boolean;
  /** Version of the tag `@since`; `undefined` for an option of the first release. */
  readonly since: string | undefined;
}

const source = fileURLToPath(new URL('../../src/types/config.ts', import.meta.url));

/** Interfaces whose members are options, too. The other types, such as a store, are values. */
const groups =
  /Options$|^(CallbacksOptions|EventCallbacks|LoggerInstance|Theme|ThemeLogo|ThemeFont|PageLinks|CookieMigration|RateLimit|CredentialsRateLimit|TokenKms)$/;

/**
 * Reads the members of `AuthConfig`, and the members of their groups, in the order of the source.
 *
 * ```ts
 * readOptions().find(({ path }) => path === 'session.maxAge')?.fallback; // '2592000 (30 days).'
 * ```
 *
 * @throws {Error} If an option has no docstring.
 */
export function readOptions(): Option[] {
  const program = ts.createProgram([source], {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    types: [],
  });
  const checker = program.getTypeChecker();
  const configuration = program
    .getSourceFile(source)
    ?.statements.filter(ts.isInterfaceDeclaration)
    .find(({ name }) => name.text === 'AuthConfig');
  if (!configuration) throw new Error(`${basename(source)} does not declare AuthConfig`);
  return optionsOf(checker, checker.getTypeAtLocation(configuration), '');
}

function optionsOf(checker: ts.TypeChecker, group: ts.Type, prefix: string): Option[] {
  return checker.getPropertiesOfType(group).flatMap((symbol) => {
    const declaration = symbol.declarations?.[0];
    if (!declaration || !(ts.isPropertySignature(declaration) || ts.isMethodSignature(declaration))) return [];
    const path = prefix + declaration.name.getText();
    const option = describe(path, declaration, isOptional(symbol));
    if (option.description.startsWith('Internal: ')) return [];
    const types = typesOf(checker.getTypeOfSymbolAtLocation(symbol, declaration));
    const members = types.filter(isGroup).flatMap((type) => optionsOf(checker, type, `${path}.`));
    return [option, ...withoutRepetition(members)];
  });
}

/** Two types of one union can have members with the same name: `RateLimit | CredentialsRateLimit`. */
function withoutRepetition(options: readonly Option[]): Option[] {
  return [...new Map(options.map((option) => [option.path, option])).values()];
}

const isOptional = (symbol: ts.Symbol): boolean => (symbol.flags & ts.SymbolFlags.Optional) !== 0;

/** Returns the types of a union; of an intersection, the whole. */
const typesOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);

/** Returns whether the members of a type are options: an interface of {@link groups}, in part, or an object literal. */
function isGroup(type: ts.Type): boolean {
  if (type.getCallSignatures().length > 0) return false;
  const parents = type.getProperties().map((member) => member.declarations?.[0]?.parent);
  return parents.length > 0 && parents.every((parent) => parent !== undefined && isGroupDeclaration(parent));
}

function isGroupDeclaration(node: ts.Node): boolean {
  if (!node.getSourceFile().fileName.startsWith(fileURLToPath(new URL('../../src/types/', import.meta.url))))
    return false;
  return ts.isInterfaceDeclaration(node) ? groups.test(node.name.text) : ts.isTypeLiteralNode(node);
}

function describe(
  path: string,
  declaration: ts.PropertySignature | ts.MethodSignature,
  isOptionalMember: boolean,
): Option {
  const docs = ts.getJSDocCommentsAndTags(declaration).find(ts.isJSDoc);
  const text = (ts.getTextOfJSDocComment(docs?.comment) ?? '').replace(/\s+/g, ' ').trim();
  const since = ts.getJSDocTags(declaration).find(({ tagName }) => tagName.text === 'since');
  if (text === '') throw new Error(`the option ${path} has no docstring`);
  // A sentence ends with a period before a capital letter, a code mark or the end.
  const sentences = text.split(/(?<=\.) (?=[A-Z`<])/);
  const fallback = sentences.find((sentence) => sentence.startsWith('Default: '));
  return {
    path,
    type: typeText(declaration),
    description: sentences.filter((sentence) => sentence !== fallback).join(' '),
    fallback: fallback?.slice('Default: '.length),
    isRequired: !isOptionalMember,
    since: since && ts.getTextOfJSDocComment(since.comment)?.trim(),
  };
}

function typeText(declaration: ts.PropertySignature | ts.MethodSignature): string {
  const type = declaration.type?.getText() ?? 'unknown';
  const defined = type
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/^\| | \| undefined$/g, '')
    .replaceAll(' | undefined;', ';')
    .replaceAll(/\bOptional<(\w+)>/g, '$1')
    .replace(/^\(([^()]*|\(.*)\)$/, '$1');
  if (ts.isPropertySignature(declaration)) return defined;
  const parameters = declaration.parameters.map((parameter) => parameter.getText().replace(/\s+/g, ' '));
  return `(${parameters.join(', ')}) => ${defined}`;
}
