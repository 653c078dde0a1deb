/** How long a challenge of a sign-in is valid: the client's `AuthSessionValidity`. */
const SESSION_MS = 15 * 60_000

/**
 * Challenges, codes and sessions that expire, in memory: after a restart of the emulator users have to start again.
 * A spent entry is remembered until it expires, to distinguish it from an unknown one.
 */
export class ExpiringEntries<T> {
  readonly #entries = new Map<string, { value: T; expiresAt: number; isSpent: boolean }>()

  readonly #lifeMs: number

  constructor(lifeMs = SESSION_MS) {
    this.#lifeMs = lifeMs
  }

  add(id: string, value: T): void {
    this.#forgetOld()
    this.#entries.set(id, { value, expiresAt: Date.now() + this.#lifeMs, isSpent: false })
  }

  /** @returns `unknown` if it was never added, or has expired */
  find(id: string): T | 'unknown' | 'spent' {
    const entry = this.#entries.get(id)
    if (!entry || entry.expiresAt <= Date.now()) return 'unknown'
    return entry.isSpent ? 'spent' : entry.value
  }

  spend(id: string): void {
    const entry = this.#entries.get(id)
    if (entry) entry.isSpent = true
  }

  #forgetOld(): void {
    for (const [id, { expiresAt }] of this.#entries) {
      if (expiresAt > Date.now() && this.#entries.size < 10_000) break
      this.#entries.delete(id)
    }
  }
}
