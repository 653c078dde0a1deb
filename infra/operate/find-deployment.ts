import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import { readConfig } from '../aws/config.ts'
import { SetupError } from '../aws/setup-error.ts'
import { localDataDir, readLocalEndpoints } from './local-endpoints.ts'
import { type Context, contextNode } from './cdk-context.ts'

/** Where a smoke test runs. */
export interface Deployment {
  /** without a slash at its end */
  readonly origin: string
  readonly userPoolId: string
  /** with the operator's rights at the user pool */
  readonly pools: CognitoIdentityProviderClient
}

/** Asked before anything is made: nobody waits long for an answer of AWS. */
const client = { requestHandler: { connectionTimeout: 5_000, requestTimeout: 15_000 } }

/**
 * The deployment that the context names, as its stacks' outputs tell.
 * @param url another address than the one the web stack tells
 * @throws SetupError when it is not there, or AWS refuses to tell
 */
export async function findAwsDeployment(
  context: Context,
  url: string | undefined,
  cloudFormation: Pick<CloudFormationClient, 'send'> = new CloudFormationClient(client),
): Promise<Deployment> {
  const { prefix } = readConfig({ ...contextNode(context), getAllContext: () => context })
  const output = (name: string, key: string) => fetchStackOutput(cloudFormation, `${prefix}-${name}`, key)
  const origin = await output('web', 'SiteUrl')
  const userPoolId = await output('auth', 'UserPoolId')
  return {
    origin: parseOrigin(url ?? origin),
    userPoolId,
    pools: new CognitoIdentityProviderClient(client),
  }
}

/**
 * An output of a stack that is deployed.
 * @throws SetupError when it is not there, or AWS refuses to tell
 */
export async function fetchStackOutput(
  cloudFormation: Pick<CloudFormationClient, 'send'>,
  StackName: string,
  key: string,
): Promise<string> {
  let stack
  try {
    const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName }))
    stack = Stacks?.[0]
  } catch (error) {
    const { name, message } = error as Error
    if (name === 'ValidationError' && message.includes('does not exist'))
      throw new SetupError(
        `There is no stack ${StackName} in this account and region. Deploy it first, or give the same -c values as for the deployment.`,
        { cause: error },
      )
    throw new SetupError(
      `AWS does not tell about the stack ${StackName}: ${message} (npm run doctor says what is missing)`,
      { cause: error },
    )
  }
  const value = stack?.Outputs?.find(({ OutputKey }) => OutputKey === key)?.OutputValue
  if (value === undefined)
    throw new SetupError(
      `The stack ${StackName} has no output ${key}: it is ${stack?.StackStatus ?? 'unknown'}. Deploy it again.`,
    )
  return value
}

/** What says where a command works, beside the context. */
export interface TargetOptions {
  readonly url?: string | undefined
  readonly local?: boolean | undefined
}

/** The address of the product on this machine, when that is where a command works. */
export function getLocalAddress({ url, local }: TargetOptions): string | undefined {
  const at = url ?? (local ? `http://127.0.0.1:${process.env['PORT'] ?? 4000}` : undefined)
  return at !== undefined && isLocal(at) ? at : undefined
}

/**
 * Where a command works: at what the context names, or where `npm start` runs.
 * @throws SetupError as `deployedPlace` and `localPlace`
 */
export async function findDeployment(context: Context, target: TargetOptions): Promise<Deployment> {
  const at = getLocalAddress(target)
  return at === undefined ? findAwsDeployment(context, target.url) : findLocalDeployment(at)
}

/** Whether an address is one of `npm start`, where no credentials of AWS are needed. */
const isLocal = (url: string) => /^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?\/?$/.test(url)

/**
 * The product on this machine, with its own user pool.
 * @throws SetupError when nothing answers there, or its data folder is another one
 */
async function findLocalDeployment(url: string): Promise<Deployment> {
  const origin = parseOrigin(url)
  let config: { region?: string; userPoolId?: string; userPoolEndpoint?: string }
  try {
    config = (await (await fetch(`${origin}/config.json`)).json()) as typeof config
  } catch (error) {
    throw new SetupError(`Nothing answers at ${origin}. Start it first: npm start`, { cause: error })
  }
  const { region, userPoolId, userPoolEndpoint } = config
  if (!region || !userPoolId || !userPoolEndpoint || !isLocal(userPoolEndpoint))
    throw new SetupError(`What answers at ${origin} is not the product as npm start runs it.`)
  const dataDir = localDataDir()
  const { cognito, credentials } = await readLocalEndpoints(dataDir)
  if (cognito !== userPoolEndpoint)
    throw new SetupError(
      `What answers at ${origin} does not run on ${dataDir}: set LOCAL_DATA_DIR to its data folder.`,
    )
  return {
    origin,
    userPoolId,
    pools: new CognitoIdentityProviderClient({ ...client, region, endpoint: cognito, credentials }),
  }
}

function parseOrigin(url: string): string {
  const { origin = 'null' } = URL.parse(url) ?? {}
  if (!origin.startsWith('http'))
    throw new SetupError(`--url ${url} is not an address such as https://chat.example.org`)
  return origin
}
