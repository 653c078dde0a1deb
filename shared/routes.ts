/**
 * The one route table. API Gateway, the local server, the handlers' types and the browser's `callApi` are derived from it;
 * no other file writes a method, a path or an access rule. Free of validators, so that the browser can import it.
 */

import { healthRoute } from './health-route.ts'

/**
 * Who may call: everyone, or the bearer of a verified access token. `optional` is everyone as well, but a token that is sent
 * along is verified, counted and passed on; an invalid one is rejected. `admin` is `user` for members of the group of administrators.
 */
export type Access = 'public' | 'optional' | 'user' | 'admin'

/** Which budget per user a call counts against: limits.ts says how large each is. Only public routes count against none. */
export type LimitClass = 'chat' | 'write' | 'read' | 'none'

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
  // users, invitations and groups, for administrators; its role reaches nothing that people store
  admin: { streaming: false },
  // what people without an account may read: a role that reaches snapshots of shared conversations, settings of the site, and nothing else
  shared: { streaming: false },
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
  readonly functionName: ApiFunctionName
  readonly limit: LimitClass
  /** larger bodies are answered with 413 before they are parsed */
  readonly maxBodyBytes: number
  /** the body is a recording (infra/aws/audio-types.ts) instead of JSON */
  readonly takesAudio?: true
  /** answered also to the token of an account that is being erased, so that an erasure can be finished */
  readonly whileErasing?: true
  /** answered also to users who have to set up a second factor first: the set-up itself, and what ends a sign-in or an account */
  readonly withoutTwoFactor?: true
}

const KB = 1024

/** Asks for something of the caller's own. */
const read = <const Path extends Route['path'], const FunctionName extends ApiFunctionName>(
  path: Path,
  functionName: FunctionName,
) => ({ method: 'GET', path, access: 'user', functionName, limit: 'read', maxBodyBytes: 0 }) as const

/** Changes something of the caller's own; counted, and without a body unless its size is named. */
const write = <
  const Method extends Exclude<Route['method'], 'GET'>,
  const Path extends Route['path'],
  const FunctionName extends ApiFunctionName,
>(
  method: Method,
  path: Path,
  functionName: FunctionName,
  maxBodyBytes = 0,
) => ({ method, path, access: 'user', functionName, limit: 'write', maxBodyBytes }) as const

/** Asks for something that only administrators see. */
const adminRead = <const Path extends Route['path']>(path: Path) =>
  ({ ...read(path, 'admin'), access: 'admin' }) as const

/** Changes something that only administrators may change. */
const adminWrite = <
  const Method extends Exclude<Route['method'], 'GET'>,
  const Path extends Route['path'],
  const FunctionName extends ApiFunctionName,
>(
  method: Method,
  path: Path,
  functionName: FunctionName,
) => ({ ...write(method, path, functionName, 16 * KB), access: 'admin' }) as const

export const routes = {
  'chat.send': { ...write('POST', '/functions/v1/chat-openai', 'chat', 4096 * KB), limit: 'chat' },

  'runs.events': read('/api/sessions/{sessionId}/run/events', 'chat'),
  'runs.stop': write('POST', '/api/sessions/{sessionId}/run/stop', 'chat', 4 * KB),
  // an e-mail as the user has changed it
  'runs.answer': {
    ...write('POST', '/api/sessions/{sessionId}/run/answer', 'chat', 512 * KB),
    limit: 'chat',
  },
  'runs.checkTask': write('POST', '/api/sessions/{sessionId}/run/task', 'chat', 4 * KB),

  // on AWS at most 4.5 MB: the gateway passes bytes on as base64, in an event of 6 MB
  'speech.transcribe': {
    ...write('POST', '/api/speech/transcriptions', 'chat', 10_240 * KB),
    limit: 'chat',
    takesAudio: true,
  },

  'models.list': read('/api/models', 'chat'),

  'waiting.list': read('/api/waiting', 'sessions'),

  'sessions.list': read('/api/sessions', 'sessions'),
  'sessions.read': read('/api/sessions/{sessionId}', 'sessions'),
  'sessions.delete': write('DELETE', '/api/sessions/{sessionId}', 'sessions'),
  'sessions.update': write('PATCH', '/api/sessions/{sessionId}', 'sessions', 4 * KB),
  'sessions.showVersion': write('POST', '/api/sessions/{sessionId}/version', 'sessions', 4 * KB),
  'sessions.copy': write('POST', '/api/sessions/{sessionId}/copy', 'sessions', 4 * KB),
  'sessions.deleteTurn': write('DELETE', '/api/sessions/{sessionId}/messages/{messageId}', 'sessions'),
  'sessions.rate': write('PATCH', '/api/sessions/{sessionId}/messages/{messageId}', 'sessions', 16 * KB),
  'sessions.export': read('/api/sessions/{sessionId}/export', 'sessions'),
  'sessions.corpus': read('/api/search-corpus', 'sessions'),

  // about 1 MB of messages, one of which may be longer in bytes than in characters
  'imports.add': write('POST', '/api/imports', 'sessions', 4096 * KB),
  'imports.list': read('/api/imports', 'sessions'),
  'imports.undo': write('DELETE', '/api/imports/{importId}', 'sessions'),
  'projects.list': read('/api/projects', 'sessions'),
  'projects.create': write('POST', '/api/projects', 'sessions', 128 * KB),
  'projects.read': read('/api/projects/{projectId}', 'sessions'),
  'projects.update': write('PATCH', '/api/projects/{projectId}', 'sessions', 128 * KB),
  'projects.delete': write('DELETE', '/api/projects/{projectId}', 'sessions'),

  'assistants.publish': write('POST', '/api/projects/{projectId}/publish', 'sessions', 128 * KB),
  'assistants.list': read('/api/assistants', 'sessions'),
  'assistants.copy': write('POST', '/api/assistants/{assistantId}/copy', 'sessions', 4 * KB),
  // its publisher, or an administrator
  'assistants.withdraw': write('DELETE', '/api/assistants/{assistantId}', 'sessions'),
  'admin.assistants': { ...adminRead('/api/admin/assistants'), functionName: 'sessions' },
  'prompts.list': read('/api/prompts', 'sessions'),
  'prompts.create': write('POST', '/api/prompts', 'sessions', 128 * KB),
  'prompts.update': write('PATCH', '/api/prompts/{promptId}', 'sessions', 128 * KB),
  'prompts.delete': write('DELETE', '/api/prompts/{promptId}', 'sessions'),

  'shares.create': write('POST', '/api/sessions/{sessionId}/shares', 'sessions', 4 * KB),
  'shares.list': read('/api/shares', 'sessions'),
  'shares.revoke': write('DELETE', '/api/shares/{shareId}', 'sessions'),
  // the secret of the link is in the body: URLs appear in logs. A link for people asks for a sign-in
  'shares.view': {
    method: 'POST',
    path: '/api/shared-conversation',
    access: 'optional',
    functionName: 'shared',
    limit: 'read',
    maxBodyBytes: 4 * KB,
  },

  'files.presign': write('POST', '/api/attachments', 'files', 16 * KB),
  'files.complete': write('POST', '/api/attachments/{attachmentId}/complete', 'files', 4 * KB),
  'files.link': read('/api/attachments/{attachmentId}/link', 'files'),
  'files.list': read('/api/attachments', 'files'),
  'files.delete': write('DELETE', '/api/attachments/{attachmentId}', 'sessions'),

  'documents.analyze': write('POST', '/functions/v1/analyze-document', 'documents', 64 * KB),
  'documents.query': write('POST', '/api/queries', 'documents', 64 * KB),

  'credentials.manage': write('POST', '/functions/v1/credential-manager', 'integrations', 64 * KB),

  'oauth.handle': write('POST', '/functions/v1/oauth-handler', 'oauth', 32 * KB),

  'registry.sync': write('POST', '/functions/v1/mcp-registry-sync', 'manualSync', 4 * KB),
  'registry.refresh': write('POST', '/api/registry/refresh', 'manualSync', 4 * KB),
  'registry.page': read('/api/registry', 'registry'),
  'registry.search': read('/api/registry/search', 'registry'),
  'registry.status': read('/api/registry/status', 'registry'),
  'registry.one': read('/api/registry/entries/{entryId}', 'registry'),

  'integrations.list': read('/api/integrations', 'integrations'),
  'integrations.cleanup': write('POST', '/api/integrations/cleanup', 'integrations', 4 * KB),
  'integrations.connect': write('POST', '/api/integrations/{mcpId}/connect', 'integrations', 64 * KB),
  'integrations.disconnect': write('POST', '/api/integrations/{mcpId}/disconnect', 'integrations', 4 * KB),
  'integrations.refresh': write('POST', '/api/integrations/{mcpId}/refresh', 'integrations', 4 * KB),

  'customTools.list': read('/api/custom-tools', 'integrations'),
  'customTools.add': write('POST', '/api/custom-tools', 'integrations', 128 * KB),
  'customTools.test': write('POST', '/api/custom-tool-test', 'integrations', 128 * KB),
  'customTools.setKey': write('POST', '/api/custom-tools/{toolId}/key', 'integrations', 64 * KB),
  'customTools.remove': write('DELETE', '/api/custom-tools/{toolId}', 'integrations'),

  'tools.list': read('/api/tools', 'tools'),
  'tools.ledger': read('/api/tools/ledger', 'tools'),
  'tools.clearLedger': write('DELETE', '/api/tools/ledger', 'tools'),
  'tools.allowed': read('/api/tools/allowed', 'tools'),
  'tools.revoke': write('DELETE', '/api/tools/allowed/{toolId}', 'tools'),

  'schedules.list': read('/api/schedules', 'tools'),
  'schedules.create': write('POST', '/api/schedules', 'tools', 64 * KB),
  'schedules.read': read('/api/schedules/{scheduleId}', 'tools'),
  'schedules.update': write('PATCH', '/api/schedules/{scheduleId}', 'tools', 64 * KB),
  'schedules.delete': write('DELETE', '/api/schedules/{scheduleId}', 'tools'),
  'schedules.run': write('POST', '/api/schedules/{scheduleId}/run', 'tools', 4 * KB),

  'apps.open': write('POST', '/api/apps/open', 'tools', 4 * KB),
  'apps.call': write('POST', '/api/apps/call', 'tools', 256 * KB),

  'drive.list': read('/api/drive-files', 'tools'),
  // the id in the body: API Gateway's template has room for few paths
  'drive.upload': write('POST', '/api/drive-files', 'tools', 4 * KB),

  'account.read': { ...read('/api/account', 'account'), withoutTwoFactor: true },
  'account.save': write('PATCH', '/api/account', 'account', 4 * KB),
  'account.settings': write('PATCH', '/api/account/settings', 'account', 4 * KB),
  'account.avatar': read('/api/account/avatars/{avatarId}', 'account'),
  'account.uploadAvatar': write('POST', '/api/account/avatars', 'account', 96 * KB),
  'account.usage': read('/api/account/usage', 'account'),
  'account.storedData': read('/api/account/held', 'account'),
  'account.export': write('POST', '/api/account/export', 'account', 4 * KB),
  'account.forgetConversations': write('DELETE', '/api/account/conversations', 'account'),
  'account.signOutEverywhere': {
    ...write('POST', '/api/account/sign-out', 'account', 4 * KB),
    withoutTwoFactor: true,
  },
  'account.erase': {
    ...write('POST', '/api/account/erase', 'account', 4 * KB),
    whileErasing: true,
    withoutTwoFactor: true,
  },

  // beside the settings that say what about
  'push.key': read('/api/push', 'account'),
  'push.subscribe': write('POST', '/api/push', 'account', 8 * KB),
  'push.unsubscribe': write('DELETE', '/api/push', 'account', 4 * KB),
  // while nobody sees a page, browsers are told
  'push.pageOpen': write('PATCH', '/api/push', 'account', 4 * KB),

  'memory.list': read('/api/memories', 'account'),
  'memory.add': write('POST', '/api/memories', 'account', 4 * KB),
  'memory.update': write('PATCH', '/api/memories/{memoryId}', 'account', 4 * KB),
  'memory.delete': write('DELETE', '/api/memories/{memoryId}', 'account'),
  'memory.clear': write('DELETE', '/api/memories', 'account'),

  'mfa.setup': { ...write('POST', '/functions/v1/setup-2fa', 'mfa', 4 * KB), withoutTwoFactor: true },
  'mfa.verify': {
    ...write('POST', '/functions/v1/verify-2fa', 'mfa', 4 * KB),
    access: 'optional',
    withoutTwoFactor: true,
  },
  'mfa.status': { ...read('/api/two-factor', 'mfa'), withoutTwoFactor: true },

  'admin.users': adminRead('/api/admin/users'),
  'admin.user': adminRead('/api/admin/users/{userId}'),
  'admin.disableUser': adminWrite('POST', '/api/admin/users/{userId}/disable', 'admin'),
  'admin.enableUser': adminWrite('POST', '/api/admin/users/{userId}/enable', 'admin'),
  'admin.signOutUser': adminWrite('POST', '/api/admin/users/{userId}/sign-out', 'admin'),
  'admin.setGroups': adminWrite('POST', '/api/admin/users/{userId}/groups', 'admin'),
  'admin.resetTwoFactor': adminWrite('POST', '/api/admin/users/{userId}/reset-two-factor', 'mfa'),
  // called again until it is done
  'admin.deleteUser': adminWrite('POST', '/api/admin/users/{userId}/delete', 'account'),
  // their rows are those of users
  'admin.schedules': { ...adminRead('/api/admin/schedules'), functionName: 'account' },
  'admin.pauseSchedules': adminWrite('POST', '/api/admin/users/{userId}/schedules/pause', 'account'),
  'admin.resumeSchedules': adminWrite('POST', '/api/admin/users/{userId}/schedules/resume', 'account'),
  'admin.invitations': adminRead('/api/admin/invitations'),
  // up to 500 addresses
  'admin.invite': { ...adminWrite('POST', '/api/admin/invitations', 'admin'), maxBodyBytes: 128 * KB },
  'admin.resendInvitation': adminWrite('POST', '/api/admin/invitations/{invitationId}/resend', 'admin'),
  'admin.revokeInvitation': adminWrite('DELETE', '/api/admin/invitations/{invitationId}', 'admin'),
  'admin.groups': adminRead('/api/admin/groups'),
  'admin.createGroup': adminWrite('POST', '/api/admin/groups', 'admin'),
  'admin.updateGroup': adminWrite('PATCH', '/api/admin/groups/{groupName}', 'admin'),
  'admin.deleteGroup': adminWrite('DELETE', '/api/admin/groups/{groupName}', 'admin'),
  'admin.site': adminRead('/api/admin/site'),
  'admin.updateSite': adminWrite('PATCH', '/api/admin/site', 'admin'),
  'admin.usage': adminRead('/api/admin/usage'),
  'admin.feedback': adminRead('/api/admin/feedback'),
  'admin.audit': adminRead('/api/admin/audit'),
  // the catalogue's function may read the operator's apps already
  'admin.providerApps': { ...adminRead('/api/admin/provider-apps'), functionName: 'registry' },

  // the page shows it before anybody has signed in
  'site.read': { ...read('/api/site', 'shared'), access: 'public', limit: 'none' },
  health: healthRoute,
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes

/** The names of the routes that a function answers. */
export type FunctionRoutes<FunctionName extends ApiFunctionName> = {
  [Name in RouteName]: (typeof routes)[Name]['functionName'] extends FunctionName ? Name : never
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
