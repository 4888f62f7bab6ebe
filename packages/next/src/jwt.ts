// Named one by one, so that `declare module '@latchkey/next/jwt'` extends the interfaces themselves.
export {
  type DefaultJWT,
  decode,
  encode,
  type GetTokenParams,
  getToken,
  type JWT,
  type JWTDecodeParams,
  type JWTEncodeParams,
  type JWTOptions,
} from '@latchkey/core/jwt';
