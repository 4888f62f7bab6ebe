import { checkLoaded } from '../checks/loaded.ts';
import { applyMigrations, planMigrations } from '../checks/store.ts';
import { clean, messageOf } from '../terminal.ts';
import { configurationOf, type Found } from './configurations.ts';
import type { Answer, Loaded, Question, SentRequest } from './protocol.ts';
import { redacted, redactor } from './secrets.ts';

// The process that imports the application. Each message is a question, and gets one answer. No text leaves this
// process before secrets and escape sequences are removed.

let found: Found | undefined;

process.on('message', async (question: Question) => {
  try {
    send({ ok: true, value: await answerTo(question) });
  } catch (error) {
    send({ ok: false, message: messageOf(error) });
  }
});
process.on('disconnect', () => process.exit());
process.on('uncaughtException', (error) => {
  // The application may have started work that fails later.
  if (!found) send({ ok: false, message: messageOf(error) });
});

function send(answer: Answer): void {
  const redact = redactor(process.env, found?.given, found?.inspection.config);
  process.send?.(redacted(answer, (text) => clean(redact(text))));
}

async function answerTo(question: Question): Promise<unknown> {
  if (question.do === 'load') {
    found = await configurationOf(question.file, question.root, question.framework);
    return loadedOf(found);
  }
  if (!found) throw new Error('the application is not loaded');
  switch (question.do) {
    case 'check':
      return checkLoaded(found, question);
    case 'plan':
      return planMigrations(found);
    case 'explain':
      return explained(found, question.request);
    case 'apply':
      return applyMigrations(found);
  }
}

async function explained({ given, env, inspection, loadExplain }: Found, sent: SentRequest): Promise<unknown> {
  const { explain } = await loadExplain();
  const { method, url, headers, body } = sent;
  const request = new Request(url, { method, headers: headers.map(([name, value]) => [name, value]), body });
  return explain(request, given as never, { env: { ...env }, call: { basePath: inspection.basePath } });
}

function loadedOf({ binding, inspection: { basePath, providers, config } }: Found): Loaded {
  return {
    binding,
    basePath,
    isSecure: config.useSecureCookies === true,
    providers: providers.map((provider) => ({
      id: provider.id,
      callbackUrl:
        provider.type === 'oauth' || provider.type === 'oidc'
          ? 'redirectUri' in provider
            ? provider.redirectUri
            : provider.callbackUrl
          : null,
    })),
  };
}
