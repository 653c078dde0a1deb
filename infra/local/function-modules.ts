import type { Handlers } from './lambda.ts'
import type { Triggers } from './emulators/cognito/triggers.ts'

/** Runs the daily sync of the registry with the event that the schedule sends. */
export type ScheduledHandler = (event: unknown) => Promise<unknown>

/**
 * Loads the handlers that Lambda runs. They read their environment while they load, so it has to be complete before.
 */
export async function loadHandlers(): Promise<Handlers> {
  const [chat, sessions, files, documents, account, mfa, health] = await Promise.all([
    import('../../functions/chat/handlers.ts'),
    import('../../functions/sessions/handlers.ts'),
    import('../../functions/files/handlers.ts'),
    import('../../functions/documents/handlers.ts'),
    import('../../functions/account/handlers.ts'),
    import('../../functions/mfa/handlers.ts'),
    import('../../functions/health/handlers.ts'),
  ])
  return {
    chat: chat.handler,
    sessions: sessions.handler,
    files: files.handler,
    documents: documents.handler,
    account: account.handler,
    mfa: mfa.handler,
    health: health.handler,
  } as unknown as Handlers
}

/** The user pool's triggers, each loaded when the pool first calls it: the pool is up before the environment is complete. */
export const triggers: Triggers = {
  async customMessage(event) {
    const { handler } = await import('../../functions/sign-in/custom-message.ts')
    return handler(event)
  },
  async preSignUp(event) {
    const { handler } = await import('../../functions/sign-in/pre-sign-up.ts')
    return handler(event)
  },
}
