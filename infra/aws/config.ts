import type { Node } from 'constructs'
import * as z from 'zod'
import { modelApis } from '#shared/model-apis.ts'
import { identityProviderList } from '#shared/identity-providers.ts'
import { defaultReplySeconds, minPasswordCharacters } from '#shared/limits.ts'
import { areListedByServer, defaultImageModel, listModels, modelList } from '#shared/models.ts'
import { searchProviders, type SearchProvider } from '#shared/search-providers.ts'
import { closedSignUp, signUpPolicy } from '#shared/sign-up-policy.ts'
import { trimCharacters } from '#shared/trim-characters.ts'
import { checkBedrockSettings, type AddIssue } from './bedrock-settings.ts'
import { deriveDefaults } from './defaults-for-users.ts'
import { OperatorError } from './operator-error.ts'
import { checkSignInSettings } from './sign-in-settings.ts'
import { defaultStage, stageName } from './stage-file.ts'

/** Highest setting of how long a model may be silent. */
export const maxModelSilenceSeconds = 600

const title = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} .&'-]{0,39}$/u, "must be 1 to 40 letters, digits, spaces or . & ' -")
const secretName = z
  .string()
  .regex(/^[A-Za-z0-9/_+=.@-]{1,512}$/, 'must be the name of a Secrets Manager secret')
const emailAddress = z.email('must be an e-mail address')
const hostName = /^(?=.{4,64}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/

const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER) => {
  const error =
    most < Number.MAX_SAFE_INTEGER
      ? `must be a whole number from ${least} to ${most}`
      : `must be a whole number of at least ${least}`
  return z.coerce.number(error).int(error).min(least, error).max(most, error)
}
/** A reply, and a run of a schedule, ends after so many seconds; the gateway streams for 15 minutes. */
export const replySeconds = wholeNumber(60, 840).default(defaultReplySeconds)

const userCount = wholeNumber(1, 1_000_000)
/** `-c key=on` on the command line, `on` or `true` in cdk.json. */
const onOff = (defaultValue: boolean) =>
  z
    .union([z.boolean(), z.enum(['on', 'off']).transform((value) => value === 'on')], 'must be on or off')
    .default(defaultValue)

/** A name, an IPv4 address or an IPv6 address in brackets, and its port, in the format of the outbound guard. */
const hostAndPort = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]):(\d{1,5})$/
const outboundAllow = z
  .union(
    [z.string().transform((list) => list.split(',')), z.array(z.string())],
    'must be a list of host:port',
  )
  .transform((list) => list.map((pair) => pair.trim().toLowerCase()).filter((pair) => pair !== ''))
  .superRefine((list, ctx) => {
    const wrong = list.find((pair) => {
      const port = Number(hostAndPort.exec(pair)?.[3] ?? 0)
      return port < 1 || port > 65_535
    })
    if (wrong !== undefined)
      ctx.addIssue({
        code: 'custom',
        message: `must be a list of host:port with commas between them ("${wrong}" is not)`,
      })
    // all environment variables of a function together are limited to 4 KB
    if (list.join().length > 1_000)
      ctx.addIssue({ code: 'custom', message: 'must not be longer than 1,000 characters' })
  })
  .transform((list) => list.join() || undefined)

/** The periods that CloudWatch Logs supports, up to a year. */
const logRetentionDays = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365]

/** Names of the stacks and of restored tables: policies of one stage end with them, so no other stage's name may go on with one. */
export const reservedStageWords = ['data', 'auth', 'api', 'web', 'edge', 'restored'] as const

/** An operator's settings for a deployment, by `-c key=value` or in the context of cdk.json. */
const contextKeys = {
  stage: z
    .string()
    .regex(stageName, 'must be 2 to 16 lower case letters, digits or hyphens, a letter first')
    .refine(
      (stage) => !stage.split('-').some((part) => reservedStageWords.some((word) => word === part)),
      `must not have the words ${reservedStageWords.join(', ')} between hyphens, which name parts of a stage`,
    )
    .default(defaultStage),
  /** how many people will use it: other settings have their defaults by it (defaults-for-users.ts) */
  users: userCount.optional(),
  /** the assistant's first name */
  assistantName: title.default('Juno'),
  /** the title of the page and the sender of e-mails */
  brandName: title.optional(),
  /** the site's own address; by default one of CloudFront's */
  // a certificate's name has at most 64 characters, by RFC 5280
  domainName: z.string().regex(hostName, 'must be a host name such as chat.example.org').optional(),
  /** by default the edge stack creates a certificate */
  certificateArn: z
    .string()
    .regex(
      /^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/,
      'must be the ARN of a certificate in us-east-1, because CloudFront accepts no other',
    )
    .optional(),
  /** zone for the address, and for the validation of a new certificate */
  hostedZoneId: z
    .string()
    .regex(/^Z[A-Z0-9]{1,31}$/, 'must be the id of a hosted zone in Route 53, such as Z1D633PJN98FT9')
    .optional(),
  /** name of a managed policy that limits every role of the stacks (IAM permissions boundary) */
  permissionsBoundary: z
    .string()
    .regex(/^[\w+=,.@/-]{1,128}$/, 'must be the name of a managed policy')
    .optional(),
  waf: onOff(false),
  /** CloudFront and the site's bucket log every request */
  accessLogs: onOff(true),
  /** users' data is kept when the stacks are deleted */
  keepData: onOff(true),
  /** nobody uses the product without a second factor; identity providers have their own */
  requireTwoFactor: onOff(false),
  /** where credentials of integrations are stored (ADR 0019); undefined: by the number of users */
  vault: z.enum(['secrets', 'table'], 'must be secrets or table: where credentials are stored').optional(),
  /** `bedrock`: Amazon Bedrock, which the chat function's role may call; otherwise a server that requires a key */
  modelServer: z
    .enum(['openai', 'bedrock'], 'must be openai or bedrock: whether the model takes a key or a role')
    .default('openai'),
  /** undefined: the server's default */
  modelApi: z.enum(['auto', ...modelApis], 'must be auto, responses, chat or messages').default('auto'),
  /** without a byte of the model a reply ends; undefined: 45 */
  modelSilenceSeconds: wholeNumber(1, maxModelSilenceSeconds).optional(),
  openaiBaseUrl: z
    .url({ protocol: /^https?$/, error: 'must be a URL such as https://api.example.com/v1' })
    .optional(),
  /** id of the default model */
  openaiModel: z.string().trim().min(1, 'must be the name of a model').optional(),
  /** models that users may choose, including the default one */
  models: modelList.optional(),
  /** undefined: no images are generated */
  openaiImageModel: z.string().trim().min(1, 'must be the name of a model').optional(),
  /** undefined: no dictation */
  transcriptionModel: z.string().trim().min(1, 'must be the name of a model').optional(),
  /** undefined: files are searched by their words alone */
  embeddingModel: z.string().trim().min(1, 'must be the name of a model').optional(),
  /** the service with which replies search the web; undefined: none */
  webSearch: z.enum(searchProviders, `must be one of ${searchProviders.join(', ')}`).optional(),
  /** the root of its addresses; undefined: the provider's own */
  webSearchUrl: z
    .url({ protocol: /^https?$/, error: 'must be a URL such as https://search.example.com' })
    .optional(),
  /** name of an existing secret with its key */
  webSearchKeySecretName: secretName.optional(),
  /** the cheapest model writes the titles of conversations, if its price is known */
  conversationTitles: onOff(true),
  /** name of an existing secret with the model's API key; by default the data stack creates an empty one, except for Bedrock */
  modelKeySecretName: secretName.optional(),
  /** name of an existing secret with headers for requests to the model's server */
  modelHeadersSecret: secretName.optional(),
  googleClientId: z.string().trim().min(1, 'must be the client id of the Google OAuth app').optional(),
  googleSecretName: secretName.optional(),
  /** the operator's own identity providers, besides Google */
  identityProviders: identityProviderList.default([]),
  /** false: nobody signs in or up with a password */
  passwordSignIn: onOff(true),
  /** with a sender, e-mails are sent through SES and contain links; without one, Cognito mails bare codes */
  sesSender: emailAddress.optional(),
  sesIdentity: z
    .enum(['domain', 'address'], 'must be domain or address: which identity of the sender SES has verified')
    .optional(),
  githubTokenSecretName: secretName.optional(),
  /** name of a secret with the operator's own apps at providers: JSON, `{"gmail": {"clientId", "clientSecret"}}` */
  providerAppsSecretName: secretName.optional(),
  /** comma-separated `host:port` pairs that functions may call although they are private or plain http */
  outboundAllow: outboundAllow.optional(),
  // the operator pays for every message, so the operator decides who may write one
  /** who may create an account without an invitation */
  signUp: signUpPolicy.default(closedSignUp),
  /** users may share conversations by a public link */
  sharing: onOff(true),
  /** apps of MCP servers are shown, from a second distribution */
  mcpApps: onOff(true),
  /** the function that parses documents reaches the bucket of the uploads and nothing else */
  isolateParser: onOff(false),
  /** a new version of the chat function gets a part of the messages first */
  canary: onOff(false),
  // the user pool's own limits
  minPasswordCharacters: wholeNumber(minPasswordCharacters, 99).default(minPasswordCharacters),
  rateLimitFactor: z.coerce
    .number('must be a number above 0')
    .positive('must be a number above 0')
    .default(1),
  /** per user: tokens that models may read and write in a day, and concurrent replies; undefined: the defaults of shared/limits.ts */
  tokensPerDay: wholeNumber(1).optional(),
  repliesAtOnce: wholeNumber(1).optional(),
  imagesPerDay: wholeNumber(0).optional(),
  /** tokens that models may read and write in a day for all users together: the highest possible cost of a day; undefined: by the number of users */
  siteTokensPerDay: wholeNumber(1).optional(),
  /** storage limit per user; undefined: the default of shared/limits.ts */
  storageGbPerUser: z.coerce
    .number('must be a number above 0')
    .positive('must be a number above 0')
    .optional(),
  /** concurrent replies for all users together; undefined: by the number of users, or the account's limit for functions */
  chatConcurrency: wholeNumber(1).optional(),
  replySeconds,
  /** requests that the gateway takes per second, from all users together; undefined: by the number of users */
  requestsPerSecond: wholeNumber(1, 10_000).optional(),
  /** dashboard, alarms and metrics; traces and logs exist without it */
  monitoring: onOff(true),
  /** recipient of alarms */
  alarmEmail: emailAddress.optional(),
  /** US dollars; `alarmEmail` hears when the whole account is about to cost more in a month, or does */
  monthlyBudget: wholeNumber(1, 1_000_000).optional(),
  /** Route 53 asks the health route by the domain; `alarmEmail` hears when it cannot be reached */
  outsideCheck: onOff(false),
  logRetentionDays: z.coerce
    .number('must be a number of days')
    .refine((days) => logRetentionDays.includes(days), `must be one of ${logRetentionDays.join(', ')}`)
    .default(30),
  /** how far back the table can be restored */
  recoveryDays: wholeNumber(1, 35).default(35),
} as const

const context = z.object(contextKeys).superRefine((values, ctx) => {
  const addIssue = (key: string, message: string) => ctx.addIssue({ code: 'custom', path: [key], message })
  const addMissing = (key: string, presentKey: string) =>
    addIssue(key, `is missing: ${presentKey} is set, and the two belong together`)
  if (values.alarmEmail && !values.monitoring)
    addIssue('alarmEmail', 'has no effect: monitoring is off, and with it the alarms')
  if (values.monthlyBudget !== undefined && !values.alarmEmail) addMissing('alarmEmail', 'monthlyBudget')
  if (values.canary && !values.monitoring)
    addIssue('canary', 'needs monitoring: its alarm says whether the new version works')
  if (values.outsideCheck) {
    if (!values.alarmEmail) addMissing('alarmEmail', 'outsideCheck')
    if (!values.domainName) addMissing('domainName', 'outsideCheck')
  }
  if (values.modelServer === 'bedrock') checkBedrockSettings(values, addIssue)
  checkWebSearch(values, addIssue)
  if (values.sesIdentity && !values.sesSender) addMissing('sesSender', 'sesIdentity')
  if (!values.domainName) {
    if (values.certificateArn) addMissing('domainName', 'certificateArn')
    if (values.hostedZoneId) addMissing('domainName', 'hostedZoneId')
  } else if (!values.certificateArn && !values.hostedZoneId)
    addIssue(
      'hostedZoneId',
      'is missing: domainName is set, and its certificate is either given as certificateArn or made with the help of its hosted zone',
    )
  const brand = values.brandName ?? values.assistantName
  if (slug(brand) === '')
    addIssue(
      'brandName',
      `must contain a Latin letter, because the stacks are named after it ("${brand}" has none)`,
    )
  checkSignInSettings(values, `${slug(brand)}-${values.stage}`, addIssue)
})

function checkWebSearch(
  {
    webSearch,
    webSearchUrl,
    webSearchKeySecretName,
  }: {
    webSearch?: SearchProvider | undefined
    webSearchUrl?: string | undefined
    webSearchKeySecretName?: string | undefined
  },
  addIssue: AddIssue,
): void {
  if (webSearch === undefined) {
    const other = webSearchUrl ? 'webSearchUrl' : webSearchKeySecretName && 'webSearchKeySecretName'
    if (other) addIssue('webSearch', `is missing: ${other} is set, and the two belong together`)
  } else if (webSearch === 'searxng') {
    if (!webSearchUrl)
      addIssue('webSearchUrl', 'is missing: webSearch is searxng, which is a server of your own')
  } else if (!webSearchKeySecretName)
    addIssue('webSearchKeySecretName', `is missing: webSearch is ${webSearch}, which takes a key`)
}

/** The part of a name that is allowed in a stack's name: `Café Juno` gives `cafe-juno`. */
function slug(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
  return trimCharacters(words.slice(0, 24), (character) => character === '-')
}

/** The keys that an operator may set; docs/deploy.md lists them. */
export const configKeys: readonly string[] = Object.keys(contextKeys)

/**
 * Parses a number of people from a command line.
 * @throws OperatorError
 */
export function parseUsers(text: string): number {
  const { data, error } = userCount.safeParse(text)
  if (data === undefined) throw new OperatorError(`${text} ${error?.issues[0]?.message}.`)
  return data
}

/** Unknown context keys, which are rejected so that a typo is not ignored silently. The CDK's own keys contain `:` or `/`. */
function unknownKeys(node: Partial<Pick<Node, 'getAllContext'>>): string[] {
  const all = Object.keys((node.getAllContext?.() ?? {}) as Record<string, unknown>)
  return all.filter((key) => /^[A-Za-z]+$/.test(key) && !configKeys.includes(key))
}

/**
 * Reads and checks the context of the app.
 * @throws OperatorError with one sentence for each wrong key, naming it
 */
export function readConfig(node: Pick<Node, 'tryGetContext'> & Partial<Pick<Node, 'getAllContext'>>) {
  const entries = configKeys.flatMap((key) => {
    const value: unknown = node.tryGetContext(key)
    return value === undefined || value === null || value === '' ? [] : [[key, value] as const]
  })
  const parsed = context.safeParse(Object.fromEntries(entries))
  const unknown = unknownKeys(node)
  if (!parsed.success || unknown.length > 0) {
    const sentences = [
      ...unknown.map((key) => `Context ${key} is not known.`),
      ...(parsed.error?.issues.map(({ path, message }) => `Context ${path.join('.')} ${message}.`) ?? []),
    ]
    throw new OperatorError(`${sentences.join(' ')} (npx cdk … -c key=value; docs/deploy.md lists the keys)`)
  }
  const {
    domainName,
    certificateArn,
    hostedZoneId,
    googleClientId,
    googleSecretName,
    sesSender,
    sesIdentity = 'domain',
    ...values
  } = parsed.data
  const brandName = values.brandName ?? values.assistantName
  const defaults = deriveDefaults(values.users)
  const { openaiBaseUrl: baseUrl, openaiModel } = values
  const { models, defaultId } = areListedByServer({ baseUrl, models: values.models, defaultId: openaiModel })
    ? { models: [], defaultId: undefined }
    : listModels(values.models, openaiModel)
  return {
    ...values,
    vault: values.vault ?? defaults.vault,
    siteTokensPerDay: values.siteTokensPerDay ?? defaults.siteTokensPerDay,
    requestsPerSecond: values.requestsPerSecond ?? defaults.requestsPerSecond,
    chatConcurrency: values.chatConcurrency ?? defaults.chatConcurrency,
    /** the settings that the operator has made, as text */
    settings: Object.fromEntries(entries.map(([key, value]) => [key, toText(value)])),
    brandName,
    /** the brand's name in the format of resource names, such as `juno` */
    brand: slug(brandName),
    /** of all stack names, so that an account can have several stages */
    prefix: `${slug(brandName)}-${values.stage}`,
    domain: domainName ? { name: domainName, certificateArn, hostedZoneId } : undefined,
    modelApi: values.modelApi === 'auto' ? undefined : values.modelApi,
    /** undefined, and no models: the server lists them */
    openaiModel: defaultId,
    models,
    openaiImageModel:
      values.openaiImageModel ??
      (values.openaiBaseUrl || values.modelServer === 'bedrock' ? undefined : defaultImageModel),
    google:
      googleClientId && googleSecretName
        ? { clientId: googleClientId, secretName: googleSecretName }
        : undefined,
    ses: sesSender ? { sender: sesSender, verified: sesIdentity } : undefined,
  }
}

/** A value as `-c` takes it, so that equal settings of a file and of the command line are equal. */
function toText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The settings of a deployment. */
export type Config = Readonly<ReturnType<typeof readConfig>>
