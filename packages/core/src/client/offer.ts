import type { Manner } from './ceremony.ts';

/** Milliseconds after which an offer is made anew, well before its challenge is too old. */
const OFFER_AGE = 10 * 60 * 1000;
/** Milliseconds that a browser has to answer, once the page is seen again. */
const GRACE = 1500;

const RENEWED = 'renewed';

/**
 * Offers passkeys in the autofill of a field with `autocomplete="… webauthn"` until one is taken. The offer is renewed before it is too
 * old, and when the page is seen again: there is one challenge per browser, and another tab may have asked for one since.
 *
 * @param take One offer, from the question to the end.
 * @param signal Ends it.
 * @throws {DOMException} `NotSupportedError` where the browser cannot do it; the signal's reason when it is ended; what `take` throws.
 */
export async function offerPasskeys<T>(take: (manner: Manner) => Promise<T>, signal: AbortSignal): Promise<T> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.()))
    throw new DOMException('no autofill', 'NotSupportedError');
  for (;;) {
    signal.throwIfAborted();
    const round = roundOf(signal);
    try {
      return await take({ mediation: 'conditional', signal: round.signal });
    } catch (error) {
      if (round.signal.reason !== RENEWED) throw error;
    } finally {
      round.end();
    }
  }
}

function roundOf(signal: AbortSignal): { signal: AbortSignal; end(): void } {
  const abort = new AbortController();
  const renew = () => abort.abort(RENEWED);
  const stop = () => abort.abort(signal.reason);
  const timers = [setTimeout(renew, OFFER_AGE)];
  const onSeen = () => {
    // Some browsers hide the page while they ask for the finger; then the answer comes first.
    if (document.visibilityState === 'visible') timers.push(setTimeout(renew, GRACE));
  };
  signal.addEventListener('abort', stop);
  document.addEventListener('visibilitychange', onSeen);
  return {
    signal: abort.signal,
    end() {
      timers.forEach(clearTimeout);
      signal.removeEventListener('abort', stop);
      document.removeEventListener('visibilitychange', onSeen);
    },
  };
}
