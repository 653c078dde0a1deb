/** How long a sign-in may take: the client's `AuthSessionValidity`. */
const SESSION_MS = 15 * 60_000

/**
 * Pending sign-ins, in memory: after a restart of the emulator users have to start again.
 * A used one is remembered until it expires, to distinguish it from an unknown one.
 */
export class Challenges<T> {
  readonly #entries = new Map<string, { value: T; expiresAt: number; isSpent: boolean }>()

  readonly #lifeMs: number

  constructor(lifeMs = SESSION_MS) {
    this.#lifeMs = lifeMs
  }

  begin(id: string, value: T): void {
    this.#forgetOld()
    this.#entries.set(id, { value, expiresAt: Date.now() + this.#lifeMs, isSpent: false })
  }

  find(id: string): T | 'expired' | 'spent' {
    const entry = this.#entries.get(id)
    if (!entry || entry.expiresAt <= Date.now()) return 'expired'
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
