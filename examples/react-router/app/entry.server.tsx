import { renderToReadableStream } from 'react-dom/server';
import { type EntryContext, ServerRouter } from 'react-router';

/** Renders a page. React Router's own version of this file needs two more packages. */
export default async function handleRequest(request: Request, status: number, headers: Headers, context: EntryContext) {
  headers.set('content-type', 'text/html; charset=utf-8');
  const body = await renderToReadableStream(<ServerRouter context={context} url={request.url} />);
  return new Response(body, { status, headers });
}
