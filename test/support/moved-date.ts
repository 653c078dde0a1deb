/**
 * A clock that is ahead of the machine's; timers are not affected.
 * @returns a replacement for `Date`; existing dates are instances of it, too
 */
export function movedDate(aheadMs: () => number): DateConstructor {
  const RealDate = Date
  class MovedDate extends RealDate {
    constructor(...args: unknown[]) {
      // @ts-expect-error -- Date has a signature for each number of arguments
      super(...(args.length === 0 ? [MovedDate.now()] : args))
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
