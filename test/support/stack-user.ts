import {
  CognitoIdentityProviderClient,
  ConfirmSignUpCommand,
  InitiateAuthCommand,
  SignUpCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { type ChatEvent, streamEnd } from '#shared/chat-events.ts'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { RouteQuery, RouteRequest, RouteResponse } from '#shared/contracts/route-contracts.ts'
import { type PathParams, type RouteName, routePath, routes } from '#shared/routes.ts'
import type { Mail } from '../../infra/local/mailbox.ts'

const password = 'correct horse'

/** Parts of a call, each only where the route has it; `unknown` bodies let tests send what no client would. */
interface CallParts<Name extends RouteName> {
  params?: PathParams<Name>
  query?: RouteQuery<Name>
  body?: RouteRequest<Name>
  headers?: Record<string, string>
  signal?: AbortSignal
}

export interface Reply {
  status: number
  headers: Headers
  /** parsed when it is JSON, the text otherwise */
  body: unknown
}

/** One event of a streamed reply; the last one of a finished reply is `[DONE]`. */
export interface StreamedEvent {
  id: string | undefined
  event: ChatEvent | typeof streamEnd
}

/** A signed-in user of a stack. */
export interface StackUser {
  readonly email: string
  readonly password: string
  readonly name: string
  readonly sub: string
  readonly accessToken: string
  readonly idToken: string
  /** calls a route; @throws Error with the answer when the status is not 2xx */
  call<Name extends RouteName>(route: Name, parts?: CallParts<Name>): Promise<RouteResponse<Name>>
  /** calls a route with anything and gives whatever comes back */
  send(route: RouteName, parts?: RawParts): Promise<Reply>
  /** sends a message and reads the reply as it streams; @throws Error with the answer when the status is not 200 */
  stream(body: ChatRequest, options?: StreamOptions): AsyncGenerator<StreamedEvent>
  /** reads the running reply of a conversation from the position behind `lastEventId` */
  events(sessionId: string, options?: StreamOptions & { lastEventId?: string }): AsyncGenerator<StreamedEvent>
}

interface RawParts {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

interface StreamOptions {
  signal?: AbortSignal
  headers?: Record<string, string>
}

interface Place {
  origin: string
  /** the user pool's address */
  cognito: string
  mail(to: string): Promise<Mail[]>
}

async function openUserPool({ origin, cognito }: Pick<Place, 'origin' | 'cognito'>) {
  const config = (await (await fetch(`${origin}/config.json`)).json()) as {
    region: string
    userPoolClientId: string
  }
  const client = new CognitoIdentityProviderClient({
    endpoint: cognito,
    region: config.region,
    maxAttempts: 1,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  })
  return { client, ClientId: config.userPoolClientId }
}

/** Signs up at the user pool, confirms with the code from the mail, and signs in. */
export async function signUpUser(
  place: Place,
  { name, email }: { name: string; email: string },
): Promise<StackUser> {
  const { client, ClientId } = await openUserPool(place)
  try {
    const { UserSub: sub = '' } = await client.send(
      new SignUpCommand({
        ClientId,
        Username: email,
        Password: password,
        UserAttributes: [
          { Name: 'email', Value: email },
          { Name: 'name', Value: name },
        ],
      }),
    )
    const ConfirmationCode = codeIn((await place.mail(email))[0])
    await client.send(new ConfirmSignUpCommand({ ClientId, Username: email, ConfirmationCode }))
    return await signInUser(place, { email, password, name, sub })
  } finally {
    client.destroy()
  }
}

/** Signs in once more: a token is good for 15 minutes. */
export async function signInUser(
  place: Pick<Place, 'origin' | 'cognito'>,
  { email, password, name, sub }: Pick<StackUser, 'email' | 'password' | 'name' | 'sub'>,
): Promise<StackUser> {
  const { client, ClientId } = await openUserPool(place)
  try {
    const { AuthenticationResult: tokens } = await client.send(
      new InitiateAuthCommand({
        ClientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: email, PASSWORD: password },
      }),
    )
    const accessToken = tokens?.AccessToken ?? ''
    return {
      email,
      password,
      name,
      sub,
      accessToken,
      idToken: tokens?.IdToken ?? '',
      ...caller(place.origin, accessToken),
    }
  } finally {
    client.destroy()
  }
}

/** The code of a mail, which stands in a link or in the text. */
function codeIn(mail: Mail | undefined): string {
  const code = /\bcode(?:=|\D{1,20})(\d{6})\b/i.exec(mail?.text ?? '')?.[1]
  if (!code) throw new Error(`No code in the mail: ${mail?.text ?? 'no mail'}`)
  return code
}

/** What a user does with a token: one that was renewed or got by another sign-in as well. */
export function caller(origin: string, accessToken: string) {
  const request = (name: RouteName, { params = {}, query, body, headers, signal }: RawParts) =>
    fetch(`${origin}${routePath(name, params as PathParams<RouteName>)}${queryString(query)}`, {
      method: routes[name].method,
      headers: {
        authorization: `Bearer ${accessToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })

  async function send(name: RouteName, parts: RawParts = {}): Promise<Reply> {
    const response = await request(name, parts)
    return { status: response.status, headers: response.headers, body: parse(await response.text()) }
  }

  async function* stream(name: RouteName, parts: RawParts): AsyncGenerator<StreamedEvent> {
    const response = await request(name, {
      ...parts,
      headers: { accept: 'text/event-stream', ...parts.headers },
    })
    if (response.status !== 200 || !response.body) throw failure(name, response.status, await response.text())
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
    for await (const { id, data } of events)
      yield { id, event: data === streamEnd ? streamEnd : (JSON.parse(data) as ChatEvent) }
  }

  return {
    send,
    async call<Name extends RouteName>(
      name: Name,
      parts: CallParts<Name> = {},
    ): Promise<RouteResponse<Name>> {
      const { status, body } = await send(name, parts as RawParts)
      if (status < 200 || status > 299) throw failure(name, status, JSON.stringify(body))
      return body as RouteResponse<Name>
    },
    stream: (body: ChatRequest, options: StreamOptions = {}) => stream('chat.send', { body, ...options }),
    events: (
      sessionId: string,
      { lastEventId, headers, ...options }: StreamOptions & { lastEventId?: string } = {},
    ) =>
      stream('runs.events', {
        params: { sessionId },
        headers: { ...(lastEventId !== undefined && { 'last-event-id': lastEventId }), ...headers },
        ...options,
      }),
  }
}

const failure = (name: RouteName, status: number, body: string) =>
  new Error(`${name} answered ${status}: ${body}`)
const queryString = (query: Record<string, string> | undefined) =>
  query ? `?${new URLSearchParams(query)}` : ''

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
