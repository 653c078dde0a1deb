import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { openTable, type Table } from '../../functions/platform/dynamodb/table.ts'
import { readConfig } from '../aws/config.ts'
import { type Context, contextNode } from './cdk-context.ts'
import { localDataDir, readLocalEndpoints } from './local-endpoints.ts'
import { getLocalAddress, fetchStackOutput, type TargetOptions } from './find-deployment.ts'

/**
 * Finds the table of the context's deployment, or of the product on this machine.
 * @throws OperatorError when it does not exist, or AWS refuses access
 */
export async function findTable(context: Context, target: TargetOptions): Promise<Table> {
  if (getLocalAddress(target) === undefined) {
    const { prefix } = readConfig(contextNode(context))
    return openTable(await fetchStackOutput(new CloudFormationClient({}), `${prefix}-data`, 'TableName'))
  }
  const { dynamodb: endpoint, table: name, credentials } = await readLocalEndpoints(localDataDir())
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials })
  return { client: DynamoDBDocumentClient.from(client), name }
}
