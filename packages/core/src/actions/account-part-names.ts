/**
 * The parts of the account, in the path `<base>/account/<part>`. Other paths below `account` belong to the application:
 * with `basePath: '/'`, a guard must not take its page `/account/billing` for an action.
 */
export const accountPartNames = [
  'name',
  'sign-in',
  'link',
  'unlink',
  'email',
  'confirm',
  'undo',
  'delete',
  'export',
  'passkey',
] as const;
