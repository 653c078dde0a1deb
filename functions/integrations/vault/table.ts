import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { queryAll } from '../../platform/dynamodb/query.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { parseCredentials, parseSecretName, type SecretBackend, serializeCredentials } from './vault.ts'
import { isConditionFailed } from '../../platform/dynamodb/update-row.ts'

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
  const { client, name: TableName } = table

  const find: SecretBackend['find'] = async (sub, name) => {
    const { Item } = await client.send(
      new GetCommand({ TableName, Key: key(sub, name), ConsistentRead: true }),
    )
    return Item && parseCredentials(await sealer.open(row.parse(Item).sealed, sealingContext(sub, name)))
  }

  const backend: SecretBackend = {
    find,

    async put(sub, name, credentials) {
      const sealed = await sealer.seal(serializeCredentials(credentials), sealingContext(sub, name))
      try {
        await client.send(
          new PutCommand({
            TableName,
            Item: { ...key(sub, name), sealed, stored_at: new Date().toISOString() },
            ConditionExpression: 'attribute_not_exists(PK)',
          }),
        )
      } catch (error) {
        if (!isConditionFailed(error)) throw error
        // the SDK repeats a write whose response was lost, and a migration repeats interrupted copies
        if (!isDeepStrictEqual(await find(sub, name), credentials)) throw error
      }
    },

    async remove(sub, name) {
      await client.send(new DeleteCommand({ TableName, Key: key(sub, name) }))
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
          await client.send(new DeleteCommand({ TableName, Key: { PK, SK } }))
    },
  }
}

export type TableBackend = ReturnType<typeof tableBackend>
