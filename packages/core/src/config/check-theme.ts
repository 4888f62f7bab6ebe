import { AuthError } from '../errors.ts';
import { isRecord } from '../plain-object.ts';
import type { AuthConfig, Theme } from '../types/config.ts';
import { isCssValue, isFontFamily, isRadius, isThemeVariable, themeVariables } from '../views/theme.ts';
import { isSitePath } from './paths.ts';

/** Lists the mistakes of `theme`. The pages leave wrong values out. */
export function checkTheme({ theme = {} }: AuthConfig): AuthError[] {
  const texts = [
    ...logoProblems(theme.logo),
    ...radiusProblems(theme.radius),
    ...fontProblems(theme.font),
    ...Object.entries(theme.variables ?? {}).flatMap(([name, value]) => variableProblems(name, value)),
    ...marksProblems(theme.marks),
  ];
  return texts.map((text) => new AuthError(text));
}

function logoProblems(logo: unknown): string[] {
  if (!logo || typeof logo === 'string') return [];
  const isPair = isRecord(logo) && typeof logo['light'] === 'string' && typeof logo['dark'] === 'string';
  return isPair ? [] : ['`theme.logo` must be a URL, or `{ light, dark }` with two URLs. Correct it, or leave it out'];
}

function radiusProblems(radius: unknown): string[] {
  if (radius === undefined || isRadius(radius)) return [];
  return ['`theme.radius` must be a number of pixels from 0 to 24. Correct it, or leave it out'];
}

function fontProblems(font: Theme['font']): string[] {
  if (!font) return [];
  const { family, src } = typeof font === 'string' ? { family: font } : font;
  const problems: string[] = [];
  if (!isFontFamily(family)) {
    problems.push('`theme.font` must name a family with 1 to 64 letters, digits, spaces and hyphens. Correct the name');
  }
  if (typeof font !== 'string' && !isSitePath(src)) {
    problems.push('`theme.font.src` must be a path of this site, for example /fonts/inter.woff2');
  }
  return problems;
}

function variableProblems(name: string, value: unknown): string[] {
  const path = `\`theme.variables['${name.slice(0, 40)}']\``;
  if (!isThemeVariable(name))
    return [`${path} is not a variable of the pages. Use one of: ${themeVariables.join(', ')}`];
  if (value === undefined || isCssValue(value)) return [];
  return [
    `${path} must be a CSS value without url(): 1 to 96 letters, digits, spaces and characters of #%(),./+-_. Correct it`,
  ];
}

function marksProblems(marks: unknown): string[] {
  return !marks || marks === 'monogram' ? [] : ['`theme.marks` must be "monogram". Correct it, or leave it out'];
}
