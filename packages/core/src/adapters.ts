/** The interface of adapters, the fields of the rows that they keep, and what record stores share. */

export {
  addedFields,
  epochFields,
  type FieldKind,
  fields,
  type RecordField,
  recordFields,
  type UserFieldDefinitions,
  type UserFieldKind,
  type UserFields,
  type WithUserFields,
} from './store/fields.ts';
export { isOverBy, laterEpoch, recordPage, touchedRecord } from './store/session-records.ts';
export {
  type AccountDetails,
  type Adapter,
  type AdapterAccount,
  type AdapterAccountType,
  type AdapterAuthenticator,
  type AdapterLike,
  type AdapterMethod,
  type AdapterSession,
  type AdapterSessionMethods,
  type AdapterUser,
  type AuthenticatorChanges,
  isDate,
  type StoredAccount,
  type UnlinkAccountParams,
  type UnlinkAccountResult,
  type UpdateUserEmailParams,
  type UpdateUserEmailResult,
  type VerificationToken,
} from './types/adapter.ts';
