// Preloaded into a tutorial's program: answers its requests to GitHub, so that a whole sign-in runs without a network.
const real = globalThis.fetch;

const user = { id: 1, login: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', avatar_url: null, company: 'Acme' };
const answers = {
  'https://github.com/login/oauth/access_token': { access_token: 'gho_test', token_type: 'bearer', scope: 'read:user' },
  'https://api.github.com/user': user,
  'https://api.github.com/user/emails': [{ email: user.email, primary: true, verified: true }],
};

/** @param {string | URL | Request} input @param {RequestInit} [init] */
globalThis.fetch = (input, init) => {
  const { origin, pathname } = new URL(input instanceof Request ? input.url : input);
  const answer = answers[/** @type {keyof typeof answers} */ (origin + pathname)];
  return answer ? Promise.resolve(Response.json(answer)) : real(input, init);
};
