/** The modules that the functions of the stacks are bundled from, by their id. */
export const entries = {
  Chat: 'chat/handlers.ts',
  Sessions: 'conversations/handlers.ts',
  Shared: 'shares/handlers.ts',
  Files: 'files/handlers.ts',
  Documents: 'documents/handlers.ts',
  DocumentParser: 'documents/document-parser.ts',
  DocumentReader: 'documents/reader.ts',
  DocumentEmbedder: 'embeddings/embedder.ts',
  Notifier: 'push/notifier.ts',
  Account: 'account/handlers.ts',
  Admin: 'admin/handlers.ts',
  Mfa: 'mfa/handlers.ts',
  Health: 'health/handlers.ts',
  RegistrySync: 'registry/daily-sync.ts',
  ModelCheck: 'model-check/daily-check.ts',
  ConnectionRefresh: 'integrations/credentials/daily-refresh.ts',
  Integrations: 'integrations/handlers.ts',
  Oauth: 'integrations/oauth/handlers.ts',
  Registry: 'registry/handlers.ts',
  Tools: 'tools/handlers.ts',
  ManualSync: 'registry/manual-sync.ts',
  ScheduleDispatcher: 'schedules/dispatcher.ts',
  ScheduleWorker: 'schedules/runs/worker.ts',
  CustomMessage: 'sign-in/custom-message.ts',
  PreSignUp: 'sign-in/pre-sign-up.ts',
  PreAuthentication: 'sign-in/pre-authentication.ts',
  PreTokenGeneration: 'sign-in/pre-token-generation.ts',
  PostConfirmation: 'sign-in/post-confirmation.ts',
} as const

export type FunctionId = keyof typeof entries
/** Modules that run in threads and child processes. */
export const workers: { readonly [name in FunctionId]?: readonly string[] } = {
  DocumentParser: [
    'documents/extract-child.ts',
    'documents/index-child.ts',
    'documents/scale-child.ts',
    'documents/watch-thread.ts',
    'documents/tables/query-child.ts',
  ],
}
