import { CognitoIdentityProviderClient, InitiateAuthCommand } from '@aws-sdk/client-cognito-identity-provider'
import {
  AdminAddUserToGroupCommand,
  ConfirmSignUpCommand,
  CreateGroupCommand,
  SignUpCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import type { AuthenticationResultType } from '@aws-sdk/client-cognito-identity-provider'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCognitoEmulator } from '../../infra/local/emulators/cognito/start-cognito-emulator.ts'
import type { Triggers } from '../../infra/local/emulators/cognito/triggers.ts'
import type { PoolOptions } from '../../infra/local/emulators/cognito/pool.ts'
import './user-pool/account-operations.ts'
import { testCredentials } from './credentials.ts'
import { createMailbox } from '../../infra/local/mailbox.ts'

export const PASSWORD = 'correct horse'

export interface TestUser {
  email: string
  password: string
  sub: string
}

/** A separate pool in its own folder, with the helpers that tests share. */
export async function startTestPool({
  emailSendingAccount,
  keepOriginalEmail,
  triggers = {},
  dataDir = mkdtempSync(join(tmpdir(), 'pool-')),
  siteOrigins = [],
  ...others
}: {
  triggers?: Triggers
  dataDir?: string
  siteOrigins?: readonly string[]
} & Pick<PoolOptions, 'emailSendingAccount' | 'keepOriginalEmail' | 'attributes' | 'authFlows'> = {}) {
  const mailbox = createMailbox({ dataDir })
  const pool = await startCognitoEmulator({
    dataDir,
    region: 'eu-central-1',
    credentials: testCredentials,
    triggers,
    mailbox,
    ...(emailSendingAccount && { emailSendingAccount }),
    ...(keepOriginalEmail !== undefined && { keepOriginalEmail }),
    siteOrigins,
    ...others,
  })
  const client = new CognitoIdentityProviderClient({
    endpoint: pool.url,
    region: 'eu-central-1',
    maxAttempts: 1,
    credentials: testCredentials,
  })
  const mailsTo = (email: string) => mailbox.list().filter(({ to }) => to === email)
  const codeTo = (email: string) =>
    /code(?:=| is )(\d{6})$/m.exec(mailsTo(email)[0]?.text ?? '')?.[1] ?? 'no code mailed'

  async function signUp({ email = anEmail(), password = PASSWORD, name = 'Ann' } = {}): Promise<TestUser> {
    const { UserSub: sub = '' } = await client.send(
      new SignUpCommand({
        ClientId: pool.clientId,
        Username: email,
        Password: password,
        UserAttributes: [
          { Name: 'email', Value: email },
          { Name: 'name', Value: name },
        ],
      }),
    )
    return { email, password, sub }
  }

  async function newUser(email = anEmail()): Promise<TestUser> {
    const user = await signUp({ email })
    await client.send(
      new ConfirmSignUpCommand({
        ClientId: pool.clientId,
        Username: user.email,
        ConfirmationCode: codeTo(user.email),
      }),
    )
    return user
  }

  async function signIn({ email, password }: Pick<TestUser, 'email' | 'password'>) {
    const response = await client.send(
      new InitiateAuthCommand({
        ClientId: pool.clientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: email, PASSWORD: password },
      }),
    )
    return { ...response, tokens: getTokens(response) }
  }

  /** Puts a user into groups, and creates missing ones. */
  async function joinGroups(Username: string, names: readonly string[]): Promise<void> {
    const UserPoolId = pool.userPoolId
    for (const GroupName of names) {
      await client.send(new CreateGroupCommand({ UserPoolId, GroupName })).catch((error: Error) => {
        if (error.name !== 'GroupExistsException') throw error
      })
      await client.send(new AdminAddUserToGroupCommand({ UserPoolId, Username, GroupName }))
    }
  }

  async function stop() {
    await pool.close()
    mailbox.close()
    client.destroy()
  }

  return {
    ...pool,
    client,
    dataDir,
    mailbox,
    mailsTo,
    codeTo,
    signUp,
    newUser,
    joinGroups,
    signIn,
    stop,
    remove: async () => {
      await stop()
      rmSync(dataDir, { recursive: true })
    },
  }
}

export type TestPool = Awaited<ReturnType<typeof startTestPool>>

export const anEmail = (): string => `ann-${randomUUID()}@example.com`

export function getTokens({
  AuthenticationResult: result,
}: {
  AuthenticationResult?: AuthenticationResultType | undefined
}) {
  return {
    access: result?.AccessToken ?? '',
    id: result?.IdToken ?? '',
    refresh: result?.RefreshToken ?? '',
  }
}
