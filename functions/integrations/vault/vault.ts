import { randomBytes } from 'node:crypto'
import * as z from 'zod'

/** The credentials that a user entered for a connection, by field name. */
export type Credentials = Record<string, string>

/** Stores credentials by name. A stored value never changes: other values get another name. */
export interface ReadableBackend {
  /** @returns undefined if nothing is stored under that name */
  find(sub: string, name: string): Promise<Credentials | undefined>
}

export interface DeletableBackend extends ReadableBackend {
  /** Deletes immediately and permanently; succeeds if already deleted. */
  remove(sub: string, name: string): Promise<void>
}

export interface SecretBackend extends DeletableBackend {
  /** Can be repeated with the same values. @throws Error if other values are stored under that name */
  put(sub: string, name: string, credentials: Credentials): Promise<void>
}

/** The backend for new credentials (ADR 0019). Credentials in the other backend are still read and deleted there. */
export const vaultKind = z.enum(['secrets', 'table']).default('secrets')
export type VaultKind = z.output<typeof vaultKind>

type BackendOrder<P> = readonly [first: P, other: P]

/** @returns the backend that the operator chose, then the other one */
export const orderBackends = <P>(
  kind: VaultKind,
  { secrets, table }: Record<VaultKind, P>,
): BackendOrder<P> => (kind === 'table' ? [table, secrets] : [secrets, table])

/** Secrets Manager's limit; applies to the table too, so that everything can be migrated. */
const maxBytes = 65_536

export const serializeCredentials = (credentials: Credentials): string => JSON.stringify(credentials)
/** @throws SyntaxError or ZodError unless `serializeCredentials` wrote the text */
export const parseCredentials = (text: string): Credentials =>
  z.record(z.string(), z.string()).parse(JSON.parse(text))

/**
 * @returns the integration or tool that a secret's name is for, and its random part
 * @throws Error if the name belongs to another user
 */
export function parseSecretName(sub: string, name: string): { id: string; version: string } {
  const [version, id, owner] = name.split('/').toReversed()
  if (!version || !id || owner !== sub) throw new Error('the secret belongs to another user')
  return { id, version }
}

/** Reads credentials from whichever backend has them. */
export const vaultReader = ([first, other]: BackendOrder<ReadableBackend>) => ({
  /** @throws Error if it was deleted or belongs to another user */
  async read(sub: string, name: string): Promise<Credentials> {
    parseSecretName(sub, name)
    // a migration copies before it deletes: a value found in neither backend has just been copied to the first
    for (const backend of [first, other, first]) {
      const credentials = await backend.find(sub, name)
      if (credentials) return credentials
    }
    throw new Error('the credentials no longer exist')
  },
})

export type VaultReader = ReturnType<typeof vaultReader>

/** Reads and deletes credentials. */
export const deletableVault = ([first, other]: BackendOrder<DeletableBackend>) => ({
  ...vaultReader([first, other]),

  /** Deletes immediately and permanently; succeeds if already deleted. */
  async remove(sub: string, name: string): Promise<void> {
    parseSecretName(sub, name)
    // a migration may be copying the value: delete from the first once more; the migration deletes later copies itself
    for (const backend of [first, other, first]) await backend.remove(sub, name)
  },
})

export type DeletableVault = ReturnType<typeof deletableVault>

/**
 * Reads, deletes and stores credentials. Names end in a random part, because the name of a deleted secret cannot be reused immediately.
 * Changed credentials get a new name.
 * @param prefix of every name; the function's role covers only this prefix
 */
export const vault = ([first, other]: readonly [SecretBackend, DeletableBackend], prefix: string) => ({
  ...deletableVault([first, other]),

  /** @returns the name of the stored credentials */
  async store(sub: string, id: string, credentials: Credentials): Promise<string> {
    if (Buffer.byteLength(serializeCredentials(credentials)) > maxBytes)
      throw new Error('the credentials are too large')
    const name = `${prefix}/${sub}/${id}/${randomBytes(12).toString('hex')}`
    await first.put(sub, name, credentials)
    return name
  },
})

export type Vault = ReturnType<typeof vault>

/** Shows the last four characters of a secret of at least 16 characters, and none of a shorter one. */
function maskValue(value: string): string {
  return value.length >= 16 ? `••••${value.slice(-4)}` : '••••••••'
}

/** Masks all values and drops empty ones. */
export function maskCredentials(credentials: Credentials): Credentials {
  return Object.fromEntries(
    Object.entries(credentials)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [name, maskValue(value)]),
  )
}
