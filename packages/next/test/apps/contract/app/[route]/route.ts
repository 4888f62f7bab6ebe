import { callFailure, waitForSuite } from '@latchkey/testing/binding-application';
import { cookies } from 'next/headers';
import type { NextRequest } from 'next/server';
import { auth, signIn, signOut, update } from '../../auth.ts';

type Query = URLSearchParams;
type Fields = Record<string, string>;

/** The routes of docs/frameworks/contract.md. */
const reads: Record<string, (query: Query, request: NextRequest) => Promise<Response>> = {
  async session(query) {
    const session = await auth();
    await waitForSuite(query.get('wait'));
    return Response.json(session);
  },
  async cached(query, { headers: asked }) {
    const session = await auth();
    const headers = { ...Object.fromEntries(query), etag: '"contract"' };
    const isKnown = asked.get('if-none-match') === '"contract"';
    return isKnown ? new Response(null, { status: 304, headers }) : Response.json(session, { headers });
  },
  async streamed(query) {
    const session = await auth();
    return stream(async function* () {
      yield `start ${session?.user?.name}\n`;
      await waitForSuite(query.get('wait'));
      yield 'end\n';
    });
  },
  async late(query) {
    return stream(async function* () {
      yield 'start\n';
      await waitForSuite(query.get('wait'));
      yield `${(await auth())?.user?.name}\n`;
      if (query.has('call')) yield `${await lateSignOut()}\n`;
    });
  },
  async double() {
    const first = await auth();
    if (first?.user) first.user.name = 'Changed';
    return Response.json([first, await auth()]);
  },
  async 'own-cookies'(query) {
    const jar = await cookies();
    jar.set('theme', 'dark');
    const session = await auth();
    jar.set('lang', 'en');
    if (query.has('clear')) jar.delete(query.get('clear') ?? '');
    return Response.json(session);
  },
  async error() {
    await auth();
    throw new Error('a secret detail of the application');
  },
};

const withRedirect = ({ redirect, ...options }: Fields) => ({ ...options, redirect: redirect !== 'false' });

const calls: Record<string, (fields: Fields) => Promise<object>> = {
  'sign-in': async ({ provider, ...fields }) => ({ url: await signIn(provider, withRedirect(fields)) }),
  'sign-out': async (fields) => ({ url: (await signOut(withRedirect(fields))).redirect }),
  update: async ({ name }) => ({ updated: await update({ name }) }),
};

type Context = { params: Promise<{ route: string }> };

export async function GET(request: NextRequest, { params }: Context) {
  const read = reads[(await params).route];
  return read ? read(request.nextUrl.searchParams, request) : new Response('not found', { status: 404 });
}

export async function POST(request: NextRequest, { params }: Context) {
  const call = calls[(await params).route];
  if (!call) return new Response('not found', { status: 404 });
  const fields = Object.fromEntries([...(await request.formData())].map(([name, value]) => [name, String(value)]));
  try {
    const before = await auth();
    const result = await call(fields);
    return Response.json({ before, ...result, after: await auth() });
  } catch (error) {
    return Response.json(callFailure(error), { status: 400 });
  }
}

async function lateSignOut(): Promise<string> {
  try {
    await signOut({ redirect: false });
    return 'done';
  } catch (error) {
    return callFailure(error).error;
  }
}

function stream(texts: () => AsyncGenerator<string>): Response {
  const body = ReadableStream.from(texts()).pipeThrough(new TextEncoderStream());
  return new Response(body as ReadableStream, { headers: { 'content-type': 'text/plain' } });
}
