import {
  CognitoIdentityProviderClient,
  ConfirmSignUpCommand,
  InitiateAuthCommand,
  SignUpCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { RouteName } from '#shared/routes.ts'
import type { Mail } from '../../infra/local/mailbox.ts'
import {
  caller,
  type CallParts,
  type RawParts,
  type CallResponse,
  type StreamedEvent,
  type StreamOptions,
} from './caller.ts'

const password = 'correct horse'

/** A signed-in user of a stack. */
export interface StackUser {
  readonly email: string
  readonly password: string
  readonly name: string
  readonly sub: string
  readonly accessToken: string
  readonly idToken: string
  readonly refreshToken: string
  /** calls a route; @throws Error with the answer when the status is not 2xx */
  call<Name extends RouteName>(route: Name, parts?: CallParts<Name>): Promise<RouteResponse<Name>>
  /** calls a route with any input and returns any response */
  send(route: RouteName, parts?: RawParts): Promise<CallResponse>
  /** sends a message and reads the reply as it streams; @throws Error with the answer when the status is not 200 */
  stream(body: ChatRequest, options?: StreamOptions): AsyncGenerator<StreamedEvent>
  /** reads the running reply of a conversation after `lastEventId` */
  events(sessionId: string, options?: StreamOptions & { lastEventId?: string }): AsyncGenerator<StreamedEvent>
}

type Credentials = Pick<StackUser, 'email' | 'password' | 'name' | 'sub'>

interface StackAccess {
  origin: string
  /** the user pool's address */
  cognito: string
  mail(to: string): Promise<Mail[]>
}

/** A client of the user pool, and the id of the product's client there. */
export async function openUserPool({ origin, cognito }: Pick<StackAccess, 'origin' | 'cognito'>) {
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
  stack: StackAccess,
  { name, email }: { name: string; email: string },
): Promise<StackUser> {
  const userPool = await openUserPool(stack)
  const { client, ClientId } = userPool
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
    const ConfirmationCode = readCode((await stack.mail(email))[0])
    await client.send(new ConfirmSignUpCommand({ ClientId, Username: email, ConfirmationCode }))
    return await signIn(userPool, stack.origin, { email, password, name, sub })
  } finally {
    client.destroy()
  }
}

/** Signs in again: a token is valid for 15 minutes. */
export async function signInUser(
  stack: Pick<StackAccess, 'origin' | 'cognito'>,
  user: Credentials,
): Promise<StackUser> {
  const userPool = await openUserPool(stack)
  try {
    return await signIn(userPool, stack.origin, user)
  } finally {
    userPool.client.destroy()
  }
}

async function signIn(
  { client, ClientId }: Awaited<ReturnType<typeof openUserPool>>,
  origin: string,
  { email, password, name, sub }: Credentials,
): Promise<StackUser> {
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
    refreshToken: tokens?.RefreshToken ?? '',
    ...caller(origin, accessToken),
  }
}

/** The code of a mail, in a link or in the text. */
function readCode(mail: Mail | undefined): string {
  const code = /\bcode(?:=|\D{1,20})(\d{6})\b/i.exec(mail?.text ?? '')?.[1]
  if (!code) throw new Error(`No code in the mail: ${mail?.text ?? 'no mail'}`)
  return code
}
