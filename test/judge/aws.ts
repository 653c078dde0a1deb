import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { routes } from '#shared/routes.ts'
import { startDemoServer } from '../../infra/local/doubles/demo-server/server.ts'
import { demoModelName, ownReply, startDemoModel } from '../support/model-server/server.ts'
import { startProviderDoubles, writeOverrides } from '../support/provider-contracts/doubles.ts'
import { newPassword } from '../../infra/operate/sign-in.ts'
import { createUser } from '../../infra/operate/smoke/temporary-user.ts'
import { caller } from '../support/caller.ts'
import { startCatalogueSources } from '../support/catalogue-sources.ts'
import { edgeRegion } from '../../infra/aws/edge-region.ts'
import { judgeAlarms } from './aws/alarms.ts'
import { judgeConfigurations } from './aws/change-configuration.ts'
import { hostedZone, operatorSecrets, toFolder } from './aws/configurations.ts'
import {
  account,
  callAsSchedule,
  endProtection,
  findOutput,
  judgeSchedule,
  listResources,
  region,
  removeRefused,
  toStackName,
} from './aws/deployment.ts'
import { startExecutor } from './aws/executor.ts'
import { breakAssembly, holdReplies, judgeFailedUpdate } from './aws/failed-update.ts'
import { knownFaults } from './aws/faults.ts'
import { judgeLoad } from './aws/load.ts'
import { judgeRollback, laterContext } from './aws/rollback.ts'
import { judgeJourneys, readFileText, signIn, type Site, uploadText } from './aws/journeys.ts'
import { judgeUpgrade } from './aws/upgrade.ts'
import { walkRefusals, walkRoutes, type Send, type WalkState } from './aws/walk.ts'
import { installPython } from './cache.ts'
import { findFreePort } from '../support/free-port.ts'
import type { Report } from './report.ts'
import { installRuntimeClient } from './runtime-client.ts'

/** docs/reliability.md names it. Its internals are replaced in launch.py: check each bridge with another version. */
const version = '1.5.33'
const also = ['boto3==1.43.106', 'botocore==1.43.106', 'cryptography', 'awscli==1.46.3']
const repository = join(import.meta.dirname, '../..')

/** What `--only=` takes: parts of the judge, each after the deployment of the default configuration. */
const parts = [
  'upgrade',
  'journeys',
  'routes',
  'rollback',
  'failed-update',
  'load',
  'alarms',
  'configurations',
] as const
type Part = (typeof parts)[number]

/**
 * Deploys the default configuration to ministack, an emulator of AWS that others wrote, with signatures checked and IAM enforced, uses
 * every route of it, changes its configuration and back, and destroys it.
 * @param args `--keep` leaves the folder with all logs and templates; `--app=<that folder>` deploys its templates; `--only=<part>,<part>`;
 * `--earlier=<folder>` deploys the templates of an earlier release first, as `cdk synth` wrote them, for the part `upgrade`
 */
export async function judge(report: Report, args: readonly string[]): Promise<void> {
  const readOption = (name: string) =>
    args.find((arg) => arg.startsWith(`--${name}=`))?.slice(`--${name}=`.length)
  const only = readOption('only')?.split(',')
  const unknown = only?.find((name) => !parts.some((part) => part === name))
  if (unknown !== undefined)
    return report.fail('aws', `There is no part ${unknown}; there are ${parts.join(', ')}.`)
  const python = ['python3.13', 'python3.12', 'python3.11', 'python3'].find(
    (command) =>
      spawnSync(command, ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 11))']).status === 0,
  )
  if (!python) return report.skip('aws', 'It needs Python 3.11 or newer with venv.')
  const command = installPython('ministack', version, 'python', { also, python })
  if (!command) return report.skip('aws', `ministack ${version} could not be installed with ${python}.`)
  const client = installRuntimeClient()
  if (!client) return report.skip('aws', 'aws-lambda-ric could not be built: it needs cmake, make and g++.')
  const folder = mkdtempSync(join(tmpdir(), 'judge-aws-'))
  const closing: (() => unknown)[] = []
  try {
    await judgeDeployment(report, {
      python: command,
      client,
      folder,
      closing,
      app: readOption('app'),
      earlier: readOption('earlier'),
      isWanted: (part) => only === undefined || only.includes(part),
    })
  } finally {
    for (const close of closing.toReversed()) await close()
    if (args.includes('--keep')) process.stdout.write(`Logs: ${folder}\n`)
    else rmSync(folder, { recursive: true, force: true })
  }
}

interface Setting {
  python: string
  client: string
  folder: string
  closing: (() => unknown)[]
  /** a folder with the templates of a former run; undefined: they are synthesised */
  app: string | undefined
  /** a folder with the templates of an earlier release; undefined: nothing is upgraded */
  earlier: string | undefined
  isWanted: (part: Part) => boolean
}

async function judgeDeployment(
  report: Report,
  { python, client, folder, closing, app, earlier, isWanted }: Setting,
): Promise<void> {
  const port = await findFreePort()
  const endpoint = `http://127.0.0.1:${port}`
  const redirect = `--import ${pathToFileURL(join(import.meta.dirname, 'aws/redirect.ts')).href}`
  // what is outside AWS, and cannot be reached or costs money
  let origin = ''
  const hold = { isOn: false }
  const model = await startDemoModel({ tokensPerSecond: 400, reply: holdReplies(ownReply, hold) })
  const doubles = await startProviderDoubles({
    dataDir: folder,
    redirectHost: () => URL.parse(origin)?.hostname,
  })
  const tables = await startDemoServer()
  const sources = await startCatalogueSources()
  closing.push(
    () => model.close(),
    () => doubles.close(),
    () => tables.close(),
    () => sources.close(),
  )
  const overrides = join(folder, 'overrides.json')
  await writeOverrides(overrides, doubles.overrides())
  const executor = await startExecutor({
    client,
    folder,
    variables: () => ({
      EMULATOR: endpoint,
      NODE_OPTIONS: redirect,
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: demoModelName,
      MODELS: JSON.stringify([{ id: demoModelName, name: demoModelName, api: 'responses' }]),
      PROVIDER_OVERRIDES: overrides,
      MCP_REGISTRY_URL: sources.url,
      GITHUB_API_URL: sources.url,
      OUTBOUND_ALLOW: [
        new URL(model.baseUrl).host,
        doubles.host,
        tables.host,
        new URL(sources.url).host,
      ].join(),
      RATE_LIMIT_FACTOR: '10',
    }),
  })
  closing.push(() => executor.close())
  const emulatorLog = join(folder, 'ministack.log')
  closing.push(await startEmulator({ python, folder, port, executor: executor.url, log: emulatorLog }))

  const credentials = {
    AWS_ACCESS_KEY_ID: account,
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
  }
  Object.assign(process.env, credentials, { EMULATOR: endpoint })
  // the SDK's clients and fetch of this process, too
  await import('./aws/redirect.ts')

  const run = (
    name: string,
    program: readonly string[],
    env: NodeJS.ProcessEnv = {},
    cwd = repository,
    fails = false,
  ) =>
    runStep(report, folder, {
      name,
      program,
      env: { ...process.env, ...credentials, CI: 'true', ...env },
      cwd,
      fails,
    })
  const out = join(folder, 'cdk.out')
  const variants = join(folder, 'configurations')
  const later = join(folder, 'later.out')
  const broken = join(folder, 'broken.out')
  const cdk = join(repository, 'node_modules/aws-cdk/bin/cdk')
  const needsLater = isWanted('rollback') || isWanted('failed-update')
  const atEmulator = { AWS_ENDPOINT_URL: endpoint }
  if (app === undefined) {
    if (!(await run('synthesis of the default configuration', [cdk, 'synth', '-q', '-o', out]))) return
    const script = join(import.meta.dirname, 'aws/configurations.ts')
    mkdirSync(variants)
    if (isWanted('configurations') && !(await run('synthesis of the others', [script, variants]))) return
    const ofLater = [cdk, 'synth', '-q', '-o', later, ...laterContext.flatMap((pair) => ['-c', pair])]
    if (needsLater && !(await run('synthesis of a later release', ofLater))) return
  } else
    for (const name of ['cdk.out', 'later.out', 'configurations', 'bundles'])
      symlinkSync(join(app, name), join(folder, name))
  const folders = [
    out,
    ...(needsLater ? [later] : []),
    ...readdirSync(variants).map((name) => join(variants, name)),
  ]
  const refused = new Set(folders.flatMap(removeRefused))
  if (isWanted('failed-update')) breakAssembly(later, broken)
  // outside the repository: cdk.json there would build the page again
  const inFolder = (name: string, ...words: string[]) => run(name, [cdk, ...words], atEmulator, folder)
  const deploy = (name: string, from: string) =>
    inFolder(name, 'deploy', '--app', from, '--all', '--require-approval', 'never')
  const regions = [region, edgeRegion].map((name) => `aws://${account}/${name}`)
  if (!(await inFolder('cdk bootstrap', 'bootstrap', ...regions))) return
  const secrets = new SecretsManagerClient({})
  for (const [Name, SecretString] of Object.entries(operatorSecrets))
    await secrets.send(new CreateSecretCommand({ Name, SecretString }))
  const cloudFormation = new CloudFormationClient({})
  const earlierOut = join(folder, 'earlier.out')
  if (earlier !== undefined) {
    cpSync(earlier, earlierOut, { recursive: true })
    for (const each of removeRefused(earlierOut)) refused.add(each)
  }
  if (!(await deploy('cdk deploy --all', earlier === undefined ? out : earlierOut))) return

  const resources = (await listResources(cloudFormation)).length
  const operate = { NODE_OPTIONS: redirect }
  const npm = (name: string, ...words: string[]) =>
    run(
      `npm run ${name} ${words.join(' ')}`.trim().replaceAll(folder, '…'),
      [`infra/operate/${name}.ts`, ...words],
      operate,
    )
  const modelKey = join(folder, 'model-key')
  writeFileSync(modelKey, model.apiKey)
  const storeModelKey = () => npm('secret', 'set', 'model-key', '--file', modelKey)
  await storeModelKey()
  origin = (await findOutput(cloudFormation, 'web', 'SiteUrl')) ?? ''
  const site: Site = {
    origin,
    userPoolId: (await findOutput(cloudFormation, 'auth', 'UserPoolId')) ?? '',
    userPoolClientId: ((await (await fetch(`${origin}/config.json`)).json()) as { userPoolClientId: string })
      .userPoolClientId,
    pools: new CognitoIdentityProviderClient({}),
  }
  const newUser = async (name: string) => {
    const user = { email: `judge-${name}@example.com`, password: newPassword() }
    await createUser(site.pools, site.userPoolId, user, AbortSignal.timeout(30_000))
    return user
  }
  if (earlier !== undefined && isWanted('upgrade'))
    await judgeUpgrade(report, {
      cloudFormation,
      site,
      user: await newUser('earlier'),
      upgrade: async () =>
        (await deploy('the upgrade', out)) && (await npm('migrate', '--dry-run')) && (await npm('migrate')),
    })
  await npm('smoke')
  if (isWanted('rollback'))
    await judgeRollback(report, { cloudFormation, origin, assembly: out, later, deploy, npm })
  const ann = await newUser('ann')
  await npm('admin', 'grant-admin', '--email', ann.email)
  const admin = await signIn(site, ann)
  if (isWanted('failed-update'))
    await judgeFailedUpdate(report, {
      cloudFormation,
      user: admin,
      model,
      hold,
      deployBroken: () =>
        run(
          'a release that fails half-way',
          [
            cdk,
            'deploy',
            '--app',
            broken,
            '--exclusively',
            toStackName('api'),
            '--require-approval',
            'never',
          ],
          atEmulator,
          folder,
          true,
        ),
    })
  if (isWanted('load')) await judgeLoad(report, { site, model, hold, newUser })
  if (isWanted('alarms'))
    await judgeAlarms(report, async (...words) => {
      const { stdout } = await promisify(execFile)(join(python, '../aws'), [...words, '--output', 'json'], {
        env: { ...process.env, ...credentials, ...atEmulator },
      })
      return stdout.trim() === '' ? undefined : (JSON.parse(stdout) as unknown)
    })
  if (isWanted('journeys'))
    await judgeJourneys(report, site, await signIn(site, ann), () =>
      callAsSchedule(cloudFormation, 'ScheduleDispatcher'),
    )
  let lastDeployed: string | undefined
  if (isWanted('configurations'))
    await judgeConfigurations(report, {
      site,
      cloudFormation,
      user: await newUser('dan'),
      deploy: async (name) => {
        const isDeployed = await deploy(
          name === undefined ? 'and back' : `configuration: ${name}`,
          name === undefined ? out : toFolder(variants, name),
        )
        // the secret goes with a model that needs none
        if (isDeployed && lastDeployed === 'Bedrock') await storeModelKey()
        lastDeployed = name
        return isDeployed
      },
      npm,
    })
  let answered = 0
  if (isWanted('routes')) {
    const bob = await newUser('bob')
    const sid = await newUser('sid')
    // an ID token lasts 60 minutes, and on a slow machine the parts before take longer
    const admin = await signIn(site, ann)
    const { users } = await admin.call('admin.users', { query: { query: bob.email } })
    const sidCaller = await signIn(site, sid)
    const { send: stranger } = sidCaller
    const fileId = await uploadText(sidCaller, 'hello')
    await npm('backup', '--out', join(folder, 'backup'))
    await npm('migrate', '--dry-run')
    await npm('migrate')
    await npm('restore', '--uploads', join(folder, 'backup/objects/users'))
    if ((await readFileText(sidCaller, fileId)) === 'hello')
      report.pass('a file is there after its restoration')
    else report.fail('restore', 'the file has changed')
    const visitor: Send = async (name, parts) => caller(origin, 'none').send(name, parts)
    const state: WalkState = {
      origin,
      mcpUrl: tables.url,
      other: { id: users[0]?.id ?? '', email: bob.email },
      known: {},
    }
    await walkRoutes(admin.send, state, (name, status, problem) => {
      if (problem) return report.fail(name, problem)
      answered += 1
      report.pass(`${name} ${status}`)
    })
    const { refused: refusals, open } = await walkRefusals({ stranger, visitor }, state)
    for (const each of open) report.fail('refusal', each)
    if (open.length === 0) report.pass(`${refusals} requests of strangers and visitors are refused`)

    for (const id of ['RegistrySync', 'ConnectionRefresh', 'ModelCheck'])
      await judgeSchedule(report, cloudFormation, id)
    await npm('job', 'registry-sync')
    await npm('outputs')
    await npm('erase', '--email', sid.email, '--yes')
  }
  await endProtection(cloudFormation)
  await inFolder('cdk destroy', 'destroy', '--app', out, '--all', '--force')
  await npm('vault', '--clear', '--yes')

  const log = readFileSync(emulatorLog, 'utf8')
  const denials = [...new Set(log.split('\n').filter((line) => line.startsWith('DENIED')))]
  for (const line of denials) report.fail('denial', line)
  if (denials.length === 0) report.pass('no denial by IAM')
  for (const [name, { errors }] of executor.counts) {
    // a trigger of the user pool refuses by failing
    const faults = errors.filter((error) => !error.includes('[code=sign_up_closed]'))
    if (faults.length > 0) report.fail(name, faults.slice(0, 3).join(' '))
  }
  process.stdout.write(
    `\n${resources} resources created, ${answered} of ${Object.keys(routes).length} routes answered, ${executor.counts.size} functions ran with their roles, ${denials.length} denials\n` +
      `Refused by the emulator: ${[...refused].join(', ') || 'nothing'}\n` +
      `Faults of ministack ${version}, not of the product:\n${knownFaults.map(({ what, proof }) => `  ${what}: ${proof}\n`).join('')}`,
  )
}

async function startEmulator(input: {
  python: string
  folder: string
  port: number
  executor: string
  log: string
}): Promise<() => void> {
  const { python, folder, port, executor, log } = input
  const code = join(folder, 'code')
  mkdirSync(code)
  const cli = join(folder, 'aws')
  // what it prints would be read as the function's answer
  writeFileSync(cli, `#!/bin/sh\nexec ${join(python, '../aws')} "$@" 1>&2\n`)
  chmodSync(cli, 0o755)
  const output = createWriteStream(log)
  await once(output, 'open')
  const child = spawn(python, [join(import.meta.dirname, 'aws/launch.py')], {
    cwd: folder,
    stdio: ['ignore', output, output],
    env: {
      PATH: `${join(python, '..')}:${join(process.execPath, '..')}:${process.env['PATH']}`,
      HOME: folder,
      // modules that Lambda's runtime for Node has, for functions of the CDK
      NODE_PATH: join(repository, 'node_modules'),
      AUTH: 'true',
      GATEWAY_PORT: String(port),
      BIND_HOST: '127.0.0.1',
      MINISTACK_HOST: 'localhost',
      MINISTACK_REGION: region,
      // requests without a signature find only APIs of this account (apigateway_v1.py)
      MINISTACK_ACCOUNT_ID: account,
      PERSIST_STATE: '0',
      EXECUTOR: executor,
      CODE_FOLDER: code,
      AWS_COMMAND: cli,
      HOSTED_ZONE: `${hostedZone.id}=${hostedZone.domain}`,
    },
  })
  const stop = () => void child.kill('SIGKILL')
  for (let tries = 0; tries < 120 && child.exitCode === null; tries += 1) {
    const isReady = await fetch(`http://127.0.0.1:${port}/_ministack/health`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return stop
    await sleep(500)
  }
  stop()
  throw new Error(`ministack did not start:\n${readFileSync(log, 'utf8').slice(-2_000)}`)
}

interface ProgramStep {
  name: string
  /** a script of Node's, with its arguments */
  program: readonly string[]
  env: NodeJS.ProcessEnv
  cwd: string
  /** its failure is what is judged */
  fails: boolean
}

async function runStep(report: Report, folder: string, { name, program, env, cwd, fails }: ProgramStep) {
  const log = join(folder, `${name.replaceAll(/\W+/g, '-').slice(0, 60)}.log`)
  const output = createWriteStream(log)
  await once(output, 'open')
  const startedAtMs = Date.now()
  const child = spawn(process.execPath, [...program], { cwd, env, stdio: ['ignore', output, output] })
  const [code] = (await once(child, 'exit')) as [number | null]
  const isRight = (code === 0) !== fails
  if (isRight) report.pass(`${name} (${Math.round((Date.now() - startedAtMs) / 1_000)} s)`)
  else report.fail(name, `ended with ${code}:\n${readFileSync(log, 'utf8').slice(-2_500)}`)
  return isRight
}
