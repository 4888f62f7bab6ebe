import { QwikAuth$ } from '@auth/qwik';

/** The configuration of the test that runs this application. */
export const { onRequest, useSession, useSignIn, useSignOut } = QwikAuth$(() => globalThis.wrapperConfig);
