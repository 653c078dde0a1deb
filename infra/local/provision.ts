import {
  CreateSecretCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { randomBytes } from 'node:crypto'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Table } from '../../functions/platform/table.ts'

/** What a deployment sets up besides resources: secrets of the operator and the row with the site's facts. */

/** Creates a secret with a random value, unless it is there already: what it sealed has to stay readable. */
export async function generateSecret(name: string): Promise<void> {
  const client = new SecretsManagerClient({})
  try {
    await client.send(
      new CreateSecretCommand({ Name: name, SecretString: randomBytes(48).toString('base64url') }),
    )
  } catch (error) {
    if (!(error instanceof ResourceExistsException)) throw error
  } finally {
    client.destroy()
  }
}

/** Creates a secret or gives it its new value. */
export async function storeSecret(name: string, value: string): Promise<void> {
  const client = new SecretsManagerClient({})
  try {
    await client.send(new CreateSecretCommand({ Name: name, SecretString: value }))
  } catch (error) {
    if (!(error instanceof ResourceExistsException)) throw error
    await client.send(new PutSecretValueCommand({ SecretId: name, SecretString: value }))
  } finally {
    client.destroy()
  }
}

export async function writeSiteRow(
  table: Table,
  facts: { origin: string; clientId: string; bucketOrigin: string },
): Promise<void> {
  await table.client.send(
    new PutCommand({ TableName: table.name, Item: { PK: 'CONF', SK: 'SITE', ...facts } }),
  )
}
