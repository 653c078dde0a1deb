import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { queryAll } from '../../platform/dynamodb/query.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { readRow, createRow, deleteRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { parseCredentials, parseSecretName, type SecretBackend, serializeCredentials } from './vault.ts'

const prefix = 'V#'

const key = (sub: string, name: string) => {
  const { id, version } = parseSecretName(sub, name)
  return { PK: `U#${sub}`, SK: `${prefix}${id}#${version}` }
}

/** Encryption context of credentials: they decrypt only for this user, integration and version. */
export const credentialsContext = (sub: string, { id, version }: { id: string; version: string }) =>
  `typed|${sub}|${id}|${version}`

const sealingContext = (sub: string, name: string) => credentialsContext(sub, parseSecretName(sub, name))

const row = z.object({ sealed: z.string() })

/** Stores credentials encrypted in the user's own rows (ADR 0019). */
export const tableBackend = (table: Table, sealer: Pick<Sealer, 'seal' | 'open'>) => {
  const find: SecretBackend['find'] = async (sub, name) => {
    const item = await readRow(table, key(sub, name))
    return item && parseCredentials(await sealer.open(row.parse(item).sealed, sealingContext(sub, name)))
  }

  const backend: SecretBackend = {
    find,

    async put(sub, name, credentials) {
      const sealed = await sealer.seal(serializeCredentials(credentials), sealingContext(sub, name))
      const isCreated = await createRow(table, {
        ...key(sub, name),
        sealed,
        stored_at: new Date().toISOString(),
      })
      // the SDK repeats a write whose response was lost, and a migration repeats interrupted copies
      if (!isCreated && !isDeepStrictEqual(await find(sub, name), credentials))
        throw new Error('a secret of this name already exists')
    },

    async remove(sub, name) {
      await deleteRow(table, key(sub, name))
    },
  }

  return {
    ...backend,

    /** Deletes credentials that no row names. @param before newer ones are left alone: their row may still be written */
    sweep: async (sub: string, namesInUse: readonly string[], before: Date): Promise<void> => {
      const keysInUse = new Set(namesInUse.map((name) => key(sub, name).SK))
      const rows = await queryAll(table, { partition: `U#${sub}`, prefix, projection: 'PK, SK, stored_at' })
      for (const { PK, SK, stored_at } of rows)
        if (!keysInUse.has(String(SK)) && String(stored_at) < before.toISOString())
          await deleteRow(table, { PK, SK })
    },
  }
}

export type TableBackend = ReturnType<typeof tableBackend>
