import type { ApiFunctionName } from '#shared/routes.ts'
import { runAs } from './caller.ts'
import type { InvokedFunction } from './emulators/lambda-invoke.ts'
import type { Handlers } from './lambda.ts'
import type { Triggers } from './emulators/cognito/triggers.ts'

/**
 * Loads the handlers that Lambda runs. They read the environment while they load.
 */
export async function loadHandlers(): Promise<Handlers> {
  const loaded = await Promise.all(
    Object.entries(modules).map(
      async ([functionName, load]) => [functionName, (await load()).handler] as const,
    ),
  )
  return Object.fromEntries(loaded) as Handlers
}

/** The module of each function in the route table. */
const modules: Record<ApiFunctionName, () => Promise<{ handler: unknown }>> = {
  chat: () => import('../../functions/chat/handlers.ts'),
  sessions: () => import('../../functions/conversations/handlers.ts'),
  shared: () => import('../../functions/shares/handlers.ts'),
  files: () => import('../../functions/files/handlers.ts'),
  documents: () => import('../../functions/documents/handlers.ts'),
  account: () => import('../../functions/account/handlers.ts'),
  admin: () => import('../../functions/admin/handlers.ts'),
  mfa: () => import('../../functions/mfa/handlers.ts'),
  integrations: () => import('../../functions/integrations/handlers.ts'),
  oauth: () => import('../../functions/integrations/oauth/handlers.ts'),
  registry: () => import('../../functions/registry/handlers.ts'),
  manualSync: () => import('../../functions/registry/manual-sync.ts'),
  tools: () => import('../../functions/tools/handlers.ts'),
  health: () => import('../../functions/health/handlers.ts'),
}

/** The user pool's triggers, loaded on first use: the pool starts before the environment is complete. */
export const triggers = {
  async customMessage(event) {
    const { handler } = await import('../../functions/sign-in/custom-message.ts')
    return runAs('customMessage', () => handler(event))
  },
  async postConfirmation(event) {
    const { handler } = await import('../../functions/sign-in/post-confirmation.ts')
    return runAs('postConfirmation', () => handler(event))
  },
  async preTokenGeneration(event) {
    const { handler } = await import('../../functions/sign-in/pre-token-generation.ts')
    return runAs('preTokenGeneration', () => handler(event))
  },
  async preSignUp(event) {
    const { handler } = await import('../../functions/sign-in/pre-sign-up.ts')
    return runAs('preSignUp', () => handler(event))
  },
} satisfies Triggers

/** The trigger that a pool has only with identity providers; it has no rights on the table. */
export const providerTriggers = {
  async preAuthentication(event) {
    const { handler } = await import('../../functions/sign-in/pre-authentication.ts')
    return handler(event)
  },
} satisfies Triggers

export const documentReaderName = 'juno-local-document-reader'
export const documentParserName = 'juno-local-document-parser'
export const documentEmbedderName = 'juno-local-document-embedder'

export const notifierName = 'juno-local-notifier'

/** The functions that other functions invoke, by name. */
export const invokedFunctions = {
  [documentParserName]: {
    name: 'documentParser',
    timeoutMs: 240_000,
    async handler(event: unknown) {
      const { handler } = await import('../../functions/documents/document-parser.ts')
      return handler(event)
    },
  },
  [documentReaderName]: {
    name: 'documentReader',
    timeoutMs: 270_000,
    async handler(event: unknown) {
      const { handler } = await import('../../functions/documents/reader.ts')
      return handler(event)
    },
  },
  [documentEmbedderName]: {
    name: 'documentEmbedder',
    timeoutMs: 900_000,
    async handler(event: unknown) {
      const { handler } = await import('../../functions/embeddings/embedder.ts')
      return handler(event)
    },
  },
  [notifierName]: {
    name: 'notifier',
    timeoutMs: 120_000,
    async handler(event: unknown) {
      const { handler } = await import('../../functions/push/notifier.ts')
      return handler(event)
    },
  },
} as const satisfies Record<string, InvokedFunction>

export const runQueueName = 'juno-local-scheduled-runs'

/** What takes the messages of each queue. @param replySeconds after which a run ends */
export const buildQueueConsumers = (replySeconds: number) =>
  ({
    [runQueueName]: {
      name: 'scheduleWorker',
      timeoutMs: replySeconds * 1_000,
      async handler(event: unknown, context) {
        const { handler } = await import('../../functions/schedules/runs/worker.ts')
        return handler(event as Parameters<typeof handler>[0], context)
      },
    },
  }) as const satisfies Record<string, InvokedFunction>
