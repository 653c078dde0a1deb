import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod'
import { modelApis } from '#shared/model-apis.ts'
import { maxModelSilenceSeconds, replySeconds } from '../aws/config.ts'
import { minPasswordCharacters } from '#shared/limits.ts'
import { searchProviders } from '#shared/search-providers.ts'
import { modelList } from '#shared/models.ts'
import { isHeaders } from '#shared/secret-values.ts'
import { openSignUp, signUpPolicy } from '#shared/sign-up-policy.ts'

export const projectRoot = resolve(import.meta.dirname, '../..')

const onOff = (defaultValue: 'on' | 'off') =>
  z
    .enum(['on', 'off'])
    .default(defaultValue)
    .transform((value) => value === 'on')

/** What `npm start` reads from the environment; an empty variable counts as unset. */
const variables = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65_535).default(4_000),
    LOCAL_DATA_DIR: z.string().default('.local'),
    LOCAL_MAIL: z.enum(['link', 'code']).default('link'),
    ASSISTANT_NAME: z.string().default('Juno'),
    BRAND_NAME: z.string().optional(),
    /** `bedrock`: called with AWS credentials instead of a key */
    MODEL_SERVER: z.enum(['openai', 'bedrock']).default('openai'),
    /** undefined: the one that fits the server */
    MODEL_API: z.enum(['auto', ...modelApis]).optional(),
    /** without a byte of the model; undefined: 45, or 300 for a server on this computer */
    MODEL_SILENCE_SECONDS: z.coerce.number().int().min(1).max(maxModelSilenceSeconds).optional(),
    /** undefined is AWS itself; called with the developer's own credentials */
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: z.url({ protocol: /^https?$/ }).optional(),
    /** after which a reply, or a run of a schedule, ends */
    REPLY_SECONDS: replySeconds,
    OPENAI_API_KEY: z.string().optional(),
    OPENAI_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** headers for requests to the model's server, in JSON or lines */
    MODEL_HEADERS: z
      .string()
      .refine(isHeaders, 'must be headers in JSON, such as {"x-team": "a"}, or a line for each')
      .optional(),
    OPENAI_MODEL: z.string().optional(),
    /** those that users may choose; undefined: only the default one */
    MODELS: modelList.optional(),
    OPENAI_IMAGE_MODEL: z.string().optional(),
    /** undefined: no dictation */
    OPENAI_TRANSCRIPTION_MODEL: z.string().min(1).optional(),
    /** undefined: files are searched by their words alone */
    EMBEDDING_MODEL: z.string().min(1).optional(),
    /** replies search the web with it; undefined: they do not */
    WEB_SEARCH: z.enum(searchProviders, `must be one of ${searchProviders.join(', ')}`).optional(),
    WEB_SEARCH_KEY: z.string().optional(),
    /** the root of its addresses; undefined: the provider's own */
    WEB_SEARCH_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** the cheapest model writes the titles of conversations */
    CONVERSATION_TITLES: onOff('on'),
    RATE_LIMIT_FACTOR: z.coerce.number().positive().default(1),
    /** per user; undefined: shared/limits.ts times the factor */
    REPLIES_AT_ONCE: z.coerce.number().int().positive().optional(),
    TOKENS_PER_DAY: z.coerce.number().int().positive().optional(),
    /** addresses that may sign up without an invitation */
    SIGN_UP: signUpPolicy.default(openSignUp),
    /** the first confirmed account is an administrator */
    FIRST_ADMINISTRATOR: onOff('on'),
    REQUIRE_TWO_FACTOR: onOff('off'),
    /** a provider to try, played on this computer */
    IDENTITY_PROVIDERS: z.enum(['demo']).optional(),
    PASSWORD_SIGN_IN: onOff('on'),
    /** users may share conversations by a public link */
    SHARING: onOff('on'),
    /** apps of MCP servers are shown, from a second port */
    MCP_APPS: onOff('on'),
    IMAGES_PER_DAY: z.coerce.number().int().nonnegative().optional(),
    /** for all users together; undefined: no limit */
    SITE_TOKENS_PER_DAY: z.coerce.number().int().positive().optional(),
    STORAGE_GB_PER_USER: z.coerce.number().positive().optional(),
    MIN_PASSWORD_CHARACTERS: z.coerce
      .number()
      .int()
      .min(minPasswordCharacters)
      .max(99)
      .default(minPasswordCharacters),
    /** where credentials of integrations are stored */
    VAULT: z.enum(['secrets', 'table']).default('secrets'),
    PROVIDERS: z.enum(['local', 'live']).default('local'),
    /** a JSON file that overrides providers' addresses */
    PROVIDER_OVERRIDES: z.string().optional(),
    /** a JSON file with the operator's OAuth apps at providers */
    PROVIDER_APPS: z.string().optional(),
    /** `host:port` pairs that functions may call although they are private or plain HTTP */
    OUTBOUND_ALLOW: z.string().optional(),
    MCP_REGISTRY_URL: z.url().optional(),
    GITHUB_API_URL: z.url().optional(),
    GITHUB_TOKEN: z.string().optional(),
    /** of the demo MCP server */
    DEMO_MCP_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
    DEMO_TOKENS_PER_SECOND: z.coerce.number().positive().default(40),
  })
  .superRefine((env, ctx) => {
    const addIssue = (name: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: [name], message })
    if (env.WEB_SEARCH === 'searxng' && !env.WEB_SEARCH_URL)
      addIssue('WEB_SEARCH_URL', 'is needed with WEB_SEARCH=searxng')
    if (env.WEB_SEARCH && env.WEB_SEARCH !== 'searxng' && !env.WEB_SEARCH_KEY)
      addIssue('WEB_SEARCH_KEY', `is needed with WEB_SEARCH=${env.WEB_SEARCH}`)
    if (env.MODEL_SERVER !== 'bedrock') return
    if (env.OPENAI_BASE_URL) addIssue('OPENAI_BASE_URL', 'does not go with MODEL_SERVER=bedrock')
    if (env.OPENAI_TRANSCRIPTION_MODEL)
      addIssue('OPENAI_TRANSCRIPTION_MODEL', 'does not go with MODEL_SERVER=bedrock')
    if (env.EMBEDDING_MODEL) addIssue('EMBEDDING_MODEL', 'does not go with MODEL_SERVER=bedrock')
    if (!env.OPENAI_MODEL && !env.MODELS) addIssue('OPENAI_MODEL', 'is needed with MODEL_SERVER=bedrock')
  })

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>

/** `RATE_LIMIT_FACTOR` as `rateLimitFactor`. */
const toCamelCase = <Variables extends object>(env: Variables) =>
  Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  ) as { [Name in keyof Variables & string as CamelCase<Name>]: Variables[Name] }

/** @throws Error naming each invalid variable */
export function readSettings(environment: NodeJS.ProcessEnv) {
  const nonEmptyVariables = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== ''),
  )
  const parsed = variables.safeParse(nonEmptyVariables)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new Error(`The environment is not valid. ${problems.join('. ')}.`)
  }
  const {
    LOCAL_DATA_DIR,
    LOCAL_MAIL,
    MODEL_SERVER,
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME,
    OPENAI_API_KEY,
    OPENAI_BASE_URL,
    MODEL_HEADERS,
    OPENAI_MODEL,
    OPENAI_IMAGE_MODEL,
    OPENAI_TRANSCRIPTION_MODEL,
    PROVIDER_OVERRIDES,
    PROVIDER_APPS,
    GITHUB_API_URL,
    GITHUB_TOKEN,
    ...others
  } = parsed.data
  const settings = toCamelCase(others)
  const { port, assistantName, brandName = assistantName } = settings
  return {
    ...settings,
    brandName,
    /** absolute */
    dataDir: resolve(projectRoot, LOCAL_DATA_DIR),
    mailMode: LOCAL_MAIL,
    /** undefined: the built-in demo model */
    model:
      MODEL_SERVER === 'bedrock' || OPENAI_API_KEY || OPENAI_BASE_URL
        ? {
            server: MODEL_SERVER,
            bedrockEndpoint: AWS_ENDPOINT_URL_BEDROCK_RUNTIME,
            baseUrl: OPENAI_BASE_URL,
            key: OPENAI_API_KEY,
            headers: MODEL_HEADERS,
            name: OPENAI_MODEL,
            imageName: OPENAI_IMAGE_MODEL,
          }
        : undefined,
    transcriptionModel: OPENAI_TRANSCRIPTION_MODEL,
    providerOverrides: PROVIDER_OVERRIDES && resolve(projectRoot, PROVIDER_OVERRIDES),
    providerApps: PROVIDER_APPS && resolve(projectRoot, PROVIDER_APPS),
    github: { apiUrl: GITHUB_API_URL, token: GITHUB_TOKEN },
    // the next one, so that its address stays the same; a product on a free port has none
    demoMcpPort: settings.demoMcpPort ?? (port === 0 ? undefined : port + 1),
    version: productVersion(),
  }
}

export type LocalSettings = ReturnType<typeof readSettings>

function productVersion(): string {
  const file = JSON.parse(readFileSync(resolve(projectRoot, 'package.json'), 'utf8')) as { version: string }
  return file.version
}
