import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose'
import * as z from 'zod'
import { createRow, readRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import type { Sealer } from '../platform/secrets/seal.ts'

/** Where the key is, and the context that it is sealed in. */
export const vapidKeyRow = { PK: 'PUSH', SK: 'KEY' } as const
export const vapidKeyContext = 'push|vapid'

const row = z.object({ public_key: z.string(), sealed: z.string() })

/** Push services accept tokens of up to 24 hours (RFC 8292 section 2). */
const tokenLifetime = '12 hours'

/** An uncompressed point, as browsers take it. */
const toPublicKey = ({ x = '', y = '' }: JWK): string =>
  Buffer.concat([Uint8Array.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString(
    'base64url',
  )

/**
 * Push services refuse messages whose subject is neither https nor mailto (RFC 8292 section 2.1), and Apple's one of localhost. On a laptop
 * nobody can be reached.
 */
const toSubject = (origin: string) =>
  origin.startsWith('https://') && new URL(origin).hostname !== 'localhost'
    ? origin
    : 'mailto:nobody@example.org'

/** The key by which push services recognise the product (RFC 8292): made once, its private part sealed. */
export const vapidKey = (table: Table, sealer: Pick<Sealer, 'seal' | 'open'>) => {
  async function find() {
    const item = await readRow(table, vapidKeyRow)
    return item && row.parse(item)
  }

  return {
    /** @returns the public key, base64url; the first call makes the key @throws SecretsUnavailable */
    async loadPublicKey(): Promise<string> {
      const found = await find()
      if (found) return found.public_key
      const { privateKey } = await generateKeyPair('ES256', { extractable: true })
      const jwk = await exportJWK(privateKey)
      const public_key = toPublicKey(jwk)
      const sealed = await sealer.seal(JSON.stringify(jwk), vapidKeyContext)
      if (await createRow(table, { ...vapidKeyRow, public_key, sealed })) return public_key
      // another call was faster
      return row.parse(await readRow(table, vapidKeyRow)).public_key
    },

    /**
     * Opens the key.
     * @param origin of the product, for the people who run a push service
     * @returns signs for a push service, by its origin: the value of `authorization`; undefined if there is no key, so nobody has subscribed
     * @throws SecretsUnavailable
     */
    async openSigner(origin: string): Promise<((audience: string) => Promise<string>) | undefined> {
      const found = await find()
      if (!found) return undefined
      const key = await importJWK(
        JSON.parse(await sealer.open(found.sealed, vapidKeyContext)) as JWK,
        'ES256',
      )
      return async (audience) => {
        const token = await new SignJWT({})
          .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
          .setAudience(audience)
          .setSubject(toSubject(origin))
          .setExpirationTime(tokenLifetime)
          .sign(key)
        return `vapid t=${token}, k=${found.public_key}`
      }
    },
  }
}
