/** The sample records of the suite, for the tests of the record stores. */
export {
  anEpoch,
  aRecord,
  at,
  idsOf,
  look,
  stateOf,
  touchAt,
} from '../../packages/testing/src/session-records-suite/samples.ts';
