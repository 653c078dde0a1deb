import { CognitoError } from './errors.ts'

const hourMs = 3_600_000
const maxLockoutMs = 15 * 60_000
/** failures are forgotten after this time without a further one */
const failuresExpireAfterMs = 15 * 60_000

/** Attempts per user and hour, from the service's published quotas. */
const hourlyLimits = {
  ConfirmSignUp: 15,
  ResendConfirmationCode: 5,
  ForgotPassword: 10,
  ConfirmForgotPassword: 10,
  ChangePassword: 5,
  VerifyUserAttribute: 15,
} as const

type LimitedOperation = keyof typeof hourlyLimits

/**
 * Counts attempts per user: hourly limits and the lockout after wrong passwords.
 * Unknown user names are counted, too. In memory: a restart of the emulator resets the counts.
 */
export class Attempts {
  readonly #attempts = new Map<string, number[]>()
  readonly #failures = new Map<string, { count: number; lastAt: number }>()

  /** @throws LimitExceededException if the hourly limit is reached */
  count(operation: LimitedOperation, user: string): void {
    const key = `${operation} ${user}`
    const recent = this.#recent(key)
    if (recent.length >= hourlyLimits[operation])
      throw new CognitoError('LimitExceededException', 'Attempt limit exceeded, please try after some time.')
    this.#attempts.delete(key)
    this.#attempts.set(key, [...recent, Date.now()])
    this.#forgetOldest()
  }

  /** Whether `operation` was attempted for this user within the last hour. */
  wasTried(operation: LimitedOperation, user: string): boolean {
    return this.#recent(`${operation} ${user}`).length > 0
  }

  /** @throws NotAuthorizedException while locked: 1 s after the fifth failure, doubling up to 15 minutes */
  throwIfLocked(user: string): void {
    const failures = this.#failures.get(user)
    if (!failures || failures.count < 5) return
    const lockedMs = Math.min(2 ** (failures.count - 5) * 1000, maxLockoutMs)
    if (Date.now() < failures.lastAt + lockedMs)
      throw new CognitoError('NotAuthorizedException', 'Password attempts exceeded')
  }

  countFailure(user: string): void {
    const before = this.#failures.get(user)
    const hasExpired = before !== undefined && Date.now() - before.lastAt >= failuresExpireAfterMs
    this.#failures.delete(user)
    this.#failures.set(user, { count: before && !hasExpired ? before.count + 1 : 1, lastAt: Date.now() })
    this.#forgetOldest()
  }

  forgetFailures(user: string): void {
    this.#failures.delete(user)
  }

  #recent(key: string): number[] {
    return (this.#attempts.get(key) ?? []).filter((at) => at > Date.now() - hourMs)
  }

  // Names are untrusted input, so their number is limited.
  #forgetOldest(): void {
    for (const map of [this.#attempts, this.#failures]) {
      const oldest = map.keys().next()
      if (map.size > 50_000 && !oldest.done) map.delete(oldest.value)
    }
  }
}
