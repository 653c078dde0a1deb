import { randomBytes } from 'node:crypto'
import * as z from 'zod'

/** What a person typed to connect something, by the names of the fields. */
export type TypedValues = Record<string, string>

/** A place where typed values lie under their names. What lies there never changes: other values have another name. */
export interface ReadablePlace {
  /** @returns undefined when nothing lies there under that name */
  find(sub: string, name: string): Promise<TypedValues | undefined>
}

export interface HeldPlace extends ReadablePlace {
  /** For good, and at once. What is gone already is no error. */
  remove(sub: string, name: string): Promise<void>
}

export interface Place extends HeldPlace {
  /** A repeat with the same values is fine. @throws Error when other ones lie there */
  put(sub: string, name: string, typed: TypedValues): Promise<void>
}

/** ADR 0019: where what is typed from now on goes. What lies in the other place is still found, and removed, there. */
export const vaultKind = z.enum(['secrets', 'table']).default('secrets')
export type VaultKind = z.output<typeof vaultKind>

type InOrder<P> = readonly [first: P, other: P]

/** @returns the place that the operator chose, then the other one */
export const inOrder = <P>(kind: VaultKind, { secrets, table }: Record<VaultKind, P>): InOrder<P> =>
  kind === 'table' ? [table, secrets] : [secrets, table]

/** Secrets Manager's limit; the table keeps it too, so that everything can be moved. */
const maxBytes = 65_536

export const serialise = (typed: TypedValues): string => JSON.stringify(typed)
export const parseTyped = (text: string): TypedValues =>
  z.record(z.string(), z.string()).parse(JSON.parse(text))

/**
 * The user and the integration or tool that a name is for, and the random part that makes it one of a kind.
 * @throws Error when it is not a name of this user's values
 */
export function partsOf(sub: string, name: string): { id: string; version: string } {
  const [version, id, owner] = name.split('/').toReversed()
  if (!version || !id || owner !== sub) throw new Error('the name is not one of this user’s')
  return { id, version }
}

/** For whoever uses what was typed: nothing can be made or taken away with it. */
export const readingVault = ([first, other]: InOrder<ReadablePlace>) => ({
  /** @throws Error when it is gone, or another user's */
  async read(sub: string, name: string): Promise<TypedValues> {
    partsOf(sub, name)
    // a move copies before it deletes: what was in neither place has just come to the first
    for (const place of [first, other, first]) {
      const typed = await place.find(sub, name)
      if (typed) return typed
    }
    throw new Error('what was typed is not there any more')
  },
})

export type VaultReader = ReturnType<typeof readingVault>

/** For whoever takes it away: nothing can be made with it. */
export const holdingVault = ([first, other]: InOrder<HeldPlace>) => ({
  ...readingVault([first, other]),

  /** For good, and at once. What is gone already is no error. */
  async remove(sub: string, name: string): Promise<void> {
    partsOf(sub, name)
    // a move may be copying it: what came to the first place meanwhile goes too, and what comes later the move takes back
    for (const place of [first, other, first]) await place.remove(sub, name)
  },
})

export type HeldVault = ReturnType<typeof holdingVault>

/**
 * What people type, under a name of its own for each user and integration. It ends in a random part, because the name of a deleted
 * secret cannot be used again at once; a change is another name, and what the old one named goes.
 * @param prefix of every name; the function may touch no other secrets
 */
export const vault = ([first, other]: readonly [Place, HeldPlace], prefix: string) => ({
  ...holdingVault([first, other]),

  /** @returns the name to find it by */
  async store(sub: string, id: string, typed: TypedValues): Promise<string> {
    if (Buffer.byteLength(serialise(typed)) > maxBytes) throw new Error('more was typed than can be kept')
    const name = `${prefix}/${sub}/${id}/${randomBytes(12).toString('hex')}`
    await first.put(sub, name, typed)
    return name
  },
})

export type Vault = ReturnType<typeof vault>

/** DEC-085: as much of a secret as may be shown: its last four characters where it is long enough to stay one. */
function mask(value: string): string {
  return value.length >= 16 ? `••••${value.slice(-4)}` : '••••••••'
}

/** Masks of all values; what was not typed is left out. */
export function masks(typed: TypedValues): TypedValues {
  return Object.fromEntries(
    Object.entries(typed)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [name, mask(value)]),
  )
}
