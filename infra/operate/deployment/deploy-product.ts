import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseUsers } from '../../aws/config.ts'
import { defaultStage, stageFile, stageName, stagesFolder } from '../../aws/stage-file.ts'
import { loadContext, parsePairs } from '../stage.ts'
import { formatContext, toArguments } from './context-arguments.ts'
import { explainDeployFailure } from './deploy-failure.ts'
import type { Deployer, DeployOptions } from './deployer.ts'
import { formatPlan, planRollback, type RollbackPlan } from './plan-rollback.ts'
import { recordRelease } from './record-release.ts'
import { describeRelease } from './release-record.ts'
import { carryOut } from './roll-back.ts'
import { recordNewTable } from '../migrate/recorded-format.ts'
import { checkSecrets } from '../doctor/account.ts'
import { examine, formatVerdict } from '../doctor/examine.ts'
import { formatFinding, errorMessage } from '../doctor/finding.ts'
import { clientOptions } from '../doctor/identity.ts'
import {
  findOutput,
  isCreated,
  listStackLocations,
  fetchStacks,
  type DeployedStack,
  type DoctorInput,
} from '../doctor/stacks.ts'

/**
 * Runs the doctor, deploys, then explains the failure or runs the smoke test. The first time, it asks for the number of people and stores
 * the settings in the file of the stage.
 * @param context the values of `-c`
 * @returns the exit code
 * @throws OperatorError for a value of `-c` without a key
 */
export async function deployProduct(
  context: readonly string[],
  {
    yes,
    dryRun = false,
    stages = stagesFolder,
    assembly = cloudAssembly,
    ...deployer
  }: Deployer & DeployOptions,
): Promise<number> {
  const { print, ask, askText, run } = deployer
  if (!yes && !dryRun && !ask) {
    print('There is no terminal to ask on: give --yes to deploy without questions.\n')
    return 2
  }
  if (!yes && !dryRun && askText) await storeSettings(parsePairs(context), { stages, print, askText })
  // the CDK builds the site (cdk.json)
  const examination = await examine(loadContext(context, stages), { print, includeSite: false })
  print(`\n${formatVerdict(examination)}\n`)
  const { warnings, problems, target } = examination
  if (problems > 0 || !target) return 1
  const contextArguments = toArguments(context)
  // the region that the doctor examined, whichever variable or profile names it
  const env = { AWS_REGION: target.region }
  if (dryRun) return run([cdk, 'diff', '--all', ...contextArguments], env)
  if (warnings > 0 && !yes && !(await ask?.('Deploy anyway?'))) return 1

  const isFirst = !(await target.stacks).some(({ name }) => name === `${target.config.prefix}-api`)
  const startedAtMs = Date.now()
  const approval = yes ? 'never' : 'broadening'
  const code = await run([cdk, 'deploy', '--all', '--require-approval', approval, ...contextArguments], env)
  // also after a failure: the next deployment would find the table, and not know that it is new
  if (!hasTable(await target.stacks)) await recordFormat(target, print)
  if (code !== 0) {
    const explanation = await explainDeployFailure(
      listStackLocations(target.config, target.region),
      startedAtMs,
    ).catch((error: unknown) => `CloudFormation does not tell why: ${errorMessage(error)}`)
    print(`\nNot deployed.\n${explanation}\n`)
    return 1
  }

  const stacks = await fetchStacks(target.config, target.region)
  const { origin, hasAllSecrets } = await printNextSteps(
    { ...target, stacks: Promise.resolve(stacks) },
    print,
  )
  if (isFirst) print(`${await startFirstSync(stacks, target.region)}\n`)
  const admittingProviders = target.config.identityProviders.filter(({ domains }) => domains.length > 0)
  for (const { label, domains } of admittingProviders)
    print(
      `→ Whoever has an address at ${domains.join(', ')} signs in with ${label}, without an invitation.\n`,
    )
  if (target.config.signUp.mode === 'closed' && admittingProviders.length === 0)
    print(
      `→ Sign-up is by invitation. The first one is yours: npm run invite -- --admin you@example.org${formatContext(context)}\n`,
    )
  const smoke = `npm run smoke --${formatContext(context)}`
  if (!hasAllSecrets) {
    print(`Then try it out: ${smoke}\n`)
    return 0
  }
  if ((await run(['infra/operate/smoke.ts', ...contextArguments], env)) === 0) {
    await recordRelease(target, assembly).catch((error: unknown) =>
      print(
        `npm run deploy -- --back will not find this release, which could not be recorded: ${errorMessage(error)}\n`,
      ),
    )
    return 0
  }
  print(`\nDeployed at ${origin}, but it does not work as it should. After fixing it: ${smoke}\n`)
  try {
    await offerRollback(await planRollback(target), { ...deployer, yes, stage: target, context })
  } catch (error) {
    print(`${errorMessage(error)}\n`)
  }
  return 1
}

/** Where the CDK writes it (`output` in cdk.json). */
const cloudAssembly = join(import.meta.dirname, '../../../cdk.out')

/** Asks whether to go back to the release before, or names the command that does. */
async function offerRollback(
  plan: RollbackPlan,
  { yes, ...input }: Parameters<typeof carryOut>[1] & Pick<DeployOptions, 'yes'>,
): Promise<void> {
  const { print, ask, context } = input
  if (plan.current) {
    print(
      `The stacks are those of ${describeRelease(plan.current)}, which passed this test when it was deployed: going back may not help.\n`,
    )
    return
  }
  if (!yes && ask) {
    print(`\n${formatPlan(plan)}`)
    if (await ask('Go back?')) {
      await carryOut(plan, input)
      return
    }
  }
  print(`→ Back to ${describeRelease(plan.target)}: npm run deploy -- --back${formatContext(context)}\n`)
}

const cdk = 'node_modules/aws-cdk/bin/cdk'

/** Unless the stage has a file, or the number of people is given: asks for it, and stores it with what `-c` gave. */
async function storeSettings(
  given: Readonly<Record<string, string>>,
  { stages, print, askText }: { stages: string } & Required<Pick<Deployer, 'print' | 'askText'>>,
): Promise<void> {
  const stage = given['stage'] || defaultStage
  const path = stageFile(stage, stages)
  if (given['users'] !== undefined || !stageName.test(stage) || existsSync(path)) return
  const answer = (
    await askText?.('How many people will use it? (a number, or nothing to keep the defaults) ')
  )?.trim()
  if (!answer) return
  const settings = { ...given, stage, users: parseUsers(answer) }
  await mkdir(stages, { recursive: true })
  await writeFile(path, `${JSON.stringify(settings, null, 2)}\n`, { flag: 'wx' })
  print(
    `Stored in ${relative(process.cwd(), path)}, which later commands read: they need -c stage=${stage} only.\n\n`,
  )
}

const hasTable = (stacks: readonly DeployedStack[]) =>
  stacks.some((one) => isCreated(one) && findOutput([one], 'TableName') !== undefined)

/** Records the rows' format in a new table. A failure does not fail the deployment: `npm run migrate` records it, too. */
async function recordFormat({ config, region }: DoctorInput, print: (text: string) => void): Promise<void> {
  try {
    const name = findOutput(await fetchStacks(config, region), 'TableName')
    const client = DynamoDBDocumentClient.from(new DynamoDBClient(clientOptions(region)))
    if (name !== undefined) await recordNewTable({ client, name })
  } catch (error) {
    print(
      `The format of the rows could not be recorded (${errorMessage(error)}); npm run migrate records it.\n`,
    )
  }
}

/**
 * Starts the sync of the catalogue, which has only the built-in integrations until then, and does not wait for it.
 * @returns what to tell the operator; a failure does not fail the deployment, because the schedule starts the sync within a day
 */
async function startFirstSync(stacks: readonly DeployedStack[], region: string): Promise<string> {
  // as the schedule sends it
  const Payload = Buffer.from(JSON.stringify({ id: 'first-deployment', source: 'aws.scheduler' }))
  const FunctionName = findOutput(stacks, 'RegistrySyncFunction')
  try {
    const command = new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload })
    await new LambdaClient(clientOptions(region)).send(command)
    return 'The catalogue of integrations is being loaded; that takes some minutes.'
  } catch (error) {
    return `The catalogue of integrations could not be loaded now (${errorMessage(error)}); that happens at 03:17 UTC.`
  }
}

/** Where the product is, and what only the operator can do. */
async function printNextSteps(
  input: DoctorInput,
  print: (text: string) => void,
): Promise<{ origin: string | undefined; hasAllSecrets: boolean }> {
  const { config } = input
  const stacks = await input.stacks
  const origin = findOutput(stacks, 'SiteUrl')
  print(`\nDeployed: ${origin}\n`)
  const addressTarget = findOutput(stacks, 'AddressTarget')
  if (config.domain && addressTarget && !config.domain.hostedZoneId)
    print(`→ Let ${config.domain.name} point to ${addressTarget} (CNAME, or ALIAS at the top of a zone).\n`)
  const redirect = findOutput(stacks, 'GoogleRedirectUri')
  if (redirect) print(`→ At Google, ${redirect} has to be among the authorised redirect URIs.\n`)
  for (const { type, label } of config.identityProviders)
    print(
      type === 'oidc'
        ? `→ At ${label}, ${findOutput(stacks, 'OidcRedirectUri')} has to be among the redirect URIs.\n`
        : `→ At ${label}, the reply URL (ACS) is ${findOutput(stacks, 'SamlAcsUrl')}, and the entity id ${findOutput(stacks, 'SamlEntityId')}.\n`,
    )
  if (config.alarmEmail) print(`→ ${config.alarmEmail} gets a mail to confirm, once, before any alarm.\n`)
  const secrets = await checkSecrets(input)
  const missing = secrets.filter(({ level }) => level !== 'ok')
  for (const finding of missing) print(formatFinding('Secrets', finding))
  return { origin, hasAllSecrets: missing.length === 0 }
}
