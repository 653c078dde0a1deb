import {
  AssociateSoftwareTokenCommand,
  GetTokensFromRefreshTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RouteName, routes } from '#shared/routes.ts'
import { hashBackupCode } from '../../functions/mfa/backup-codes.ts'
import { factorRepository } from '../../functions/mfa/factor-repository.ts'
import { secretContext } from '../../functions/mfa/enrolment.ts'
import { generateCode, toTimeStep } from '../../functions/mfa/totp.ts'
import { sealer } from '../../functions/platform/secrets/seal.ts'
import { secretStore } from '../../functions/platform/secrets/secret-store.ts'
import { handler as preTokenGeneration } from '../../functions/sign-in/pre-token-generation.ts'
import { credentialVariables } from '../../infra/local/credentials.ts'
import { startS3Emulator } from '../../infra/local/emulators/s3/start-s3-emulator.ts'
import { startSesEmulator } from '../../infra/local/emulators/ses.ts'
import { saveSecret, writeSiteConfig } from '../../infra/local/provision.ts'
import { startTestPool } from './cognito-pool.ts'
import './cheap-hashes.ts'
import { testCredentials } from './credentials.ts'
import { signOlderToken } from './forged-tokens.ts'
import { type Call, invoke } from './invoke.ts'
import { installLambdaGlobal, invokeStreaming } from './invoke-streaming.ts'
import { openTestSecrets } from './secrets.ts'
import { openTestTable } from './table.ts'

const region = 'eu-central-1'
const sealingKeySecret = 'test/sealing-key'

/** Address that the double of SES accepts. */
const sender = 'no-reply@juno.example'

/**
 * The functions 'mfa', 'account' and, if asked for, 'admin' in this process, over the real SDK with emulators of the user pool, the table, Secrets Manager and
 * S3. One per process: handlers read their environment when they load.
 */
export async function startAccountFunctions({ withAdmin = false } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'juno-account-'))
  const [table, secrets, pool, s3] = await Promise.all([
    openTestTable(),
    openTestSecrets(),
    startTestPool({
      triggers: {
        preTokenGeneration,
        ...(withAdmin && {
          postConfirmation: async (event) =>
            (await import('../../functions/sign-in/post-confirmation.ts')).handler(event),
        }),
      },
    }),
    startS3Emulator({ dataDir, bucket: 'uploads', credentials: testCredentials, region, corsOrigins: [] }),
  ])
  const ses = await startSesEmulator({ region, credentials: testCredentials, sender, mailbox: pool.mailbox })
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SESV2: ses.url,
    MAIL_SENDER: sender,
    ...credentialVariables(testCredentials),
    AWS_REGION: region,
    AWS_ENDPOINT_URL_DYNAMODB: table.url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: pool.url,
    AWS_ENDPOINT_URL_S3: s3.url,
    TABLE_NAME: table.name,
    UPLOADS_BUCKET: 'uploads',
    DOCUMENT_READER_FUNCTION: 'reader',
    PRODUCT_VERSION: '1.0.0',
    USER_POOL_ID: pool.userPoolId,
    TOKEN_ISSUER: pool.issuer,
    JWKS_URI: pool.jwksUri,
    SEALING_KEY_SECRET: sealingKeySecret,
    BRAND_NAME: 'Juno',
    ASSISTANT_NAME: 'Ada',
    VAULT: 'table',
    RECOVERY_DAYS: '35',
    LOG_LEVEL: 'silent',
    IDENTITY_PROVIDERS: '[]',
    PASSWORD_SIGN_IN: 'on',
    SIGN_UP: 'open',
  })
  await saveSecret(sealingKeySecret, 'a sealing key for tests, at least 48 characters long')
  await writeSiteConfig(table, {
    origin: 'https://juno.example',
    clientId: pool.clientId,
    bucketOrigin: s3.url,
  })
  installLambdaGlobal()
  const factors = factorRepository(table)
  const seal = sealer(secretStore(secrets.client), sealingKeySecret)

  // loaded before any test, so that no test gets the side effects of the import
  const [account, mfa, admin] = await Promise.all([
    import('../../functions/account/handlers.ts'),
    import('../../functions/mfa/handlers.ts'),
    withAdmin ? import('../../functions/admin/handlers.ts') : undefined,
  ])

  /** Calls a route; without a token as a signed-out user. */
  async function call<Name extends RouteName>(name: Name, request: Call<Name>, accessToken?: string) {
    const headers = {
      ...request.headers,
      ...(accessToken !== undefined && { Authorization: `Bearer ${accessToken}` }),
    }
    if (routes[name].functionName === 'account')
      return invokeStreaming(account.handler, name, { ...request, headers })
    const { handler } = routes[name].functionName === 'admin' && admin ? admin : mfa
    return { ...(await invoke(handler, name, { ...request, headers })), bytes: Buffer.alloc(0) }
  }

  /** A signed-in user. @param accessToken of one of their sign-ins */
  function buildUser(
    account: { email: string; password: string; sub: string },
    accessToken: string,
    refreshToken = '',
  ) {
    const person = {
      ...account,
      accessToken,
      call: <Name extends RouteName>(name: Name, request: Call<Name> = {}) =>
        call(name, request, accessToken),
      setUp: (body: object) => call('mfa.setup', { body }, accessToken),
      status: async () => (await call('mfa.status', {}, accessToken)).body,
      /** The same user in another browser. */
      async signInAgain() {
        const { tokens } = await pool.signIn(account)
        return buildUser(account, tokens.access, tokens.refresh)
      },
      /** The same sign-in with refreshed tokens; only of `signInAgain`. */
      async refresh() {
        const refreshed = await pool.client.send(
          new GetTokensFromRefreshTokenCommand({ ClientId: pool.clientId, RefreshToken: refreshToken }),
        )
        return buildUser(account, refreshed.AuthenticationResult?.AccessToken ?? '')
      },
      /** The same user with a sign-in of this long ago. */
      async signedInSecondsAgo(seconds: number) {
        return buildUser(account, await signOlderToken(pool.dataDir, accessToken, seconds))
      },
      /**
       * Turns the second factor on, with one backup code: ten take ten times as long to hash.
       * @returns the backup code, and the app's codes counted from the step of the set-up, whose own code 0 is used up
       */
      async enrol() {
        const { SecretCode: secret = '' } = await pool.client.send(
          new AssociateSoftwareTokenCommand({ AccessToken: accessToken }),
        )
        const backup = '7QK2M9XWTA'
        const codes = new Set([await hashBackupCode(backup, 'salt')])
        const { sub } = account
        const sealed = await seal.seal(secret, secretContext(sub))
        await factors.savePending(sub, { secret: sealed, salt: 'salt', codes }, Date.now())
        const first = toTimeStep(Date.now())
        const code = (steps: number) => generateCode(secret, first + steps)
        const { body } = await person.setUp({ action: 'verify', token: code(0) })
        if (body['success'] !== true) throw new Error(JSON.stringify(body))
        return { backup, code }
      },
    }
    return person
  }

  return {
    table,
    pool,
    /** the rows of the second factor */
    factors,
    seal,
    /** Calls as a signed-out user. */
    call: <Name extends RouteName>(name: Name, request: Call<Name>) => call(name, request),

    /** @param groups that they are in when they sign in */
    async newUser(groups: readonly string[] = [], email?: string) {
      const account = await pool.newUser(email)
      await pool.joinGroups(account.sub, groups)
      return buildUser(account, (await pool.signIn(account)).tokens.access)
    },

    async close() {
      await Promise.all([table.close(), secrets.close(), s3.close(), ses.close()])
      await pool.remove()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export type AccountFunctions = Awaited<ReturnType<typeof startAccountFunctions>>
