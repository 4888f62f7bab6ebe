/** `true` if both types are the same. `any` and `unknown` are different. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles for `true` only. */
export type Is<T extends true> = T;

/** Compiles where `From` may be passed for `To`. */
export type Fits<From extends To, To> = From;

/** Compiles where the value is of exactly this type, and gives it back: `exactly<string>()(value)`. */
export declare function exactly<T>(): <V>(value: V, ...same: Same<V, T> extends true ? [] : ['is', V, 'not', T]) => V;
