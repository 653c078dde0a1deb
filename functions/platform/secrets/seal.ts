import { platformSentences } from '#shared/sentences/platform.ts'
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { defineErrors } from '../errors.ts'
import type { SecretStore } from './secret-store.ts'

export const { SecretsUnavailable } = defineErrors(platformSentences, {
  /** The sealing key cannot be read, so no sealed value can be opened. */
  SecretsUnavailable: [503, 'secrets_unavailable'],
})

/** An unknown key id triggers a new read of the keys, at most this often: an operator may have added a key. */
const rereadMs = 10_000

const ivBytes = 12
const tagBytes = 16

interface SealingKey {
  /** second part of sealed values (`v1.<id>.…`), so that keys can be replaced */
  readonly id: string
  readonly encryptionKey: Buffer
  readonly fingerprintKey: Buffer
}

/**
 * Encrypts values for the table (AES-256-GCM). The secret has one key per line: the first one seals, all of them open. To replace a key,
 * add a new first line and keep the old one until nothing is sealed with it.
 * @param secrets reads the secret and caches it for a few minutes
 * @param secretId id of the secret with the sealing keys
 */
export function sealer(secrets: Pick<SecretStore, 'read'>, secretId: string) {
  async function loadKeys(maxAgeMs?: number): Promise<[SealingKey, ...SealingKey[]]> {
    let value: string
    try {
      value = await secrets.read(secretId, maxAgeMs)
    } catch (error) {
      throw new SecretsUnavailable('the sealing key cannot be read', { cause: error })
    }
    const lines = value.split('\n').map((line) => line.trim())
    const [first, ...others] = lines.filter((line) => line !== '').map(deriveKey)
    if (!first) throw new SecretsUnavailable('the sealing key is empty')
    return [first, ...others]
  }

  async function seal(plain: string, context: string): Promise<string> {
    const [{ id, encryptionKey }] = await loadKeys()
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', encryptionKey, iv).setAAD(Buffer.from(context))
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return `v1.${id}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`
  }

  async function open(sealed: string, context: string): Promise<string> {
    const [version, id, body = ''] = sealed.split('.')
    const findKey = (known: SealingKey[]) => known.find((one) => one.id === id)
    const key = findKey(await loadKeys()) ?? findKey(await loadKeys(rereadMs))
    if (version !== 'v1' || !key) throw new Error('a sealed value has an unknown key id')
    const bytes = Buffer.from(body, 'base64url')
    const iv = bytes.subarray(0, ivBytes)
    const decipher = createDecipheriv('aes-256-gcm', key.encryptionKey, iv, { authTagLength: tagBytes })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
    return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
  }

  return {
    /**
     * @param context additional authenticated data, such as the user and the field; `open` needs the same
     * @throws SecretsUnavailable
     */
    seal,

    /**
     * @throws SecretsUnavailable; Error if the value was changed, if it was sealed in another context, or if its key was removed
     */
    open,

    /**
     * For an operator who replaces the key.
     * @returns the value sealed by the current key; undefined if the current key sealed it
     * @throws as `open`
     */
    async reseal(sealed: string, context: string): Promise<string | undefined> {
      const [, id] = sealed.split('.')
      const [current] = await loadKeys()
      return id === current.id ? undefined : seal(await open(sealed, context), context)
    },

    /**
     * Keyed hashes (HMAC) of a value, one per key, the current key's first.
     * @param use separates hashes of different uses
     * @throws SecretsUnavailable
     */
    async fingerprints(use: string, value: string): Promise<[string, ...string[]]> {
      const [first, ...others] = await loadKeys()
      const hash = ({ fingerprintKey }: SealingKey) =>
        createHmac('sha256', fingerprintKey).update(`${use}\0${value}`).digest('base64url')
      return [hash(first), ...others.map(hash)]
    },
  }
}

export type Sealer = ReturnType<typeof sealer>

function deriveKey(secret: string): SealingKey {
  const derive = (use: string, bytes: number) => Buffer.from(hkdfSync('sha256', secret, '', use, bytes))
  return {
    id: derive('key id', 4).toString('hex'),
    encryptionKey: derive('aes-256-gcm', 32),
    fingerprintKey: derive('fingerprint', 32),
  }
}
