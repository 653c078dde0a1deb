import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { RegionInfo } from 'aws-cdk-lib/region-info'
import { withTimeout } from '../../../functions/platform/with-timeout.ts'
import {
  isDenied,
  isUnreachable,
  errorMessage,
  errorName,
  ok,
  problem,
  explainFailure,
  warning,
  type Finding,
} from './finding.ts'

/** Options of all clients: without a network they fail within seconds. */
export const clientOptions = (region: string) => ({
  region,
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 3_000, requestTimeout: 4_000, throwOnRequestTimeout: true },
})

/** The variables that the CDK reads the region from, in its order, before the profile. */
const regionVariables = ['AWS_REGION', 'AMAZON_REGION', 'AWS_DEFAULT_REGION', 'AMAZON_DEFAULT_REGION']

/** The region that the CDK will deploy to; undefined when none is set. */
export async function resolveRegion(env: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  const named = regionVariables.map((variable) => env[variable]).find(Boolean)
  if (named) return named
  try {
    return await new STSClient({}).config.region()
  } catch {
    // the SDK's "Region is missing"
    return undefined
  }
}

/**
 * Checks the region. API Gateway streams on all endpoint types of REST APIs, but Lambda "is not yet available in all AWS Regions" with
 * streams (https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html), which names none: the regions that an
 * account has to opt in to are the newer ones.
 */
export function checkRegion(region: string | undefined): Finding {
  if (region === undefined)
    return problem(
      'none is set, and the CDK would silently use us-east-1.',
      'export AWS_REGION=<region>, or set one in the profile (~/.aws/config)',
    )
  if (!/^[a-z]{2}(-[a-z]+)+-\d+$/.test(region))
    return problem(
      `${region} is not the name of a region.`,
      'export AWS_REGION=<region>, such as eu-central-1',
    )
  if (/^(cn|us-gov|us-iso\w*)-/.test(region))
    return warning(
      `${region} is not in the public partition of AWS, for which the stacks are written.`,
      'Choose another region; CloudFront, its certificate and the WAF are always in us-east-1.',
    )
  if (RegionInfo.get(region).isOptInRegion)
    return warning(
      `Accounts have to opt in to ${region}. Lambda does not stream responses in every such region, and replies need it.`,
      'Look for "response streaming" of Lambda in the region at https://builder.aws.com/build/capabilities, or choose another region.',
    )
  return ok(`${region}.`)
}

/** Identifies the credentials. The call needs no permission, so a failure means that the credentials are not usable. */
export async function checkIdentity(
  region: string,
): Promise<{ account: string | undefined; finding: Finding }> {
  const sts = new STSClient(clientOptions(region))
  try {
    // credential providers (such as a profile's `credential_process`) have no timeout of their own
    const answer = await withTimeout(sts.send(new GetCallerIdentityCommand({})), 15_000)
    if (!answer) throw Object.assign(new Error('no answer in 15 s'), { name: 'TimeoutError' })
    const { Account, Arn } = answer.result
    return { account: Account, finding: ok(`account ${Account} as ${Arn}.`) }
  } catch (error) {
    return { account: undefined, finding: explainCredentialsError(error) }
  }
}

const signInAgain = 'aws sso login, aws login, or new values in AWS_ACCESS_KEY_ID and the like'

function explainCredentialsError(error: unknown): Finding {
  const message = errorMessage(error)
  if (isUnreachable(error)) return explainFailure(error)
  if (/expired/i.test(`${errorName(error)} ${message}`)) return problem(`expired. ${message}`, signInAgain)
  if (['CredentialsProviderError', 'TokenProviderError'].includes(errorName(error)))
    return problem(
      `none found. ${message}`,
      'Set AWS_ACCESS_KEY_ID and the like, or a profile in ~/.aws/config; AWS_PROFILE chooses among several profiles',
    )
  // the second name is used by services other than STS
  if (['InvalidClientTokenId', 'UnrecognizedClientException'].includes(errorName(error)))
    return problem(
      `AWS does not know them. ${message}`,
      `Check the access key (${signInAgain}), and that the region is one that the account has enabled.`,
    )
  if (errorName(error) === 'SignatureDoesNotMatch')
    return problem(
      `the secret does not belong to the key, or the clock of this machine is wrong. ${message}`,
      signInAgain,
    )
  // a profile that assumes a role
  if (isDenied(error))
    return problem(
      `denied. ${message}`,
      'Let the trust policy of the role allow the identity of the profile, or choose another one: export AWS_PROFILE=…',
    )
  return explainFailure(error)
}
