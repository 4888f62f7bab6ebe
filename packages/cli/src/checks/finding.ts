import { readFileSync } from 'node:fs';

/** `error`: the application does not work, or is not safe. `warning`: it may be intended. */
export type Level = 'error' | 'warning';

/** A result of a check that the owner should read. */
export interface Finding {
  /** Stable name of the check, for scripts. */
  readonly id: string;
  readonly level: Level;
  /** States the mistake. */
  readonly message: string;
  /** States the correction. */
  readonly remedy: string;
  /** URL of the documentation. */
  readonly docs: string;
  readonly facts: Readonly<Record<string, string | number | boolean>>;
}

/** The results of checks. */
export interface Results {
  readonly findings: readonly Finding[];
  /** Number of checks that found nothing. */
  readonly passed: number;
}

/** The members of a finding that a check states. */
export interface Stated {
  readonly message: string;
  readonly remedy: string;
  /** Default: `error`. */
  readonly level?: Level | undefined;
  readonly facts?: Finding['facts'] | undefined;
  /** Page and anchor of the documentation. Default: the id on the page of the command line. */
  readonly docs?: string | undefined;
}

/** Collects the results of checks. */
export class Report implements Results {
  readonly findings: Finding[] = [];
  passed = 0;

  /** Counts a check: as passed without a finding. */
  check(id: string, stated?: Stated | false | null | undefined): void {
    if (stated) this.add(id, stated);
    else this.passed++;
  }

  /** Adds a finding. */
  add(id: string, { message, remedy, level = 'error', facts = {}, docs = `cli.md#${id}` }: Stated): void {
    this.findings.push({ id, level, message, remedy, docs: docsUrl(docs), facts });
  }

  /** Adds the results of other checks. */
  join({ findings, passed }: Results): void {
    this.findings.push(...findings);
    this.passed += passed;
  }
}

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  /** The site of the documentation. Without a site, the README of this package in the repository. */
  homepage: string;
  repository: { url: string };
};

/** Returns the URL of a page in `docs`. */
export function docsUrl(page: string): string {
  const { homepage } = manifest;
  if (!homepage.endsWith('#readme')) return `${homepage.replace(/\/$/, '')}/${page.replace('.md', '/')}`;
  const repository = manifest.repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  return `${repository}/blob/main/docs/${page}`;
}
