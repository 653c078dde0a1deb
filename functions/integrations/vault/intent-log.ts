import * as z from 'zod'
import { maxStoredSecrets } from '../../platform/limits.ts'
import { queryAll } from '../../platform/dynamodb/query.ts'
import { putRow, deleteRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { TooManySecrets } from '../store/errors.ts'
import { parseSecretName, type DeletableBackend, type SecretBackend } from './vault.ts'

const prefix = 'VS#'

const key = (sub: string, name: string) => {
  const { id, version } = parseSecretName(sub, name)
  return { PK: `U#${sub}`, SK: `${prefix}${id}#${version}` }
}

const row = z.object({ name: z.string(), stored_at: z.string() })

/**
 * Records the name of each secret in the user's rows before the secret is created and until it is deleted. No role may list secrets
 * in Secrets Manager, so a secret whose credential row was never written could not be found otherwise.
 */
export const secretIntentLog = (table: Table) => {
  const list = async (sub: string) =>
    (await queryAll(table, { partition: `U#${sub}`, prefix })).map((item) => row.parse(item))
  const withCleanup = <P extends DeletableBackend>(backend: P): P => ({
    ...backend,
    async remove(sub: string, name: string) {
      await backend.remove(sub, name)
      await deleteRow(table, key(sub, name))
    },
  })
  return {
    list,

    /**
     * Wraps a backend so that it records each name before it stores the secret, and limits how many a user has.
     * @throws TooManySecrets
     */
    withIntents: (backend: SecretBackend): SecretBackend => ({
      ...withCleanup(backend),
      async put(sub, name, credentials) {
        const Item = { ...key(sub, name), name, stored_at: new Date().toISOString() }
        await putRow(table, Item)
        // counted including this one, so that two concurrent requests cannot both get the last slot; a replaced secret is deleted afterwards
        const ids = new Set((await list(sub)).map((stored) => parseSecretName(sub, stored.name).id))
        if (ids.size > maxStoredSecrets) {
          await deleteRow(table, key(sub, name))
          throw new TooManySecrets('no room for another secret')
        }
        await backend.put(sub, name, credentials)
      },
    }),

    /**
     * Deletes recorded secrets that are not in use.
     * @param before newer ones are left alone: the row of their credential may still be written
     */
    async sweep(
      backend: DeletableBackend,
      sub: string,
      namesInUse: readonly string[],
      before: Date,
    ): Promise<void> {
      for (const { name, stored_at } of await list(sub))
        if (!namesInUse.includes(name) && stored_at < before.toISOString())
          await withCleanup(backend).remove(sub, name)
    },
  }
}

export type SecretIntentLog = ReturnType<typeof secretIntentLog>
