/** The vectors of the interoperability contract, section 21: the same secret `secret` throughout. */
export const vectors = {
  key: 'b1ef6cdd915c44c0a71232574a6a70546a5e16d12bb38df4638e3b96bdd32025131e90695ff072a9d148f1511c7a4981a85b63a628311da1fa7ccfc49c47c2bb',
  kid: '7x9DUMVaEU6giab0l0OWDt4e4SsRH_cbwMof2EzEyy6onK5o8xSPPB799RVoqm2v6z674kQCv9jom2T8S-a1dQ',
  secureKey:
    '0d8bf2d720367891eda6b7cc8f1960cf3fac4c0e5972e05c0ea71f835d01d69a60b8d258a71a473d46b0eec5ed3dfe45a7bcfbe54ccfa14f50206f3af0f777f5',
  secureKid: '7E3YIGAxRtn6djTGy1UjZrFvXELHKzM9vfWl0nQ4b88EsnrmmX0grN0VKis7G3fjgB626TXm_lEtBG1N0E7Xyg',
  /** 32 bytes, salt `s`. */
  gcmKey: 'cef8130632fdff167285b0f5f9e63e877e7dcb3f59890cd81ea59d19a437c3e9',
  /** Of 64 times `a`. */
  csrfHash: '903c1490e042a075338b0e597cd889260f671063edb09ab070d2634e8277cf9c',
  /** The same with the secrets `k1` and `k2`. */
  csrfHashOfList: 'e48c40a71473c07bd819748b49f739d81043ff7e5434d04c083141520706ace7',
} as const;

/** A session token: name Ada, email ada@example.com, picture null, sub u1, about 100 years. */
export const sample =
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiN3g5RFVNVmFFVTZnaWFiMGwwT1dEdDRlNFNzUkhfY2J3TW9mMkV6RXl5Nm9uSzVvOHhTUFBCNzk5UlZvcW0ydjZ6Njc0a1FDdjlqb20yVDhTLWExZFEifQ..QWtv9lM3PVwG7Ktdc0_lxQ.eYI89qHg_SQdYNtALCBqRAH-SpNf1iSDGgDzEdlPH_oXS72n2-8qRwPqZ1LAAHibrXEvEfrUCvXr90YX_rkAq8VOsradsvlqKCb2lEjnU2RYDY5yfqOF_CBvjMK0WX-I9TRLKOUpfIwhqOo1n20Rx92ML0-6nwlP6E3tCZTFcPhCzTeg_d2zEYwqdFLp7FqqXBSu2QghUgLNqkGCGlEylw.T6YJL9PClsHwX8zaZgHRlYthS5EXp37l6Utd0wQPlWw';

/** Bytes of a hex text. */
export function hex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
