import { developerBedrock, startBedrockRelay } from './bedrock-relay.ts'
import { startDynamoDbEmulator, type DynamoDbEmulator } from './emulators/dynamodb.ts'
import { startCognitoEmulator, type CognitoEmulator } from './emulators/cognito/start-cognito-emulator.ts'
import { startLambdaEmulator, type LambdaEmulator } from './emulators/lambda-invoke.ts'
import { startS3Emulator } from './emulators/s3/start-s3-emulator.ts'
import { startSecretsEmulator } from './emulators/secrets.ts'
import { startSesEmulator } from './emulators/ses.ts'
import { startSqsEmulator } from './emulators/sqs.ts'
import { generateCredentials, type LocalCredentials } from './credentials.ts'
import { startDemoModel, type DemoModel } from './doubles/model/server.ts'
import { invokedFunctions, buildQueueConsumers, providerTriggers, triggers } from './function-modules.ts'
import { listPoolAttributes, type LocalIdentityProvider, startDemoProvider } from './identity-providers.ts'
import { makeFirstAdministrator } from './first-administrator.ts'
import { createMailbox, type Mailbox } from './mailbox.ts'
import { setUpProviders, type ProviderSetup } from './provider-setup.ts'
import type { LocalSettings } from './settings.ts'

export const region = 'us-east-1'
export const tableName = 'juno-local'
/** Sends invitations where the product has a sender of its own. */
export const mailSender = 'no-reply@juno.example'
export const uploadsBucket = 'juno-local-uploads'

interface Endpoint {
  readonly url: string
}

/** The services that functions call: emulators of AWS, and doubles of the model and the providers. */
export interface LocalServices {
  readonly credentials: LocalCredentials
  readonly dynamodb: DynamoDbEmulator
  readonly secrets: Endpoint
  readonly s3: Endpoint
  readonly lambda: LambdaEmulator
  readonly sqs: Endpoint & { queueUrl(name: string): string }
  readonly cognito: CognitoEmulator
  readonly identityProviders: readonly LocalIdentityProvider[]
  readonly ses: Endpoint
  readonly mailbox: Mailbox
  /** undefined when another model is configured */
  readonly model: DemoModel | undefined
  /** signs requests to Bedrock again; undefined when it is not used */
  readonly bedrock: Endpoint | undefined
  readonly providers: ProviderSetup
}

/**
 * Starts the services on free ports.
 * @param onClose gets each service's stop function as soon as the service runs, so that a failed start can stop those before it
 * @throws DataFolderInUse
 */
export async function startServices(
  settings: LocalSettings,
  origin: string,
  onClose: (close: () => Promise<void> | void) => void,
): Promise<LocalServices> {
  const { dataDir } = settings
  const credentials = generateCredentials()
  const siteOrigins = [origin, origin.replace('127.0.0.1', 'localhost')]
  /** Has a service closed with the product, and returns it. */
  const closeLater = <Service extends { close(): Promise<void> | void }>(service: Service): Service => {
    onClose(() => service.close())
    return service
  }
  const dynamodb = closeLater(await startDynamoDbEmulator({ dataDir, tableName, credentials, region }))
  const secrets = closeLater(await startSecretsEmulator({ dataDir, region, credentials }))
  const s3 = closeLater(
    await startS3Emulator({
      dataDir,
      bucket: uploadsBucket,
      credentials,
      region,
      corsOrigins: siteOrigins,
      expirationRules: ['incoming/', 'exports/'].map((prefix) => ({ prefix, afterMs: 86_400_000 })),
    }),
  )
  const lambda = closeLater(await startLambdaEmulator({ functions: invokedFunctions, credentials, region }))
  const sqs = closeLater(
    await startSqsEmulator({ consumers: buildQueueConsumers(settings.replySeconds), credentials, region }),
  )
  const mailbox = createMailbox({ dataDir })
  const cognito = closeLater(
    await startCognitoEmulator({
      dataDir,
      region,
      credentials,
      triggers: chooseTriggers(settings),
      mailbox,
      emailSendingAccount: settings.mailMode === 'link' ? 'DEVELOPER' : 'COGNITO_DEFAULT',
      keepOriginalEmail: true,
      minPasswordCharacters: settings.minPasswordCharacters,
      siteOrigins,
      attributes: listPoolAttributes(settings),
      ...(!settings.passwordSignIn && { authFlows: [] }),
    }),
  )
  const identityProviders =
    settings.identityProviders === 'demo' ? [await startDemoProvider(cognito, closeLater)] : []
  const ses = closeLater(await startSesEmulator({ region, credentials, sender: mailSender, mailbox }))
  closeLater(mailbox)
  const model = settings.model
    ? undefined
    : closeLater(await startDemoModel({ tokensPerSecond: settings.demoTokensPerSecond }))
  const { server, bedrockEndpoint } = settings.model ?? {}
  const bedrock =
    server === 'bedrock'
      ? closeLater(await startBedrockRelay({ credentials, region }, developerBedrock(bedrockEndpoint)))
      : undefined
  const providers = await setUpProviders(settings)
  if (providers.doubles) closeLater(providers.doubles)
  if (providers.demoServer) closeLater(providers.demoServer)
  return {
    credentials,
    dynamodb,
    secrets,
    s3,
    lambda,
    sqs,
    cognito,
    identityProviders,
    ses,
    mailbox,
    model,
    bedrock,
    providers,
  }
}

function chooseTriggers({ identityProviders, firstAdministrator }: LocalSettings) {
  return {
    ...triggers,
    ...(firstAdministrator && {
      async postConfirmation(event: Parameters<typeof triggers.postConfirmation>[0]) {
        const answer = await triggers.postConfirmation(event)
        await makeFirstAdministrator(event)
        return answer
      },
    }),
    ...(identityProviders && providerTriggers),
  }
}
