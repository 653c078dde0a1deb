import { CloudFormationClient, UpdateStackCommand, type Parameter } from '@aws-sdk/client-cloudformation'
import { randomUUID } from 'node:crypto'
import { wait } from '../../../functions/platform/clock.ts'
import { errorMessage, formatFinding } from '../doctor/finding.ts'
import { checkIdentity, checkRegion, clientOptions, resolveRegion } from '../doctor/identity.ts'
import { contextNode, describeStack, loadContext } from '../stage.ts'
import { readConfig } from '../../aws/config.ts'
import { stagesFolder } from '../../aws/stage-file.ts'
import { assumeDeployRole, bootstrapBucket } from './bootstrap-role.ts'
import { explainStackFailure } from './deploy-failure.ts'
import type { Deployer, DeployOptions } from './deployer.ts'
import { fetchDeployedTemplates } from './deployed-templates.ts'
import { formatPlan, planRollback, type Rollback, type RollbackPlan, type Stage } from './plan-rollback.ts'
import { formatContext, toArguments } from './context-arguments.ts'
import { isDeployed } from './release-record.ts'

/** CloudFormation allows a few calls a second to all of an account's tools. */
const pollMs = 3_000

/**
 * Goes back to the release before the deployed one: `npm run deploy -- --back`.
 * @returns the exit code
 * @throws OperatorError why it is not possible
 */
export async function rollBack(
  context: readonly string[],
  { yes, dryRun = false, stages = stagesFolder, ...deployer }: Deployer & DeployOptions,
): Promise<number> {
  const { print, ask } = deployer
  if (!yes && !dryRun && !ask) {
    print('There is no terminal to ask on: give --yes to go back without questions.\n')
    return 2
  }
  const config = readConfig(contextNode(loadContext(context, stages)))
  const region = await resolveRegion()
  const regionFinding = checkRegion(region)
  if (region === undefined || regionFinding.level === 'problem') {
    print(formatFinding('Region', regionFinding))
    return 1
  }
  const { account, finding } = await checkIdentity(region)
  if (account === undefined) {
    print(formatFinding('Credentials', finding))
    return 1
  }
  const stage = { config, region, account }
  const plan = await planRollback(stage)
  print(formatPlan(plan))
  if (dryRun) return 0
  if (!yes && !(await ask?.('Go back?'))) return 1
  return carryOut(plan, { ...deployer, stage, context })
}

/** Updates the stacks of a plan and tests the product. @returns the exit code */
export async function carryOut(
  { target, rollbacks, newer, store }: RollbackPlan,
  { print, run, stage, context }: Deployer & { stage: Stage; context: readonly string[] },
): Promise<number> {
  const { config, region, account } = stage
  const startedAtMs = Date.now()
  // before the first update: a rollback that fails half-way has the same target when it is repeated
  for (const { key, record } of newer)
    if (record) await store.replace(key, { ...record, withdrawnAt: new Date().toISOString() })
  for (const rollback of rollbacks) {
    print(`${rollback.name} … `)
    const failure = await updateStack(rollback, account)
    print(failure === undefined ? `back (${formatSeconds(Date.now() - startedAtMs)})\n` : 'failed\n')
    if (failure !== undefined) {
      print(`\nNot back at ${target.version}.\n${failure}\n`)
      break
    }
  }
  const again = `npm run deploy -- --back${formatContext(context)}`
  const deployed = await fetchDeployedTemplates(config, region)
  if (!isDeployed(target, deployed)) {
    const [done, left] = [true, false].map((isDone) =>
      target.stacks
        .filter(
          ({ name, templateHash }) =>
            deployed.some((one) => one.name === name && one.hash === templateHash) === isDone,
        )
        .map(({ name }) => name),
    )
    print(
      `At ${target.version}: ${done?.join(', ') || 'no stack'}. Not at ${target.version}: ${left?.join(', ')}.\n→ ${again} goes on with these; npm run deploy leads forward instead.\n`,
    )
    return 1
  }
  print(`Back at ${target.version} after ${formatSeconds(Date.now() - startedAtMs)}.\n`)
  const testedAtMs = Date.now()
  const code = await run(['infra/operate/smoke.ts', ...toArguments(context)], { AWS_REGION: region })
  print(
    code === 0
      ? `The smoke test passed after ${formatSeconds(Date.now() - testedAtMs)}. npm run deploy, from a fixed source, leads forward again.\n`
      : `It does not work as it should either. ${again} goes one release further back.\n`,
  )
  return code === 0 ? 0 : 1
}

const formatSeconds = (ms: number) => `${Math.max(1, Math.round(ms / 1_000))} s`

/** @returns why it failed */
async function updateStack(rollback: Rollback, account: string): Promise<string | undefined> {
  const { name, region, recorded, target, deployed } = rollback
  const startedAtMs = Date.now()
  try {
    const credentials = await assumeDeployRole({ account, region })
    const client = new CloudFormationClient({
      ...clientOptions(region),
      maxAttempts: 4,
      // CloudFormation reads and checks the template before it answers
      requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
      ...(credentials && { credentials }),
    })
    await client.send(
      new UpdateStackCommand({
        StackName: name,
        TemplateURL: `https://s3.${region}.amazonaws.com/${bootstrapBucket({ account, region })}/${recorded.templateKey}`,
        Parameters: listParameters(target.Parameters ?? {}, {
          recorded: recorded.parameters,
          deployed: deployed.Parameters ?? {},
        }),
        Capabilities: ['CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM', 'CAPABILITY_AUTO_EXPAND'],
        // an attempt that is repeated after a time-out is the same update
        ClientRequestToken: `back-${randomUUID()}`,
      }),
    )
  } catch (error) {
    return isWithoutChanges(error) ? undefined : `${name}: ${errorMessage(error)}`
  }
  const status = await waitForEnd({ name, region }).catch(
    (error: unknown) => `no longer watched (${errorMessage(error)}), while CloudFormation goes on`,
  )
  if (status === 'UPDATE_COMPLETE') return undefined
  const failure = await explainStackFailure({ name, region }, startedAtMs).catch(() => undefined)
  return [`${name} is ${status}.`, ...(failure ? [failure.explanation] : [])].join('\n')
}

/** CloudFormation refuses an update that changes nothing. */
const isWithoutChanges = (error: unknown) =>
  error instanceof Error &&
  error.name === 'ValidationError' &&
  error.message.includes('No updates are to be performed')

/**
 * Values as they were. As it is now stays what was secret then or is new, and what names a parameter of Systems Manager: others than AWS tell
 * the value of that, which does not name it.
 */
const listParameters = (
  declared: Readonly<Record<string, { Type?: string }>>,
  { recorded, deployed }: { recorded: Readonly<Record<string, string>>; deployed: object },
): Parameter[] =>
  Object.entries(declared).flatMap(([ParameterKey, { Type }]): Parameter[] => {
    const ParameterValue = recorded[ParameterKey]
    const isDeployed = ParameterKey in deployed
    if (isDeployed && Type?.startsWith('AWS::SSM::')) return [{ ParameterKey, UsePreviousValue: true }]
    if (ParameterValue !== undefined) return [{ ParameterKey, ParameterValue }]
    return isDeployed ? [{ ParameterKey, UsePreviousValue: true }] : []
  })

/** @returns the status after the update */
async function waitForEnd({ name, region }: { name: string; region: string }): Promise<string> {
  const client = new CloudFormationClient({ ...clientOptions(region), maxAttempts: 6 })
  for (;;) {
    await wait(pollMs)
    const status = (await describeStack(client, name))?.StackStatus ?? 'gone'
    if (!status.endsWith('_IN_PROGRESS')) return status
  }
}
