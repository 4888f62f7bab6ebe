/** A start tag: its name and its attributes, entities decoded. */
export interface Tag {
  name: string;
  attributes: Record<string, string>;
}

const tagPattern = /<([a-z][a-z\d]*)((?:\s+[^\s"'<>/=]+(?:="[^"]*")?)*)\s*\/?>/g;

/** Returns the start tags of a page. Throws if a `<` does not belong to a form of markup that the pages use. */
export function tags(page: string): Tag[] {
  const body = page.replace(/<style>[^<]*<\/style>/g, '');
  const rest = body
    .replace('<!doctype html>', '')
    .replace(tagPattern, '')
    .replace(/<\/[a-z\d]+>/g, '');
  if (/[<>]/.test(rest)) throw new Error(`stray markup: ${/.{0,40}[<>].{0,40}/.exec(rest)?.[0]}`);
  return [...body.matchAll(tagPattern)].map((match) => ({
    name: match[1] ?? '',
    attributes: attributesOf(match[2] ?? ''),
  }));
}

/** Texts of the style elements. */
export function styleTexts(page: string): string[] {
  return [...page.matchAll(/<style>([^<]*)<\/style>/g)].map((match) => match[1] ?? '');
}

/** A form: its address and method, its inputs by name, and its buttons. */
export interface Form {
  action: string | undefined;
  method: string | undefined;
  inputs: Record<string, Record<string, string>>;
  buttons: { attributes: Record<string, string>; text: string }[];
}

/** Returns the forms of a page. */
export function forms(page: string): Form[] {
  return [...page.matchAll(/<form[\s\S]*?<\/form>/g)].map(([text]) => {
    const [form, ...inside] = tags(text);
    return {
      action: form?.attributes['action'],
      method: form?.attributes['method'],
      inputs: Object.fromEntries(
        inside.filter((tag) => tag.name === 'input').map((tag) => [tag.attributes['name'] ?? '', tag.attributes]),
      ),
      buttons: [...text.matchAll(/<button([^>]*)>([\s\S]*?)<\/button>/g)].map((match) => ({
        attributes: attributesOf(match[1] ?? ''),
        text: decode(
          (match[2] ?? '').replace(/<(span|svg) class="mark[^>]*>.*?<\/\1>/, '').replace(/<[^>]*>/g, ''),
        ).trim(),
      })),
    };
  });
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([^\s"'<>/=]+)(?:="([^"]*)")?/g)].map((match) => [match[1] ?? '', decode(match[2] ?? '')]),
  );
}

function decode(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
