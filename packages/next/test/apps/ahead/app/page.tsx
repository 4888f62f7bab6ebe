import { cacheLife } from 'next/cache';
import { Suspense } from 'react';
import { auth } from '../auth.ts';

/** Asked for with each visit. */
async function Visitor() {
  return <pre id="session">{JSON.stringify(await auth())}</pre>;
}

/** Kept by the visitor's own browser. */
async function kept() {
  'use cache: private';
  cacheLife('minutes');
  return auth();
}

async function Kept() {
  return <pre id="kept">{JSON.stringify(await kept())}</pre>;
}

export default function Page() {
  return (
    <Suspense fallback={<p>one moment</p>}>
      <Visitor />
      <Kept />
    </Suspense>
  );
}
