/**
 * A clock that goes as the machine's does, by so much ahead of it; timers are those of the machine.
 * @returns what stands in for `Date`; dates made before are dates of it, too
 */
export function movedDate(aheadMs: () => number): DateConstructor {
  const RealDate = Date
  class MovedDate extends RealDate {
    constructor(...given: unknown[]) {
      // @ts-expect-error -- Date has a signature for each number of arguments
      super(...(given.length === 0 ? [MovedDate.now()] : given))
    }

    static override now(): number {
      return RealDate.now() + aheadMs()
    }

    static override [Symbol.hasInstance](value: unknown): boolean {
      return Object.prototype.isPrototypeOf.call(RealDate.prototype, Object(value))
    }
  }
  return MovedDate as DateConstructor
}
