// Upper bounds on what is received and remembered. Single constants: a bundle keeps those that are used.

export const body = 262_144; // bytes: 256 KiB
export const bodyDepth = 64; // objects and lists inside one another
export const callbackUrl = 2048; // characters
export const flowAge = 900; // s an authorization request may stay unanswered
export const flows = 4; // authorization requests pending in one browser
export const flowCookie = 2048; // characters of a check cookie, name and value
export const returnTo = 512; // characters of a return address kept with its flow
export const idTokenSkew = 30; // s
export const keysPerSet = 100;
export const memoEntries = 256; // metadata, key sets and answers kept of providers, each
export const metadataFresh = 3600; // s
export const metadataStale = 86_400; // s, while the provider is down
export const proxyHops = 16; // proxies in front of the application
export const rateCounters = 20_000; // of attempts and mails, kept in this process
export const rateLimit = 1000; // times that a counter counts: it keeps the instant of each
export const rateWindow = 86_400; // s: 1 day
export const remoteBytes = 1_048_576; // 1 MiB
export const remoteTime = 10_000; // ms, for one answer in all
export const sessionChunks = 15; // written at most: more would make a Cookie header that is too long to be read
export const sessionChunksWarned = 4;
