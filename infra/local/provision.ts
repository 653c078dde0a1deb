import {
  CreateSecretCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Table } from '../../functions/platform/dynamodb/table.ts'

/** Data that a deployment writes besides creating resources: the operator's secrets and the site configuration. */

/** Creates or updates a secret. */
export async function saveSecret(name: string, value: string): Promise<void> {
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

/** Creates a secret unless it exists: values sealed with it must stay readable. */
export async function createSecretOnce(name: string, make: () => string): Promise<void> {
  const client = new SecretsManagerClient({})
  try {
    await client.send(new CreateSecretCommand({ Name: name, SecretString: make() }))
  } catch (error) {
    if (!(error instanceof ResourceExistsException)) throw error
  } finally {
    client.destroy()
  }
}

/** Writes the row that a deployment writes: the addresses of the site, and its app client. */
export async function writeSiteConfig(
  table: Table,
  siteConfig: { origin: string; clientId: string; bucketOrigin: string },
): Promise<void> {
  await table.client.send(
    new PutCommand({ TableName: table.name, Item: { PK: 'CONF', SK: 'SITE', ...siteConfig } }),
  )
}
