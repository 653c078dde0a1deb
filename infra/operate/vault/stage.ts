import { type CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import * as z from 'zod'
import { OperatorError } from '../../aws/operator-error.ts'

/** The vault command's settings of a stage. */
export const vaultStage = z.object({
  table: z.string(),
  sealingKey: z.string(),
  vaultPrefix: z.string(),
  /** the backend of new values */
  vault: z.enum(['secrets', 'table']),
})
export type VaultStage = z.output<typeof vaultStage>

/**
 * Reads the outputs of the deployed stacks.
 * @param prefix of the stacks' names
 * @throws OperatorError when the stacks are missing or too old
 */
export async function fetchVaultStage(
  client: Pick<CloudFormationClient, 'send'>,
  prefix: string,
): Promise<VaultStage> {
  const outputs: Record<string, string | undefined> = {}
  for (const name of [`${prefix}-data`, `${prefix}-api`])
    try {
      const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: name }))
      for (const { OutputKey = '', OutputValue } of Stacks[0]?.Outputs ?? []) outputs[OutputKey] = OutputValue
    } catch (error) {
      if ((error as Error).name !== 'ValidationError') throw error
      throw new OperatorError(`There is no stack ${name} here: is it the right stage, region and account?`, {
        cause: error,
      })
    }
  const stage = vaultStage.safeParse({
    table: outputs['TableName'],
    sealingKey: outputs['SealingKeySecret'],
    vaultPrefix: outputs['VaultPrefix'],
    vault: outputs['Vault'],
  })
  if (!stage.success)
    throw new OperatorError(`The stacks of ${prefix} are older than this command: deploy them first.`, {
      cause: stage.error,
    })
  return stage.data
}
