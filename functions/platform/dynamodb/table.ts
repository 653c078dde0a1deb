import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { clientTimeouts } from '../client-timeouts.ts'
import { SigningHash } from './signing-hash.ts'

/** The single table. Keys and prefixes are known to the repositories only. */
export interface Table {
  readonly client: Pick<DynamoDBDocumentClient, 'send'>
  readonly name: string
}

let client: DynamoDBDocumentClient | undefined

/**
 * @param name from the environment's TABLE_NAME
 * @returns the table; all parts of a function share one client, and with it its open connections
 */
export function openTable(name: string): Table {
  client ??= DynamoDBDocumentClient.from(
    new DynamoDBClient({ ...clientTimeouts(3_000), sha256: SigningHash }),
    {
      marshallOptions: { removeUndefinedValues: true },
    },
  )
  return { client, name }
}
