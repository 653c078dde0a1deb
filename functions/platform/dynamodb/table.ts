import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { clientTimeouts } from '../client-timeouts.ts'

/** The one table, as repositories get it handed in. Keys and prefixes stay inside the repositories. */
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
  client ??= DynamoDBDocumentClient.from(new DynamoDBClient(clientTimeouts(3_000)), {
    marshallOptions: { removeUndefinedValues: true },
  })
  return { client, name }
}
