/**
 * A part is the files that one run mutates, and the tests that judge it. Both are globs: below `packages/core/src`, and
 * below `packages/core/test` without `.test.ts`. The tests that notice most come first, because the first test that
 * fails ends a mutant. All tests of core would judge no better, and take much longer.
 *
 * @typedef {{ mutate: readonly string[], tests: readonly string[] }} Part
 */

/** @type {Readonly<Record<string, Part>>} */
export const parts = {
  guards: {
    mutate: ['guards/**/*.ts'],
    tests: [
      'guards/*',
      'flows/{return-to,entering,csrf}*',
      'binding/{same-origin,options}*',
      'attacks/{csrf,open-redirect}*',
      'flows/{doors,actions,redirect-proxy}*',
      'entry/*',
      'config/*',
      'attacks/*',
    ],
  },
  session: {
    mutate: ['session/**/*.ts'],
    tests: [
      'flows/{session,signout,adapter-return-values}*',
      'binding/{session,update,revision}*',
      'attacks/copied-session*',
      'flows/{accounts,logging}*',
      'attacks/*',
    ],
  },
  crypto: {
    mutate: ['crypto/**/*.ts'],
    tests: [
      'crypto/*',
      'jwt',
      'wire/sealed-cookie*',
      'flows/oauth-{id-token,signing-keys}*',
      'attacks/provider/id-token*',
      'attacks/{claims,cookies}*',
    ],
  },
  pending: {
    mutate: ['pending/*.ts'],
    tests: [
      'properties/pending-sign-ins*',
      'flows/{oauth-checks,oauth-journey,form-post,passkey-journey,passkey-faults}*',
      'attacks/{webauthn-challenge,stolen-callback,tossed-cookies}*',
      'attacks/*',
      'attacks/provider/mix-up*',
    ],
  },
  'identity/oauth': {
    mutate: ['identity/oauth/**/*.ts'],
    tests: [
      'flows/{oauth,form-post,redirect-proxy}*',
      'identity/*',
      'attacks/provider/*',
      'attacks/{claims,stolen-callback,tossed-cookies,provider}*',
      'providers/hooks*',
      'flows/{accounts,logging}*',
      'attacks/*',
    ],
  },
  'identity/webauthn': {
    mutate: ['identity/webauthn/**/*.ts', 'linking/passkeys.ts'],
    tests: ['flows/passkey*', 'attacks/webauthn*'],
  },
  'identity/email': {
    mutate: [
      'identity/email/*.ts',
      'actions/{code,email}.ts',
      'entry/agent.ts',
      'pending/mail.ts',
      'linking/mail.ts',
      'store/users.ts',
    ],
    tests: [
      'entry/agent*',
      'flows/email-code*',
      'flows/email-{request,link,journey}*',
      'flows/email*',
      'flows/verification*',
      'attacks/{email-address,planted-mail}*',
      'rate-limit/mails*',
      'flows/{adapter-return-values,accounts}*',
    ],
  },
  linking: {
    mutate: ['linking/{accounts,link,sign-in}.ts', 'identity/credentials/*.ts'],
    tests: [
      'identity/*',
      'flows/{accounts,sign-in-callback,credentials}*',
      'flows/{store-ready,adapter-return-values,config-problems,oauth-profile,oauth-edges}*',
      'flows/{linking-guided,verification-oauth,pages}*',
      'account/{limits,notices,recent}*',
      'attacks/{copied-session,provider-trust,unproven-address}*',
      'tokens/{stored,cookie}*',
      'flows/{actions,logging,passkey-faults,passkey-journey,email-journey}*',
      'binding/sign-in*',
      'attacks/*',
    ],
  },
  'linking/rows': {
    mutate: ['linking/{account-row,account-key,refusal}.ts'],
    tests: [
      'identity/refusal*',
      'flows/{account-details,accounts-ids}*',
      'account/limits*',
      'flows/accounts*',
      'flows/{passkey-edges,verification-passkey}*',
      'flows/{logging,linking-guided}*',
      'attacks/{provider-trust,copied-session,unproven-address}*',
    ],
  },
  'linking/offers': {
    mutate: [
      'linking/{decide,offer,make-offer,open-offer}.ts',
      'pending/offer.ts',
      'actions/{offer,offer-ways,add-account}.ts',
      'views/add-account.ts',
    ],
    tests: ['identity/{offer,link}*', 'flows/linking*', 'account/limits*', 'flows/accounts*', 'attacks/account*'],
  },
  'account/address': {
    mutate: ['account/{email,confirm-email,address,token-row,restored}.ts', 'actions/account-confirm.ts'],
    tests: ['account/{calls,email,undo}*'],
  },
  'account/undo': {
    mutate: ['account/{undo,statement,notices}.ts', 'actions/account-undo.ts'],
    tests: ['account/{undo,notices,passkeys,mail-problems,languages,calls}*'],
  },
  'account/ways': {
    mutate: ['account/{ways,unlink,limit,passkeys,name,export,delete}.ts', 'actions/account-{delete,link}.ts'],
    tests: ['account/{ways,limits,passkeys,export,delete,name,page,calls}*', 'tokens/{revoke,removal,visitor,cookie}*'],
  },
  'account/visitor': {
    mutate: [
      'account/{actor,recent,urls}.ts',
      'actions/{account,account-page,account-parts,account-sign-in}.ts',
      'linking/sign-in-again.ts',
      'session/{recent,end-user}.ts',
    ],
    tests: [
      'account/{page,recent}*',
      'account/{ways,limits,delete,export}*',
      'account/{calls,passkeys}*',
      'attacks/account*',
      'account/{email,undo}*',
    ],
  },
  'views/account': {
    mutate: ['views/account/*.ts', 'mail/{security,site,transport}.ts'],
    tests: ['account/{page,languages,ways,undo,delete}*', 'mail/security*', 'account/*', 'views/*'],
  },
  'linking/address': {
    mutate: ['linking/{unproven,first-proof,verification}.ts', 'identity/{proven,oauth/email-status}.ts'],
    tests: [
      'flows/verification*',
      'identity/{email-status,unproven,link}*',
      'attacks/{unproven-address,waiting-accounts,provider-trust}*',
      'flows/{accounts,email-link,adapter-return-values,passkey-journey,oauth-profile,oauth-edges}*',
      'flows/{sign-in-callback,config-problems,passkey}*',
    ],
  },
  'views/mail': {
    mutate: [
      'views/{confirm-email,verify-request,requester,time}.ts',
      'actions/verify-request-page.ts',
      'mail/sign-in.ts',
    ],
    tests: [
      'views/{other-pages,mail-pages}*',
      'mail/sign-in*',
      'flows/email-{code,link,journey,request}*',
      'flows/verification*',
    ],
  },
  'mail/document': {
    mutate: ['mail/document.ts'],
    tests: ['mail/{sign-in,security}*', 'mail/*'],
  },
  'views/pages': {
    mutate: ['views/{color,credential-field,document,error,html,mark,sessions,sign-out,text,theme}.ts'],
    tests: [
      'views/{mark,html,color,text,credential-field,session-pages,other-pages,document}*',
      'views/{sign-in,mail-pages}*',
      'mail/sign-in*',
      'flows/{theme,error-pages}*',
      'sessions/page*',
    ],
  },
  'views/sign-in': {
    mutate: ['views/sign-in/*.ts'],
    tests: ['views/{layout,sign-in}*', 'flows/{sign-in-steps,pages,passkey-page,error-pages}*', 'views/*'],
  },
  'tokens/decide': { mutate: ['tokens/{decide,refusal,scopes}.ts'], tests: ['tokens/{decide,providers}*', 'tokens/*'] },
  'tokens/get': { mutate: ['tokens/get.ts'], tests: ['tokens/{get,calls,refresh,stored,limits,visitor}*', 'tokens/*'] },
  'tokens/refresh': {
    mutate: ['tokens/refresh.ts'],
    tests: ['tokens/{get,refresh,refresh-changes,limits,sign-in,entries}'],
  },
  'tokens/entry': {
    mutate: ['tokens/{entry,vault}.ts'],
    tests: ['tokens/{entries,limits,refresh,secrecy}*', 'tokens/*'],
  },
  'tokens/accounts': {
    mutate: ['tokens/{accounts,rewrite,sign-in}.ts'],
    tests: ['tokens/{sign-in,stored,revoke,visitor,cookie}*'],
  },
  'tokens/revoke': { mutate: ['tokens/revoke.ts'], tests: ['tokens/{revoke,removal,visitor,limits}*', 'tokens/*'] },
  'tokens/visitor': {
    mutate: ['tokens/{cookie,owner,visitor}.ts', 'binding/tokens.ts'],
    tests: ['tokens/{cookie,renew,visitor,fetch,sign-in}*'],
  },
  'tokens/api-fetch': { mutate: ['tokens/api-fetch.ts'], tests: ['tokens/{api-fetch,fetch}*', 'tokens/*'] },
  'tokens/requests': {
    mutate: ['identity/oauth/{refresh,revoke}.ts'],
    tests: ['tokens/{refresh-request,revocation-request,revoke}*', 'providers/refresh*'],
  },
  'session/records': {
    mutate: [
      'session/{browser,database-records,end,end-user,facts,jwt-records,last-used,list,recent}.ts',
      'session/{record,record-store,records,rows}.ts',
    ],
    tests: [
      'sessions/*',
      'flows/{session,sign-in-steps}*',
      'logout/*',
      'account/{recent,delete,notices}*',
      'legacy/*',
      'tokens/cookie*',
    ],
  },
};
