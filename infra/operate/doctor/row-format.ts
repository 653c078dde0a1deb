import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { rowFormat } from '#shared/row-format.ts'
import { readFormat } from '../migrate/recorded-format.ts'
import { ok, problem, warning, type Finding } from './finding.ts'
import { clientOptions } from './identity.ts'
import { type DoctorInput, findOutput } from './stacks.ts'

/** Compares the recorded format of the rows with this release's. Before the first deployment there is nothing to check. */
export async function checkRowFormat({ region, stacks }: DoctorInput): Promise<Finding | undefined> {
  const deployedStacks = await stacks
  const name = findOutput(deployedStacks, 'TableName')
  if (name === undefined) return undefined
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(clientOptions(region)))
  const { format, progress } = await readFormat({ client, name })
  if (format !== undefined && format > rowFormat)
    return problem(
      `they have format ${format}, and this release knows ${rowFormat} at most: it may misread them, or lose a part of them.`,
      'Deploy the release that wrote them, or a later one.',
    )
  const goOn = 'npm run migrate -- -c …'
  if (progress)
    return warning(
      `a migration to format ${progress.to}, begun at ${progress.begun_at}, is unfinished.`,
      goOn,
    )
  if (format === rowFormat) return ok(`format ${format} is recorded, which this release writes.`)
  // 1.0.0 has no such output
  const isDeployed = Number(findOutput(deployedStacks, 'RowFormat') ?? 1) >= rowFormat
  return warning(
    `this release writes format ${rowFormat}, and ${format === undefined ? 'that of the rows is not recorded' : `format ${format} is recorded`}.`,
    `${isDeployed ? '' : 'After the deployment: '}npm run migrate -- --dry-run -c … lists older rows; without --dry-run it changes them and records the format.`,
  )
}
