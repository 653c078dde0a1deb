import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import { readConfig } from '../aws/config.ts'
import { OperatorError } from '../aws/operator-error.ts'
import { localDataDir, readLocalEndpoints } from './local-endpoints.ts'
import { type Context, contextNode } from './cdk-context.ts'

/** A running product: the deployment of a stage, or the local product. */
export interface Deployment {
  /** without a slash at its end */
  readonly origin: string
  readonly userPoolId: string
  /** client of the user pool with the operator's permissions */
  readonly pools: CognitoIdentityProviderClient
}

/** Short timeouts, because these calls come before any work. */
const clientOptions = { requestHandler: { connectionTimeout: 5_000, requestTimeout: 15_000 } }

/**
 * Finds the deployment of a context by the outputs of its stacks.
 * @param url replaces the address from the output of the web stack
 * @throws OperatorError when the stacks do not exist or cannot be read
 */
export async function findAwsDeployment(
  context: Context,
  url: string | undefined,
  cloudFormation: Pick<CloudFormationClient, 'send'> = new CloudFormationClient(clientOptions),
): Promise<Deployment> {
  const { prefix } = readConfig({ ...contextNode(context), getAllContext: () => context })
  const output = (name: string, key: string) => fetchStackOutput(cloudFormation, `${prefix}-${name}`, key)
  const origin = await output('web', 'SiteUrl')
  const userPoolId = await output('auth', 'UserPoolId')
  return {
    origin: parseOrigin(url ?? origin),
    userPoolId,
    pools: new CognitoIdentityProviderClient(clientOptions),
  }
}

/**
 * Fetches an output of a deployed stack.
 * @throws OperatorError when it does not exist or cannot be read
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
      throw new OperatorError(
        `There is no stack ${StackName} in this account and region. Deploy it first, or give the same -c values as for the deployment.`,
        { cause: error },
      )
    throw new OperatorError(
      `The stack ${StackName} could not be read: ${message} (npm run doctor says what is missing)`,
      { cause: error },
    )
  }
  const value = stack?.Outputs?.find(({ OutputKey }) => OutputKey === key)?.OutputValue
  if (value === undefined)
    throw new OperatorError(
      `The stack ${StackName} has no output ${key}: it is ${stack?.StackStatus ?? 'unknown'}. Deploy it again.`,
    )
  return value
}

/** Options of commands that select the product, beside the context. */
export interface TargetOptions {
  readonly url?: string | undefined
  readonly local?: boolean | undefined
}

/** The address of the local product, when the options select it. */
export function getLocalAddress({ url, local }: TargetOptions): string | undefined {
  const at = url ?? (local ? `http://127.0.0.1:${process.env['PORT'] ?? 4000}` : undefined)
  return at !== undefined && isLocal(at) ? at : undefined
}

/**
 * Finds the product that a command works on: the deployment of the context, or the local product.
 * @throws OperatorError as `findAwsDeployment` and `findLocalDeployment`
 */
export async function findDeployment(context: Context, target: TargetOptions): Promise<Deployment> {
  const at = getLocalAddress(target)
  return at === undefined ? findAwsDeployment(context, target.url) : findLocalDeployment(at)
}

/** Whether an address is of the local product, which needs no AWS credentials. */
const isLocal = (url: string) => /^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?\/?$/.test(url)

/**
 * Finds the local product with its user pool.
 * @throws OperatorError when nothing responds there, or its data folder is another one
 */
async function findLocalDeployment(url: string): Promise<Deployment> {
  const origin = parseOrigin(url)
  let config: { region?: string; userPoolId?: string; userPoolEndpoint?: string }
  try {
    config = (await (await fetch(`${origin}/config.json`)).json()) as typeof config
  } catch (error) {
    throw new OperatorError(`Nothing answers at ${origin}. Start it first: npm start`, { cause: error })
  }
  const { region, userPoolId, userPoolEndpoint } = config
  if (!region || !userPoolId || !userPoolEndpoint || !isLocal(userPoolEndpoint))
    throw new OperatorError(`What answers at ${origin} is not the product as npm start runs it.`)
  const dataDir = localDataDir()
  const { cognito, credentials } = await readLocalEndpoints(dataDir)
  if (cognito !== userPoolEndpoint)
    throw new OperatorError(
      `What answers at ${origin} does not run on ${dataDir}: set LOCAL_DATA_DIR to its data folder.`,
    )
  return {
    origin,
    userPoolId,
    pools: new CognitoIdentityProviderClient({ ...clientOptions, region, endpoint: cognito, credentials }),
  }
}

function parseOrigin(url: string): string {
  const { origin = 'null' } = URL.parse(url) ?? {}
  if (!origin.startsWith('http'))
    throw new OperatorError(`--url ${url} is not an address such as https://chat.example.org`)
  return origin
}
