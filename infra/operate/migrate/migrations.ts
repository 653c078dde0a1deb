import { hashOwner } from '../../../functions/platform/auth/link-suspension.ts'
import { headKeys, snapshotKey } from '../../../functions/shares/snapshot-reader.ts'

/*
 * What rows of earlier releases lack. A migration knows an old row by what is in it, so it can be repeated, and each of its writes leaves a
 * row that functions of both releases read: they run meanwhile.
 */

export interface Key {
  readonly PK: string
  readonly SK: string
}
export type Row = Key & Readonly<Record<string, unknown>>
/** @returns the row as it is now; undefined if there is none */
export type ReadRow = (key: Key) => Promise<Row | undefined>

/** A write that does nothing unless the row is as it was read. */
export type Write =
  /** `within`: the row whose deletion, marked by `deleted_at`, takes this one along */
  | { readonly kind: 'create'; readonly row: Row; readonly within: Key }
  /** an attribute that the row does not have */
  | { readonly kind: 'add'; readonly key: Key; readonly name: string; readonly value: string }
  | { readonly kind: 'delete'; readonly key: Key }

export interface Migration {
  /** the format that the rows have afterwards */
  readonly to: number
  /** kind of the rows, as infra/operate/backup/row-kinds.ts calls it */
  readonly rows: string
  /** the difference, as a sentence */
  readonly does: string
  /** Whether a row may be old. Every row of the table is asked: only what is in it counts. */
  selects(row: Row): boolean
  /** @returns the writes in their order, and the row that they are about; undefined if the row is not old */
  plan(row: Row, read: ReadRow): Promise<{ readonly old: Key; readonly writes: readonly Write[] } | undefined>
}

/** Heads of 1.0.0 do not name the owner, without whom their views are not counted and no restoration finds whose they are. */
const ownersOfLinks: Migration = {
  to: 2,
  rows: 'shared links',
  does: 'A shared link names its owner.',
  selects: ({ PK, SK, secret }) =>
    PK.startsWith('U#') && SK.startsWith('SHARE#') && typeof secret === 'string',
  async plan({ PK, secret }, read) {
    const key = { PK: snapshotKey(String(secret)), SK: headKeys.link }
    const head = await read(key)
    if (!head || head['owner'] !== undefined) return undefined
    return {
      old: key,
      writes: [{ kind: 'add', key, name: 'owner', value: hashOwner(PK.slice('U#'.length)) }],
    }
  },
}

/** Whether the row exists and its deletion has not begun. */
export const isKept = (row: Row | undefined): boolean => row !== undefined && row['deleted_at'] === undefined

const stopKey = /^M#(.+)#(\d{6})#3$/

/** 1.0.0 stored a line after a reply that was stopped, or in its place if it had no text yet. */
const linesAfterStops: Migration = {
  to: 2,
  rows: 'rows of people',
  does: 'A stopped reply is one message, without a line after it.',
  selects: ({ PK, SK }) => PK.startsWith('U#') && stopKey.test(SK),
  async plan(row, read) {
    const { PK, SK } = row
    const [, session = ''] = stopKey.exec(SK) ?? []
    const reply = { PK, SK: SK.replace(/3$/, '2') }
    const within = { PK, SK: `S#${session}` }
    const isMissing = isKept(await read(within)) && !(await read(reply))
    const id = String(row['id']).replace(/-stopped$/, '')
    return {
      old: { PK, SK },
      writes: [
        // first: until the line is deleted, readers leave it out beside a reply
        ...(isMissing
          ? [
              {
                kind: 'create',
                row: { ...row, ...reply, id, content: '', ended: 'stopped' },
                within,
              } as const,
            ]
          : []),
        { kind: 'delete', key: { PK, SK } },
      ],
    }
  },
}

export const migrations: readonly Migration[] = [ownersOfLinks, linesAfterStops]
