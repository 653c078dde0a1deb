/**
 * The one route table. API Gateway, the local server, the handlers' types and the browser's `callApi` are derived from it;
 * no other file writes a method, a path or an access rule. Free of validators, so that the browser can import it.
 */

/**
 * Who may call: everyone, or the bearer of a verified access token. `optional` is everyone as well, but a token that is sent
 * along is verified, counted and handed on; a wrong one is refused.
 */
export type Access = 'public' | 'optional' | 'user'

/** Which budget per user a call counts against: limits.ts says how large each is. Reads are not counted. */
export type LimitClass = 'chat' | 'write' | 'none'

/** A Lambda function that answers routes; `streaming` ones answer through response streaming, the others buffered. */
export interface ApiFunctionDefinition {
  readonly streaming: boolean
}

export const apiFunctions = {
  chat: { streaming: true },
  sessions: { streaming: false },
  files: { streaming: false },
  documents: { streaming: false },
  account: { streaming: true },
  mfa: { streaming: false },
  health: { streaming: false },
  integrations: { streaming: false },
  oauth: { streaming: false },
  registry: { streaming: false },
  tools: { streaming: false },
  // a sync takes minutes: white space keeps the answer alive until its JSON comes
  manualSync: { streaming: true },
} as const satisfies Record<string, ApiFunctionDefinition>

export type ApiFunctionName = keyof typeof apiFunctions

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** API Gateway's notation, `{name}` for a parameter */
  readonly path: `/${string}`
  readonly access: Access
  readonly owner: ApiFunctionName
  readonly limit: LimitClass
  /** larger bodies are answered with 413 before they are parsed */
  readonly maxBodyBytes: number
  /** answered also to the token of an account that is being erased, so that an erasure can be finished */
  readonly whileErasing?: true
}

const KB = 1024

export const routes = {
  'chat.send': {
    method: 'POST',
    path: '/functions/v1/chat-openai',
    access: 'user',
    owner: 'chat',
    limit: 'chat',
    maxBodyBytes: 4096 * KB,
  },
  'runs.events': {
    method: 'GET',
    path: '/api/sessions/{sessionId}/run/events',
    access: 'user',
    owner: 'chat',
    limit: 'none',
    maxBodyBytes: 0,
  },
  'runs.stop': {
    method: 'POST',
    path: '/api/sessions/{sessionId}/run/stop',
    access: 'user',
    owner: 'chat',
    limit: 'write',
    maxBodyBytes: 4 * KB,
  },
  'runs.answer': {
    method: 'POST',
    path: '/api/sessions/{sessionId}/run/answer',
    access: 'user',
    owner: 'chat',
    limit: 'chat',
    // an e-mail as the user has changed it
    maxBodyBytes: 512 * KB,
  },
  'sessions.list': {
    method: 'GET',
    path: '/api/sessions',
    access: 'user',
    owner: 'sessions',
    limit: 'none',
    maxBodyBytes: 0,
  },
  'sessions.read': {
    method: 'GET',
    path: '/api/sessions/{sessionId}',
    access: 'user',
    owner: 'sessions',
    limit: 'none',
    maxBodyBytes: 0,
  },
  'sessions.delete': {
    method: 'DELETE',
    path: '/api/sessions/{sessionId}',
    access: 'user',
    owner: 'sessions',
    limit: 'write',
    maxBodyBytes: 0,
  },
  'sessions.rename': {
    method: 'PATCH',
    path: '/api/sessions/{sessionId}',
    access: 'user',
    owner: 'sessions',
    limit: 'write',
    maxBodyBytes: 4 * KB,
  },
  'sessions.export': {
    method: 'GET',
    path: '/api/sessions/{sessionId}/export',
    access: 'user',
    owner: 'sessions',
    limit: 'none',
    maxBodyBytes: 0,
  },
  'sessions.corpus': {
    method: 'GET',
    path: '/api/search-corpus',
    access: 'user',
    owner: 'sessions',
    limit: 'none',
    maxBodyBytes: 0,
  },
  'files.presign': {
    method: 'POST',
    path: '/api/attachments',
    access: 'user',
    owner: 'files',
    limit: 'write',
    maxBodyBytes: 16 * KB,
  },
  'files.complete': {
    method: 'POST',
    path: '/api/attachments/{attachmentId}/complete',
    access: 'user',
    owner: 'files',
    limit: 'write',
    maxBodyBytes: 4 * KB,
  },
  'files.link': {
    method: 'GET',
    path: '/api/attachments/{attachmentId}/link',
    access: 'user',
    owner: 'files',
    limit: 'none',
    maxBodyBytes: 0,
  },
  'files.list': {
    method: 'GET',
    path: '/api/attachments',
    access: 'user',
    owner: 'files',
    limit: 'none',
    maxBodyBytes: 0,
  },
  'files.delete': {
    method: 'DELETE',
    path: '/api/attachments/{attachmentId}',
    access: 'user',
    owner: 'files',
    limit: 'write',
    maxBodyBytes: 0,
  },
  'documents.analyze': {
    method: 'POST',
    path: '/functions/v1/analyze-document',
    access: 'user',
    owner: 'documents',
    limit: 'write',
    maxBodyBytes: 64 * KB,
  },
  'credentials.manage': {
    method: 'POST',
    path: '/functions/v1/credential-manager',
    access: 'user',
    owner: 'integrations',
    limit: 'write',
    maxBodyBytes: 64 * KB,
  },
  'oauth.handle': {
    method: 'POST',
    path: '/functions/v1/oauth-handler',
    access: 'user',
    owner: 'oauth',
    limit: 'write',
    maxBodyBytes: 32 * KB,
  },
  'registry.sync': {
    method: 'POST',
    path: '/functions/v1/mcp-registry-sync',
    access: 'user',
    owner: 'manualSync',
    limit: 'write',
    maxBodyBytes: 4 * KB,
  },
  'registry.refresh': {
    method: 'POST',
    path: '/api/registry/refresh',
    access: 'user',
    owner: 'manualSync',
    limit: 'write',
    maxBodyBytes: 4 * KB,
  },
  'registry.page': {
    method: 'GET',
    path: '/api/registry',
    access: 'user',
    owner: 'registry',
    limit: 'none',
    maxBodyBytes: 0,
  },
  'registry.search': {
    method: 'GET',
    path: '/api/registry/search',
    access: 'user',
    owner: 'registry',
    limit: 'none',
    maxBodyBytes: 0,
  },
  'registry.status': {
    method: 'GET',
    path: '/api/registry/status',
    access: 'user',
    owner: 'registry',
    limit: 'none',
    maxBodyBytes: 0,
  },
  'registry.one': {
    method: 'GET',
    path: '/api/registry/entries/{entryId}',
    access: 'user',
    owner: 'registry',
    limit: 'none',
    maxBodyBytes: 0,
  },
  'integrations.list': {
    method: 'GET',
    path: '/api/integrations',
    access: 'user',
    owner: 'integrations',
    limit: 'none',
    maxBodyBytes: 0,
  },
  'integrations.cleanup': {
    method: 'POST',
    path: '/api/integrations/cleanup',
    access: 'user',
    owner: 'integrations',
    limit: 'write',
    maxBodyBytes: 4 * KB,
  },
  'integrations.connect': {
    method: 'POST',
    path: '/api/integrations/{mcpId}/connect',
    access: 'user',
    owner: 'integrations',
    limit: 'write',
    maxBodyBytes: 64 * KB,
  },
  'integrations.disconnect': {
    method: 'POST',
    path: '/api/integrations/{mcpId}/disconnect',
    access: 'user',
    owner: 'integrations',
    limit: 'write',
    maxBodyBytes: 4 * KB,
  },
  'integrations.refresh': {
    method: 'POST',
    path: '/api/integrations/{mcpId}/refresh',
    access: 'user',
    owner: 'integrations',
    limit: 'write',
    maxBodyBytes: 4 * KB,
  },
  'customTools.list': {
    method: 'GET',
    path: '/api/custom-tools',
    access: 'user',
    owner: 'integrations',
    limit: 'none',
    maxBodyBytes: 0,
  },
  'customTools.add': {
    method: 'POST',
    path: '/api/custom-tools',
    access: 'user',
    owner: 'integrations',
    limit: 'write',
    maxBodyBytes: 128 * KB,
  },
  'customTools.test': {
    method: 'POST',
    path: '/api/custom-tool-test',
    access: 'user',
    owner: 'integrations',
    limit: 'write',
    maxBodyBytes: 128 * KB,
  },
  'customTools.remove': {
    method: 'DELETE',
    path: '/api/custom-tools/{toolId}',
    access: 'user',
    owner: 'integrations',
    limit: 'write',
    maxBodyBytes: 0,
  },
  'tools.list': {
    method: 'GET',
    path: '/api/tools',
    access: 'user',
    owner: 'tools',
    limit: 'none',
    maxBodyBytes: 0,
  },
  'tools.ledger': {
    method: 'GET',
    path: '/api/tools/ledger',
    access: 'user',
    owner: 'tools',
    limit: 'none',
    maxBodyBytes: 0,
  },
  'tools.clearLedger': {
    method: 'DELETE',
    path: '/api/tools/ledger',
    access: 'user',
    owner: 'tools',
    limit: 'write',
    maxBodyBytes: 0,
  },
  'tools.allowed': {
    method: 'GET',
    path: '/api/tools/allowed',
    access: 'user',
    owner: 'tools',
    limit: 'none',
    maxBodyBytes: 0,
  },
  'tools.revoke': {
    method: 'DELETE',
    path: '/api/tools/allowed/{toolId}',
    access: 'user',
    owner: 'tools',
    limit: 'write',
    maxBodyBytes: 0,
  },
  'account.read': {
    method: 'GET',
    path: '/api/account',
    access: 'user',
    owner: 'account',
    limit: 'none',
    maxBodyBytes: 0,
  },
  'account.save': {
    method: 'PATCH',
    path: '/api/account',
    access: 'user',
    owner: 'account',
    limit: 'write',
    maxBodyBytes: 4 * KB,
  },
  'account.settings': {
    method: 'PATCH',
    path: '/api/account/settings',
    access: 'user',
    owner: 'account',
    limit: 'write',
    maxBodyBytes: 4 * KB,
  },
  'account.avatar': {
    method: 'GET',
    path: '/api/account/avatars/{avatarId}',
    access: 'user',
    owner: 'account',
    limit: 'none',
    maxBodyBytes: 0,
  },
  'account.uploadAvatar': {
    method: 'POST',
    path: '/api/account/avatars',
    access: 'user',
    owner: 'account',
    limit: 'write',
    maxBodyBytes: 96 * KB,
  },
  'account.held': {
    method: 'GET',
    path: '/api/account/held',
    access: 'user',
    owner: 'account',
    limit: 'none',
    maxBodyBytes: 0,
  },
  'account.export': {
    method: 'POST',
    path: '/api/account/export',
    access: 'user',
    owner: 'account',
    limit: 'write',
    maxBodyBytes: 4 * KB,
  },
  'account.forgetConversations': {
    method: 'DELETE',
    path: '/api/account/conversations',
    access: 'user',
    owner: 'account',
    limit: 'write',
    maxBodyBytes: 0,
  },
  'account.signOutEverywhere': {
    method: 'POST',
    path: '/api/account/sign-out',
    access: 'user',
    owner: 'account',
    limit: 'write',
    maxBodyBytes: 4 * KB,
  },
  'account.erase': {
    method: 'POST',
    path: '/api/account/erase',
    access: 'user',
    owner: 'account',
    limit: 'write',
    maxBodyBytes: 4 * KB,
    whileErasing: true,
  },
  'mfa.setup': {
    method: 'POST',
    path: '/functions/v1/setup-2fa',
    access: 'user',
    owner: 'mfa',
    limit: 'write',
    maxBodyBytes: 4 * KB,
  },
  'mfa.verify': {
    method: 'POST',
    path: '/functions/v1/verify-2fa',
    access: 'optional',
    owner: 'mfa',
    limit: 'write',
    maxBodyBytes: 4 * KB,
  },
  'mfa.status': {
    method: 'GET',
    path: '/api/two-factor',
    access: 'user',
    owner: 'mfa',
    limit: 'none',
    maxBodyBytes: 0,
  },
  health: {
    method: 'GET',
    path: '/api/health',
    access: 'public',
    owner: 'health',
    limit: 'none',
    maxBodyBytes: 0,
  },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes

/** The names of the routes that a function answers. */
export type RoutesOf<Owner extends ApiFunctionName> = {
  [Name in RouteName]: (typeof routes)[Name]['owner'] extends Owner ? Name : never
}[RouteName]

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never

/** The path parameters of a route, by name: `{ sessionId: string }`. */
export type PathParams<Name extends RouteName> = {
  [Parameter in ParameterNames<(typeof routes)[Name]['path']>]: string
}

/**
 * The address of a route with its parameters filled in.
 * @param params each value is percent-encoded; values come from the caller's own data, never from a template
 */
export function routePath<Name extends RouteName>(name: Name, params: PathParams<Name>): string {
  const values = params as Record<string, string>
  return routes[name].path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(values[key] ?? ''))
}
