import type { Adapter, AdapterPayload } from 'oidc-provider'

/** Keeps one kind of oidc-provider's records (sessions, codes, grants …) in memory: after a restart users sign in again. */
export class MemoryAdapter implements Adapter {
  readonly #entries = new Map<string, { payload: AdapterPayload; expiresAt: number }>()

  async upsert(id: string, payload: AdapterPayload, expiresIn = Infinity): Promise<void> {
    const now = Date.now()
    for (const [key, { expiresAt }] of this.#entries) if (expiresAt <= now) this.#entries.delete(key)
    this.#entries.set(id, { payload, expiresAt: now + expiresIn * 1000 })
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const entry = this.#entries.get(id)
    return entry && entry.expiresAt > Date.now() ? entry.payload : undefined
  }

  findByUid = (uid: string): Promise<AdapterPayload | undefined> => this.#findBy('uid', uid)

  findByUserCode = (userCode: string): Promise<AdapterPayload | undefined> =>
    this.#findBy('userCode', userCode)

  async consume(id: string): Promise<void> {
    const payload = await this.find(id)
    if (payload) payload.consumed = Math.floor(Date.now() / 1000)
  }

  async destroy(id: string): Promise<void> {
    this.#entries.delete(id)
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, { payload }] of this.#entries) if (payload.grantId === grantId) this.#entries.delete(id)
  }

  async #findBy(name: 'uid' | 'userCode', value: string): Promise<AdapterPayload | undefined> {
    const [id] = [...this.#entries].find(([, { payload }]) => payload[name] === value) ?? []
    return id === undefined ? undefined : this.find(id)
  }
}
