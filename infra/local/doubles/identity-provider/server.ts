import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { interactionPolicy, Provider, type Configuration } from 'oidc-provider'
import { listen } from '../../listen.ts'
import { readBody } from '../../read-body.ts'
import { signInErrorPage, signInPage, signInPageHeaders } from '../../sign-in-page.ts'
import { MemoryAdapter } from './memory.ts'

/** A relying party as it is registered at the provider. */
export interface RelyingParty {
  clientId: string
  clientSecret: string
  /** compared exactly */
  redirectUris: string[]
}

export interface IdentityProviderDouble {
  /** the issuer of its ID tokens */
  readonly url: string
  /** Registers the only relying party. */
  register(party: RelyingParty): void
  close(): Promise<void>
}

/** What a user says on the sign-in page. */
interface Person {
  email: string
  isVerified: boolean
  name: string
  groups: string[]
}

const BODY_LIMIT = 100_000
const interactionPath = /^\/sign-in\/[\w-]+$/

/**
 * Starts an OpenID provider on the loopback: a certified library with a sign-in page of one click, without a password: it believes every
 * name and address. Every sign-in asks anew, as with a provider whose sessions end at once.
 * @param label its name on the page
 * @param person what the fields contain at first
 */
export async function startIdentityProvider({
  label,
  person,
}: {
  label: string
  person: Omit<Person, 'isVerified'>
}): Promise<IdentityProviderDouble> {
  const people = new Map<string, Person>()
  let provider: Provider | undefined
  const server = createServer((request, response) => {
    if (!provider) return void response.writeHead(503).end()
    const { pathname } = new URL(request.url ?? '/', 'http://provider')
    if (!interactionPath.test(pathname)) return void provider.callback()(request, response)
    void signIn(provider, { people, label, person }, request, response).catch((error: unknown) =>
      sendPage(response, 400, signInErrorPage(error instanceof Error ? error.message : 'unknown')),
    )
  })
  const listening = await listen(server)
  const { url } = listening
  return {
    url,
    register(party) {
      provider = new Provider(url, configure(party, people))
    },
    close: () => listening.close(),
  }
}

async function signIn(
  provider: Provider,
  {
    people,
    label,
    person,
  }: { people: Map<string, Person>; label: string; person: Omit<Person, 'isVerified'> },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // throws for a sign-in that this browser did not begin
  const { params } = await provider.interactionDetails(request, response)
  if (request.method !== 'POST') {
    const hint = params['login_hint']
    const email = typeof hint === 'string' ? hint : person.email
    const groups = person.groups.join(', ')
    return sendPage(response, 200, signInPage({ provider: label, name: person.name, email, groups }))
  }
  const body = await readBody(request, BODY_LIMIT, () => new Error('The form is too long.'))
  const form = new URLSearchParams(body.toString())
  if (form.get('decision') !== 'allow')
    return provider.interactionFinished(request, response, {
      error: 'access_denied',
      error_description: 'The user cancelled the sign-in.',
    })
  const email = form.get('email')?.trim() ?? ''
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error('This is no e-mail address.')
  const accountId = createSubject(email)
  people.set(accountId, {
    email,
    isVerified: !form.has('unverified'),
    name: form.get('name')?.trim() || email,
    groups: (form.get('groups') ?? '')
      .split(',')
      .map((group) => group.trim())
      .filter(Boolean),
  })
  await provider.interactionFinished(request, response, {
    login: { accountId, remember: false },
    consent: {},
  })
}

function configure(
  { clientId, clientSecret, redirectUris }: RelyingParty,
  people: Map<string, Person>,
): Configuration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const policy = interactionPolicy.base()
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check(
        'each_sign_in',
        'every sign-in asks',
        ({ oidc }) => oidc.result?.login === undefined,
      ),
    )
  // cookies ignore ports: two products on one machine must not share them
  const suffix = randomBytes(6).toString('hex')
  return {
    adapter: MemoryAdapter,
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: redirectUris,
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: 'RS256',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: suffix, alg: 'RS256', use: 'sig' }] },
    cookies: {
      keys: [randomBytes(32).toString('hex')],
      names: {
        interaction: `interaction-${suffix}`,
        resume: `resume-${suffix}`,
        session: `session-${suffix}`,
      },
    },
    interactions: { policy, url: (_, { uid }) => `/sign-in/${uid}` },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    // many providers do not ask for a proof key, and Cognito sends none
    pkce: { required: () => false },
    scopes: ['openid', 'email', 'profile'],
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 3600,
      Session: 3600,
    },
    findAccount: (_, accountId) => {
      const person = people.get(accountId)
      if (!person) return undefined
      const { email, isVerified, name, groups } = person
      return {
        accountId,
        // as Okta and Entra ID do, there is no claim for somebody who is in no group
        claims: () => ({
          sub: accountId,
          email,
          email_verified: isVerified,
          name,
          ...(groups.length > 0 && { groups }),
        }),
      }
    },
    async loadExistingGrant({ oidc: { client, session, provider } }) {
      const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    renderError: (ctx, { error, error_description: description }) => {
      ctx.set(signInPageHeaders)
      ctx.body = signInErrorPage(description ?? error)
    },
  }
}

/** Stays the same for an address, and has upper and lower case, as the ids of many providers. */
const createSubject = (email: string): string =>
  createHash('sha256').update(email.toLowerCase()).digest('base64').replaceAll(/\W/g, '').slice(0, 20)

const sendPage = (response: ServerResponse, status: number, body: string): void =>
  void response.writeHead(status, { ...signInPageHeaders, 'cache-control': 'no-store' }).end(body)
