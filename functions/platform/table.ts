import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'

/** The one table, as repositories get it handed in. Keys and prefixes stay inside the repositories. */
export interface Table {
  readonly client: Pick<DynamoDBDocumentClient, 'send'>
  readonly name: string
}

/**
 * @param name from the environment's TABLE_NAME
 * @returns the table over one client, to be made once per cold start
 */
export function openTable(name: string): Table {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
    marshallOptions: { removeUndefinedValues: true },
  })
  return { client, name }
}
