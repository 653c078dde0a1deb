import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import * as z from 'zod'
import { parseEnv } from './env.ts'
import { secretStore } from './secret-store.ts'

const algorithm = 'aes-256-gcm'
const version = 'v1'
const ivBytes = 12
const tagBytes = 16

let secrets: ReturnType<typeof secretStore> | undefined

async function key(): Promise<Buffer> {
  secrets ??= secretStore()
  const secret = await secrets.read(parseEnv({ SEALING_KEY_SECRET: z.string() }).SEALING_KEY_SECRET)
  if (secret.length < 32)
    throw new Error('The sealing key is too short: the secret needs 32 characters or more')
  return Buffer.from(hkdfSync('sha256', secret, '', 'seal v1', 32))
}

/**
 * Encrypts what the table keeps, with AES-256-GCM under a key from the secret SEALING_KEY_SECRET.
 * @param context what the text belongs to, for instance user, integration and version: it opens under the same context only
 */
export async function seal(plain: string, context: string): Promise<string> {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, await key(), iv, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return [version, iv.toString('base64url'), sealed.toString('base64url')].join('.')
}

/** @throws Error when the text was changed, belongs to another context, or was sealed with another key */
export async function unseal(sealed: string, context: string): Promise<string> {
  const [prefix, iv = '', text = '', ...rest] = sealed.split('.')
  const bytes = Buffer.from(text, 'base64url')
  if (prefix !== version || rest.length > 0 || bytes.length < tagBytes)
    throw new Error('This is no sealed text')
  const decipher = createDecipheriv(algorithm, await key(), Buffer.from(iv, 'base64url'), {
    authTagLength: tagBytes,
  })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]).toString('utf8')
}
