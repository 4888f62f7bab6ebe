import { renderToReadableStream } from 'react-dom/server';
import { type EntryContext, ServerRouter } from 'react-router';

export default async function handleRequest(request: Request, status: number, headers: Headers, context: EntryContext) {
  headers.set('content-type', 'text/html; charset=utf-8');
  if (context.staticHandlerContext.errors) headers.set('x-error-handler', 'application');
  const body = await renderToReadableStream(<ServerRouter context={context} url={request.url} />);
  return new Response(body, { status, headers });
}

/** The suite causes errors on purpose. */
export function handleError() {}
