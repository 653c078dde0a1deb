import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda'
import {
  DescribeSecretCommand,
  SecretsManagerClient,
  type DescribeSecretResponse,
} from '@aws-sdk/client-secrets-manager'
import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2'
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import { Resolver } from 'node:dns/promises'
import { edgeRegion, needsEdge } from '../../aws/edge-region.ts'
import { deriveDefaults } from '../../aws/defaults-for-users.ts'
import { listNamedSecrets } from '../../aws/named-secrets.ts'
import { listBounds, usualLoad } from '../cost/bounds.ts'
import { explainFailure, type Finding, findExisting, ok, problem, warning } from './finding.ts'
import { clientOptions } from './identity.ts'
import { findOutput, isCreated, type DoctorInput } from './stacks.ts'

/** The bootstrap version that templates with assets require: `MIN_BOOTSTRAP_STACK_VERSION` of aws-cdk-lib's DefaultStackSynthesizer. */
export const minBootstrapVersion = 6

/** Checks that every region of a stack has the CDK's bootstrap, in a recent version. */
export async function checkBootstrap({ config, region, account }: DoctorInput): Promise<Finding[]> {
  const regions = new Set([region, ...(needsEdge(config) ? [edgeRegion] : [])])
  return Promise.all(
    [...regions].map(async (one) => {
      const bootstrap = `npm run bootstrap -- aws://${account}/${one}`
      const version = await fetchBootstrapVersion(one).catch((error: unknown) => explainFailure(error))
      if (typeof version === 'object') return version
      if (version === undefined) return problem(`missing in ${one}.`, bootstrap)
      if (version < minBootstrapVersion)
        return problem(
          `version ${version} in ${one} is too old, ${minBootstrapVersion} or newer is needed.`,
          bootstrap,
        )
      return ok(`version ${version} in ${one}.`)
    }),
  )
}

async function fetchBootstrapVersion(region: string): Promise<number | undefined> {
  const command = new GetParameterCommand({ Name: '/cdk-bootstrap/hnb659fds/version' })
  const response = await findExisting(new SSMClient(clientOptions(region)).send(command), 'ParameterNotFound')
  return response && Number(response.Parameter?.Value)
}

/** Checks that the configured secrets exist and are not empty. Reads no value. */
export async function checkSecrets({ config, region, stacks }: DoctorInput): Promise<Finding[]> {
  const ownSecretId = config.modelKeySecretName ? undefined : findOutput(await stacks, 'ModelKeySecret')
  const secrets = new SecretsManagerClient(clientOptions(region))
  const checkSecret = (SecretId: string, judge: (secret: DescribeSecretResponse | undefined) => Finding) =>
    findExisting(secrets.send(new DescribeSecretCommand({ SecretId })), 'ResourceNotFoundException').then(
      judge,
      explainFailure,
    )
  const findings = await Promise.all([
    ...(ownSecretId === undefined ? [] : [checkSecret(ownSecretId, judgeOwnKey)]),
    ...listNamedSecrets(config).map(({ key, name }) =>
      checkSecret(name, (secret) => judgeNamedSecret(key, name, secret, region)),
    ),
  ])
  if (findings.length > 0) return findings
  return [
    ok(
      config.modelServer === 'bedrock'
        ? 'none is named, and Bedrock needs none.'
        : 'none is named; the data stack creates a secret for the API key of the model.',
    ),
  ]
}

const hasStage = ({ VersionIdsToStages }: DescribeSecretResponse, stage: string) =>
  Object.values(VersionIdsToStages ?? {}).some((stages) => stages.includes(stage))

function judgeNamedSecret(
  key: string,
  name: string,
  secret: DescribeSecretResponse | undefined,
  region: string,
): Finding {
  const found = `${name} (${key})`
  if (!secret) return problem(`${found} does not exist in ${region}.`, `npm run secret -- set ${name}`)
  if (secret.DeletedDate)
    return problem(`${found} is about to be deleted.`, `npm run secret -- restore ${name}`)
  if (!hasStage(secret, 'AWSCURRENT'))
    return problem(`${found} holds nothing.`, `npm run secret -- set ${name}`)
  // functions may read their secrets, but use no KMS key except Secrets Manager's default
  if (secret.KmsKeyId && !secret.KmsKeyId.endsWith('alias/aws/secretsmanager'))
    return warning(
      `${found} is encrypted with a key of its own, which the functions may not use.`,
      `Store the value under another name, and name that: npm run secret -- set ${name}-2`,
    )
  return ok(`${found} is there.`)
}

/** CloudFormation fills the secret for the key at random; an operator's value makes that the previous version. */
function judgeOwnKey(secret: DescribeSecretResponse | undefined): Finding {
  if (!secret || !hasStage(secret, 'AWSPREVIOUS'))
    return warning(
      'the API key of the model is not stored yet.',
      'npm run secret -- set model-key, with the same -c',
    )
  return ok('the API key of the model is stored.')
}

/** Checks that e-mails can be sent as configured. */
export async function checkMail({ config, region }: DoctorInput): Promise<Finding[]> {
  if (!config.ses) return [ok("Cognito's own mailer: 50 a day, with codes and without links.")]
  const { sender, verified } = config.ses
  const identity = verified === 'domain' ? sender.replace(/^.*@/, '') : sender
  const ses = new SESv2Client(clientOptions(region))
  return Promise.all([
    checkSender(ses, identity, region).catch(explainFailure),
    checkSesAccount(ses, region).catch(explainFailure),
  ])
}

/** Cognito creates no user pool with a sender that SES has not verified. */
async function checkSender(ses: SESv2Client, identity: string, region: string): Promise<Finding> {
  const command = new GetEmailIdentityCommand({ EmailIdentity: identity })
  const known = await findExisting(ses.send(command), 'NotFoundException')
  if (!known)
    return problem(
      `SES in ${region} does not know ${identity}.`,
      `Console of Amazon SES, ${region}, Identities, Create identity: ${identity}${identity.includes('@') ? '' : ' (or -c sesIdentity=address, if only the address is verified)'}`,
    )
  if (known.VerifiedForSendingStatus) return ok(`SES has verified ${identity}.`)
  return problem(
    `SES in ${region} has not verified ${identity} yet.`,
    `Enter the DNS records, or follow the link in the e-mail, that SES gave: console of Amazon SES, ${region}, Identities, ${identity}.`,
  )
}

async function checkSesAccount(ses: SESv2Client, region: string): Promise<Finding> {
  const { ProductionAccessEnabled, SendingEnabled } = await ses.send(new GetAccountCommand({}))
  if (!SendingEnabled)
    return problem(
      `SES in ${region} may not send at all at present.`,
      'See why under Account dashboard in the console of SES.',
    )
  if (!ProductionAccessEnabled)
    return warning(
      `SES in ${region} is in the sandbox: e-mails reach verified addresses only.`,
      'Ask for production access: https://docs.aws.amazon.com/ses/latest/dg/request-production-access.html',
    )
  return ok(`SES in ${region} sends to everybody.`)
}

/** Checks that the certificate can be used or created. A distribution accepts certificates of its own account only. */
export async function checkDomain(
  { config: { domain }, account }: DoctorInput,
  resolve: typeof resolveNameServers = resolveNameServers,
): Promise<Finding> {
  if (!domain) return ok("one of CloudFront's.")
  const owner = domain.certificateArn?.split(':')[4]
  if (owner !== undefined && owner !== account)
    return problem(
      `the certificate belongs to account ${owner}, these credentials to ${account}.`,
      `Name a certificate of ${account} in ${edgeRegion}, or give hostedZoneId alone and have one made.`,
    )
  const publicNameServers = domain.hostedZoneId === undefined ? [] : await resolve(domain.name)
  if (publicNameServers.length > 0 && !publicNameServers.some((server) => /\.awsdns-\d+\./.test(server)))
    return warning(
      `${domain.name} is served by ${publicNameServers.join(', ')}, not by Route 53: records in ${domain.hostedZoneId} have no effect${domain.certificateArn ? '' : ', and the deployment waits for its certificate in vain'}.`,
      `Enter the zone's name servers where the domain is registered: console of Route 53, ${domain.hostedZoneId}.`,
    )
  return ok(
    `${domain.name}, with ${domain.certificateArn ? 'a certificate of this account' : 'a certificate that is made'}.`,
  )
}

/** The name servers of a domain, or of the nearest parent that has any; none if nobody answers. */
async function resolveNameServers(domain: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 1 })
  const labels = domain.split('.')
  const candidates = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
  const answers = await Promise.all(candidates.map((name) => resolver.resolveNs(name).catch(() => [])))
  return answers.find((servers) => servers.length > 0) ?? []
}

/**
 * Lambda keeps 100 concurrent executions for functions without a reservation, or as many as a small account has
 * (https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html; "below its minimum value of [10]" is what
 * an account with ten gets as a warning).
 */
const keptUnreserved = 100
/** Each reply occupies one execution from start to end. */
const fewExecutions = 50

/** Checks that as many functions can run concurrently as configured, or as a few users need. */
export async function checkConcurrency({ config, region, stacks }: DoctorInput): Promise<Finding> {
  const { limit, unreserved } = await fetchConcurrency(region)
  const wanted = config.chatConcurrency
  // https://repost.aws/knowledge-center/lambda-concurrency-limit-increase leads to the quota code in Service Quotas
  const raise = (to: number) =>
    `console of Service Quotas, ${region}, AWS Lambda, Concurrent executions (L-B99A9384): request ${to}`
  const free = unreserved - Math.min(keptUnreserved, limit)
  if (wanted !== undefined && wanted > free) {
    const found = `chatConcurrency=${wanted} is more than the ${Math.max(0, free)} that this account can still reserve in ${region}`
    const next = `A lower chatConcurrency, or none; or more for the account: ${raise(Math.max(1_000, limit + wanted))}`
    // the chat function's current reservation counts against it, and is released when it changes
    return (await stacks).some(({ name }) => name === `${config.prefix}-api`)
      ? warning(`${found}, unless an earlier deployment reserved the rest.`, next)
      : problem(`${found}.`, next)
  }
  if (limit < fewExecutions)
    return warning(
      `no more than ${limit} functions run at once in this account, and every reply takes one while it is written.`,
      raise(1_000),
    )
  return ok(`${limit} functions may run at once, ${unreserved} of them unreserved.`)
}

/** Checks what the number of people needs, if it is known. */
export async function checkUsers({ config, region, users = config.users }: DoctorInput): Promise<Finding[]> {
  if (users === undefined)
    return [ok(`not known: -c users=30 gives settings the defaults for so many, and checks what they need.`)]
  const { limit: concurrency } = await fetchConcurrency(region)
  const bounds = listBounds(config, { ...usualLoad, concurrency })
  const low = bounds.filter(({ people }) => people < users)
  const vault =
    config.vault === 'secrets' && deriveDefaults(users).vault === 'table'
      ? [
          warning(
            `a secret for each connection costs $0.40 a month: $${Math.round(0.4 * users)} for one of each of ${users} people.`,
            '-c vault=table',
          ),
        ]
      : []
  if (low.length > 0)
    return [
      ...low.map(({ what, people, raise }) => warning(`${what}: enough for ${people} of ${users}.`, raise)),
      ...vault,
    ]
  const [first] = bounds
  return [
    ok(`enough for ${users}${first ? `; the first limit is ${first.what}, for ${first.people}` : ''}.`),
    ...vault,
  ]
}

async function fetchConcurrency(region: string) {
  const { AccountLimit } = await new LambdaClient(clientOptions(region)).send(
    new GetAccountSettingsCommand({}),
  )
  return {
    limit: AccountLimit?.ConcurrentExecutions ?? 0,
    unreserved: AccountLimit?.UnreservedConcurrentExecutions ?? 0,
  }
}

/** New accounts start with ten, which AWS raises gradually: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const concurrencyOfNewAccounts = 10

/**
 * Checks whether CloudFront may refuse the distribution, which the last stack creates. No API tells; a concurrency limit that
 * was never raised is the best sign of a new account.
 */
export async function checkCloudFront({ config, region, stacks }: DoctorInput): Promise<Finding> {
  const deployedStacks = await stacks
  if (deployedStacks.some((one) => one.name === `${config.prefix}-web` && isCreated(one)))
    return ok('the distribution is there.')
  const { limit } = await fetchConcurrency(region)
  return limit > concurrencyOfNewAccounts
    ? ok(
        'this does not look like a new account, to which CloudFront is closed until AWS Support has verified it.',
      )
    : warning(
        'this looks like a new account. AWS may refuse its first distribution ("Your account must be verified") until Support has verified it, which takes hours or days; the last stack fails until then.',
        'Before the deployment: open a case (Account and billing, free of charge) at https://console.aws.amazon.com/support/home and ask for CloudFront. Continue if it does not refuse.',
      )
}

/** Checks whether anybody receives alarms. A topic can have other subscribers, so this is no warning. */
export async function checkAlarms({ config }: DoctorInput): Promise<Finding> {
  if (!config.monitoring) return ok('none (monitoring=off).')
  if (config.alarmEmail) return ok(`to ${config.alarmEmail}.`)
  return {
    ...ok('nobody receives them, unless something else subscribes to their topic.'),
    next: '-c alarmEmail=you@example.org, or -c monitoring=off to save what they cost',
  }
}
