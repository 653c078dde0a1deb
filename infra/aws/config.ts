import type { Node } from 'constructs'
import * as z from 'zod'
import { SetupError } from './setup-error.ts'

/** What an operator may decide about a deployment, by `-c key=value` or in the context of cdk.json. */
export interface Config {
  readonly stage: string
  /** the assistant's first name */
  readonly assistantName: string
  /** the title of the page and the sender of e-mails */
  readonly brandName: string
  /** the brand's name as it may stand in the names of resources, such as `juno` */
  readonly brand: string
  /** `<brand>-<stage>`: stands before the names of all stacks, so that several live side by side in one account */
  readonly prefix: string
  readonly openaiBaseUrl: string | undefined
  readonly openaiModel: string
  /** undefined: no images are made */
  readonly openaiImageModel: string | undefined
  /** name of an existing secret with the model's API key; otherwise the data stack makes an empty one */
  readonly modelKeySecretName: string | undefined
  readonly google: { readonly clientId: string; readonly secretName: string } | undefined
  /** with a sender, e-mails go out through SES and carry links; without one, Cognito mails bare codes */
  readonly ses: { readonly sender: string; readonly verified: 'domain' | 'address' } | undefined
  readonly githubTokenSecretName: string | undefined
  /** name of a secret with the operator's own apps at providers: JSON, `{"gmail": {"clientId", "clientSecret"}}` */
  readonly providerAppsSecretName: string | undefined
  readonly rateLimitFactor: number
  readonly logRetentionDays: number
  /** how far back the table can be restored */
  readonly recoveryDays: number
}

/** A name that OpenAI knows; another server has names of its own. */
const defaultModel = 'gpt-5-mini'
const defaultImageModel = 'gpt-image-1'

const title = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} .&'-]{0,39}$/u, "must be 1 to 40 letters, digits, spaces or . & ' -")
const secretName = z
  .string()
  .regex(/^[A-Za-z0-9/_+=.@-]{1,512}$/, 'must be the name of a Secrets Manager secret')
const emailAddress = z.email('must be an e-mail address')

/** The periods that CloudWatch Logs knows, up to a year. */
const logRetentionDays = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365]

const contextKeys = {
  stage: z
    .string()
    .regex(
      /^[a-z][a-z0-9-]{0,14}[a-z0-9]$/,
      'must be 2 to 16 lower case letters, digits or hyphens, a letter first',
    )
    .default('dev'),
  assistantName: title.default('Juno'),
  brandName: title.optional(),
  openaiBaseUrl: z
    .url({ protocol: /^https?$/, error: 'must be a URL such as https://api.example.com/v1' })
    .optional(),
  openaiModel: z.string().trim().min(1, 'must be the name of a model').optional(),
  openaiImageModel: z.string().trim().min(1, 'must be the name of a model').optional(),
  modelKeySecretName: secretName.optional(),
  googleClientId: z.string().trim().min(1, 'must be the client id of the Google OAuth app').optional(),
  googleSecretName: secretName.optional(),
  sesSender: emailAddress.optional(),
  sesIdentity: z
    .enum(['domain', 'address'], 'must be domain or address: what of the sender SES has verified')
    .optional(),
  githubTokenSecretName: secretName.optional(),
  providerAppsSecretName: secretName.optional(),
  rateLimitFactor: z.coerce
    .number('must be a number above 0')
    .positive('must be a number above 0')
    .default(1),
  logRetentionDays: z.coerce
    .number('must be a number of days')
    .refine((days) => logRetentionDays.includes(days), `must be one of ${logRetentionDays.join(', ')}`)
    .default(30),
  recoveryDays: z.coerce
    .number('must be 1 to 35')
    .int('must be 1 to 35')
    .min(1, 'must be 1 to 35')
    .max(35, 'must be 1 to 35')
    .default(35),
} as const

const context = z.object(contextKeys).superRefine((values, check) => {
  const missing = (key: string, given: string) =>
    check.addIssue({
      code: 'custom',
      path: [key],
      message: `is missing: ${given} is set, and the two belong together`,
    })
  if (values.googleClientId && !values.googleSecretName) missing('googleSecretName', 'googleClientId')
  if (values.googleSecretName && !values.googleClientId) missing('googleClientId', 'googleSecretName')
  if (values.openaiBaseUrl && !values.openaiModel) missing('openaiModel', 'openaiBaseUrl')
  if (values.sesIdentity && !values.sesSender) missing('sesSender', 'sesIdentity')
  const brand = values.brandName ?? values.assistantName
  if (slug(brand) === '')
    check.addIssue({
      code: 'custom',
      path: ['brandName'],
      message: `must hold a Latin letter, because the stacks are named after it ("${brand}" has none)`,
    })
  const reserved = /aws|amazon|cognito/.exec(`${slug(brand)}-${values.stage}`)?.[0]
  if (values.googleClientId && reserved)
    check.addIssue({
      code: 'custom',
      path: ['brandName'],
      message: `and stage must not contain "${reserved}": Cognito refuses it in the domain of the Google sign-in`,
    })
})

/** The part of a name that may stand in a stack's name: `Café Juno` gives `cafe-juno`. */
function slug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 24)
    .replace(/-+$/, '')
}

/**
 * Reads and checks the context of the app.
 * @throws SetupError with one sentence for each wrong key, naming it
 */
export function readConfig(node: Pick<Node, 'tryGetContext'>): Config {
  const given = Object.keys(contextKeys).flatMap((key) => {
    const value: unknown = node.tryGetContext(key)
    return value === undefined || value === '' ? [] : [[key, value] as const]
  })
  const parsed = context.safeParse(Object.fromEntries(given))
  if (!parsed.success) {
    const sentences = parsed.error.issues.map((issue) => `Context ${issue.path.join('.')} ${issue.message}.`)
    throw new SetupError(`${sentences.join(' ')} (npx cdk … -c key=value; docs/deploy.md lists the keys)`)
  }
  const values = parsed.data
  const brandName = values.brandName ?? values.assistantName
  return {
    stage: values.stage,
    assistantName: values.assistantName,
    brandName,
    brand: slug(brandName),
    prefix: `${slug(brandName)}-${values.stage}`,
    openaiBaseUrl: values.openaiBaseUrl,
    openaiModel: values.openaiModel ?? defaultModel,
    openaiImageModel: values.openaiImageModel ?? (values.openaiBaseUrl ? undefined : defaultImageModel),
    modelKeySecretName: values.modelKeySecretName,
    google:
      values.googleClientId && values.googleSecretName
        ? { clientId: values.googleClientId, secretName: values.googleSecretName }
        : undefined,
    ses: values.sesSender
      ? { sender: values.sesSender, verified: values.sesIdentity ?? 'domain' }
      : undefined,
    githubTokenSecretName: values.githubTokenSecretName,
    providerAppsSecretName: values.providerAppsSecretName,
    rateLimitFactor: values.rateLimitFactor,
    logRetentionDays: values.logRetentionDays,
    recoveryDays: values.recoveryDays,
  }
}
