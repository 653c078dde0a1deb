import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { errorMessage } from '../doctor/finding.ts'
import { clientOptions } from '../doctor/identity.ts'
import { findOutput, type DeployedStack } from '../doctor/stacks.ts'

/** As the schedule sends it. */
const event = { id: 'first-deployment', source: 'aws.scheduler' }

/**
 * Starts the sync of the catalogue, which has only the built-in integrations until then, and does not wait for it.
 * @returns what to tell the operator; a failure does not fail the deployment, because the schedule starts the sync within a day
 */
export async function startFirstSync(stacks: readonly DeployedStack[], region: string): Promise<string> {
  const FunctionName = findOutput(stacks, 'RegistrySyncFunction')
  const lambda = new LambdaClient(clientOptions(region))
  try {
    await lambda.send(
      new InvokeCommand({
        FunctionName,
        InvocationType: 'Event',
        Payload: Buffer.from(JSON.stringify(event)),
      }),
    )
    return 'The catalogue of integrations is being loaded; that takes some minutes.'
  } catch (error) {
    return `The catalogue of integrations could not be loaded now (${errorMessage(error)}); that happens at 03:17 UTC.`
  }
}
