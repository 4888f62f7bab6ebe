/** The interface of adapters, and the fields of the rows that they keep. */

export {
  type FieldKind,
  fields,
  type UserFieldDefinitions,
  type UserFieldKind,
  type UserFields,
  type WithUserFields,
} from './store/fields.ts';
export {
  type Adapter,
  type AdapterAccount,
  type AdapterAccountType,
  type AdapterAuthenticator,
  type AdapterLike,
  type AdapterMethod,
  type AdapterSession,
  type AdapterUser,
  isDate,
  type VerificationToken,
} from './types/adapter.ts';
