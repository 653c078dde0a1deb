import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod'
import { maxModelSilenceSeconds } from '../aws/config.ts'
import { minPasswordCharacters } from '#shared/limits.ts'
import { modelList, type ListedModel } from '#shared/models.ts'
import { openSignUp, type SignUpPolicy, signUpPolicy } from '#shared/sign-up-policy.ts'

export const projectRoot = resolve(import.meta.dirname, '../..')

/** What `npm start` reads from the environment; an empty variable counts as unset. */
const variables = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65_535).default(4_000),
    LOCAL_DATA_DIR: z.string().default('.local'),
    LOCAL_MAIL: z.enum(['link', 'code']).default('link'),
    ASSISTANT_NAME: z.string().default('Juno'),
    BRAND_NAME: z.string().optional(),
    MODEL_SERVER: z.enum(['openai', 'bedrock']).default('openai'),
    MODEL_API: z.enum(['auto', 'responses', 'chat', 'messages']).optional(),
    MODEL_SILENCE_SECONDS: z.coerce.number().int().min(1).max(maxModelSilenceSeconds).optional(),
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: z.url({ protocol: /^https?$/ }).optional(),
    OPENAI_API_KEY: z.string().optional(),
    OPENAI_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
    OPENAI_MODEL: z.string().optional(),
    MODELS: modelList.optional(),
    OPENAI_IMAGE_MODEL: z.string().optional(),
    OPENAI_TRANSCRIPTION_MODEL: z.string().min(1).optional(),
    RATE_LIMIT_FACTOR: z.coerce.number().positive().default(1),
    REPLIES_AT_ONCE: z.coerce.number().int().positive().optional(),
    TOKENS_PER_DAY: z.coerce.number().int().positive().optional(),
    SIGN_UP: signUpPolicy.default(openSignUp),
    FIRST_ADMINISTRATOR: z.enum(['on', 'off']).default('on'),
    REQUIRE_TWO_FACTOR: z.enum(['on', 'off']).default('off'),
    IDENTITY_PROVIDERS: z.enum(['demo']).optional(),
    PASSWORD_SIGN_IN: z.enum(['on', 'off']).default('on'),
    SHARING: z.enum(['on', 'off']).default('on'),
    MCP_APPS: z.enum(['on', 'off']).default('on'),
    IMAGES_PER_DAY: z.coerce.number().int().nonnegative().optional(),
    SITE_TOKENS_PER_DAY: z.coerce.number().int().positive().optional(),
    STORAGE_GB_PER_USER: z.coerce.number().positive().optional(),
    MIN_PASSWORD_CHARACTERS: z.coerce
      .number()
      .int()
      .min(minPasswordCharacters)
      .max(99)
      .default(minPasswordCharacters),
    VAULT: z.enum(['secrets', 'table']).default('secrets'),
    PROVIDERS: z.enum(['local', 'live']).default('local'),
    PROVIDER_OVERRIDES: z.string().optional(),
    PROVIDER_APPS: z.string().optional(),
    OUTBOUND_ALLOW: z.string().optional(),
    MCP_REGISTRY_URL: z.url().optional(),
    GITHUB_API_URL: z.url().optional(),
    GITHUB_TOKEN: z.string().optional(),
    DEMO_MCP_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
    DEMO_TOKENS_PER_SECOND: z.coerce.number().positive().default(40),
  })
  .superRefine((env, ctx) => {
    if (env.MODEL_SERVER !== 'bedrock') return
    const addIssue = (name: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: [name], message })
    if (env.OPENAI_BASE_URL) addIssue('OPENAI_BASE_URL', 'does not go with MODEL_SERVER=bedrock')
    if (env.OPENAI_TRANSCRIPTION_MODEL)
      addIssue('OPENAI_TRANSCRIPTION_MODEL', 'does not go with MODEL_SERVER=bedrock')
    if (!env.OPENAI_MODEL && !env.MODELS) addIssue('OPENAI_MODEL', 'is needed with MODEL_SERVER=bedrock')
  })

export interface LocalSettings {
  port: number
  /** absolute */
  dataDir: string
  mailMode: 'link' | 'code'
  assistantName: string
  brandName: string
  /** undefined: the built-in demo model */
  model:
    | {
        /** `bedrock`: called with AWS credentials instead of a key */
        server: 'openai' | 'bedrock'
        /** of Bedrock: undefined is AWS itself; called with the developer's own credentials */
        bedrockEndpoint: string | undefined
        baseUrl: string | undefined
        key: string | undefined
        name: string | undefined
        imageName: string | undefined
      }
    | undefined
  /** those that users may choose; undefined: only the default one */
  models: readonly ListedModel[] | undefined
  /** undefined: the one that fits the server */
  modelApi: 'auto' | 'responses' | 'chat' | 'messages' | undefined
  /** without a byte of the model; undefined: 45, or 300 for a server on this computer */
  modelSilenceSeconds: number | undefined
  rateLimitFactor: number
  /** per user; undefined: shared/limits.ts times the factor */
  repliesAtOnce: number | undefined
  tokensPerDay: number | undefined
  /** undefined: no dictation */
  transcriptionModel: string | undefined
  /** addresses that may sign up without an invitation */
  signUp: SignUpPolicy
  /** the first confirmed account is an administrator */
  firstAdministrator: boolean
  requireTwoFactor: boolean
  /** a provider to try, played on this computer */
  identityProviders: 'demo' | undefined
  passwordSignIn: boolean
  /** users may share conversations by a public link */
  sharing: boolean
  /** apps of MCP servers are shown, from a second port */
  mcpApps: boolean
  imagesPerDay: number | undefined
  /** for all users together; undefined: no limit */
  siteTokensPerDay: number | undefined
  storageGbPerUser: number | undefined
  minPasswordCharacters: number
  /** where credentials of integrations are stored */
  vault: 'secrets' | 'table'
  providers: 'local' | 'live'
  /** a JSON file that overrides providers' addresses */
  providerOverrides: string | undefined
  /** a JSON file with the operator's OAuth apps at providers */
  providerApps: string | undefined
  /** `host:port` pairs that functions may call although they are private or plain HTTP */
  outboundAllow: string | undefined
  mcpRegistryUrl: string | undefined
  github: { apiUrl: string | undefined; token: string | undefined }
  demoTokensPerSecond: number
  /** port of the demo MCP server; undefined: there is none */
  demoMcpPort: number | undefined
  version: string
}

/** @throws Error naming each invalid variable */
export function readSettings(environment: NodeJS.ProcessEnv): LocalSettings {
  const nonEmptyVariables = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== ''),
  )
  const parsed = variables.safeParse(nonEmptyVariables)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new Error(`The environment is not valid. ${problems.join('. ')}.`)
  }
  const { data: env } = parsed
  return {
    port: env.PORT,
    dataDir: resolve(projectRoot, env.LOCAL_DATA_DIR),
    mailMode: env.LOCAL_MAIL,
    assistantName: env.ASSISTANT_NAME,
    brandName: env.BRAND_NAME ?? env.ASSISTANT_NAME,
    model:
      env.MODEL_SERVER === 'bedrock' || env.OPENAI_API_KEY || env.OPENAI_BASE_URL
        ? {
            server: env.MODEL_SERVER,
            bedrockEndpoint: env.AWS_ENDPOINT_URL_BEDROCK_RUNTIME,
            baseUrl: env.OPENAI_BASE_URL,
            key: env.OPENAI_API_KEY,
            name: env.OPENAI_MODEL,
            imageName: env.OPENAI_IMAGE_MODEL,
          }
        : undefined,
    transcriptionModel: env.OPENAI_TRANSCRIPTION_MODEL,
    models: env.MODELS,
    modelApi: env.MODEL_API,
    modelSilenceSeconds: env.MODEL_SILENCE_SECONDS,
    rateLimitFactor: env.RATE_LIMIT_FACTOR,
    repliesAtOnce: env.REPLIES_AT_ONCE,
    tokensPerDay: env.TOKENS_PER_DAY,
    signUp: env.SIGN_UP,
    firstAdministrator: env.FIRST_ADMINISTRATOR === 'on',
    requireTwoFactor: env.REQUIRE_TWO_FACTOR === 'on',
    identityProviders: env.IDENTITY_PROVIDERS,
    passwordSignIn: env.PASSWORD_SIGN_IN === 'on',
    sharing: env.SHARING === 'on',
    mcpApps: env.MCP_APPS === 'on',
    imagesPerDay: env.IMAGES_PER_DAY,
    siteTokensPerDay: env.SITE_TOKENS_PER_DAY,
    storageGbPerUser: env.STORAGE_GB_PER_USER,
    minPasswordCharacters: env.MIN_PASSWORD_CHARACTERS,
    vault: env.VAULT,
    providers: env.PROVIDERS,
    providerOverrides: env.PROVIDER_OVERRIDES && resolve(projectRoot, env.PROVIDER_OVERRIDES),
    providerApps: env.PROVIDER_APPS && resolve(projectRoot, env.PROVIDER_APPS),
    outboundAllow: env.OUTBOUND_ALLOW,
    mcpRegistryUrl: env.MCP_REGISTRY_URL,
    github: { apiUrl: env.GITHUB_API_URL, token: env.GITHUB_TOKEN },
    demoTokensPerSecond: env.DEMO_TOKENS_PER_SECOND,
    // the next one, so that its address stays the same; a product on a free port has none
    demoMcpPort: env.DEMO_MCP_PORT ?? (env.PORT === 0 ? undefined : env.PORT + 1),
    version: productVersion(),
  }
}

function productVersion(): string {
  const file = JSON.parse(readFileSync(resolve(projectRoot, 'package.json'), 'utf8')) as { version: string }
  return file.version
}
