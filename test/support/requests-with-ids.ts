import type { RouteName } from '#shared/routes.ts'
import { importBody, pushBrowser, type Identifiers } from './belongings.ts'

/** What `StackUser.send` sends besides the route. */
export interface RequestParts {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
}

const webp = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1').toString('base64')
const encodeCursor = (position: unknown[]) => Buffer.from(JSON.stringify(position)).toString('base64url')
const corpusCursor = (sessionId: string) => encodeCursor(['2026-11-20T00:00:00.000Z', sessionId, '000001#1'])
/** Before all conversations. */
const listCursor = (sessionId: string) => encodeCursor([false, '9999-12-31T00:00:00.000Z', sessionId])

/**
 * For every route, requests with another user's identifiers in every position where the route accepts one. A new route needs an
 * entry here: the tenancy tests fail without one.
 * @param origin of the product
 */
export function listRequestsWithIds(
  ids: Identifiers,
  origin: string,
): Record<RouteName, readonly RequestParts[]> {
  const { sessionId, waitingId, runId, callId, attachmentId, unfinishedId, customToolId } = ids
  const redirect = `${origin}/oauth/callback`
  const sessions = [sessionId, waitingId].map((id) => ({ params: { sessionId: id } }))
  const withBody = (body: unknown) => sessions.map((request) => ({ ...request, body }))
  const attachments = [attachmentId, unfinishedId].map((id) => ({ params: { attachmentId: id } }))
  const connections = ['notion', 'gmail', customToolId]
  const say = (more: object, attached: object[] = []) => ({
    body: { messages: [{ role: 'user', content: '/echo Hi', attachments: attached }], ...more },
  })
  const disabledTools = [{ mcp_id: customToolId }, { mcp_id: customToolId, tool: 'notes_echo' }]
  const file = { name: 'a.txt', type: 'text/plain', size: 1 }
  const analyze = (more: object, userId?: string) => ({
    body: { file: { ...file, ...more }, analysisType: 'analyze', ...(userId && { userId }) },
  })
  const schedule = { prompt: 'Taken over', rule: { kind: 'daily', time: '08:00' }, time_zone: 'UTC' }
  const tool = {
    name: customToolId,
    description: '',
    config: { serverUrl: '', apiKey: 'k', customFields: {} },
  }
  return {
    'admin.users': [{ query: { query: ids.email } }],
    'admin.user': [{ params: { userId: ids.sub } }],
    'admin.disableUser': [{ params: { userId: ids.sub } }],
    'admin.enableUser': [{ params: { userId: ids.sub } }],
    'admin.signOutUser': [{ params: { userId: ids.sub } }],
    'admin.setGroups': [{ params: { userId: ids.sub }, body: { add: ['admins'], remove: [] } }],
    'admin.resetTwoFactor': [{ params: { userId: ids.sub } }],
    'admin.deleteUser': [{ params: { userId: ids.sub }, body: { confirm: ids.email } }],
    'admin.schedules': [{}],
    'admin.pauseSchedules': [{ params: { userId: ids.sub } }],
    'admin.resumeSchedules': [{ params: { userId: ids.sub } }],
    'admin.invitations': [{}],
    'admin.invite': [{ body: { email: ids.email, groups: ['admins'] } }],
    'admin.resendInvitation': [{ params: { invitationId: ids.sub } }],
    'admin.revokeInvitation': [{ params: { invitationId: ids.sub } }],
    'admin.groups': [{}],
    'admin.createGroup': [{ body: { name: 'staff' } }],
    'admin.updateGroup': [{ params: { groupName: 'staff' }, body: { version: 1 } }],
    'admin.deleteGroup': [{ params: { groupName: 'staff' } }],
    'admin.site': [{}],
    'admin.updateSite': [{ body: { replies: 'off' } }],
    'admin.usage': [{ query: { month: '2026-11' } }],
    'admin.feedback': [{ query: { month: '2026-11' } }],
    'admin.audit': [{}],
    'admin.providerApps': [{}],
    'admin.assistants': [{}],
    'chat.send': [
      say({ sessionId, messageId: ids.messageId }),
      say({ sessionId: waitingId, messageId: ids.messageId, replaces: ids.messageId }),
      say({ sessionId, continues: true }),
      say({}, [{ id: attachmentId }]),
      say({ sessionId: crypto.randomUUID() }, [{ id: attachmentId, url: ids.fileUrl }]),
      say({}, [{ id: unfinishedId }]),
      say({
        connectedTools: [
          { mcp_id: 'gmail', mcp_name: 'Gmail' },
          { mcp_id: customToolId, mcp_name: 'x' },
        ],
      }),
      say({ disabledTools }),
      say({ project_id: ids.projectId }),
      say({ assistant_id: ids.assistantId }),
      say({ sessionId: crypto.randomUUID(), assistant_id: ids.assistantId }),
      say({ sessionId: crypto.randomUUID(), project_id: ids.projectId }),
    ],
    'runs.events': sessions.flatMap((request) => [
      { ...request, headers: { accept: 'text/event-stream' } },
      { ...request, headers: { accept: 'text/event-stream', 'last-event-id': '1' } },
    ]),
    'runs.stop': withBody({ runId }),
    'runs.answer': [true, false].flatMap((approved) =>
      withBody({ runId, callId, approved, always: approved }),
    ),
    'runs.checkTask': withBody({ runId, callId }),
    'sessions.list': [
      {},
      { query: { project_id: ids.projectId } },
      ...[sessionId, waitingId].map((id) => ({ query: { cursor: listCursor(id) } })),
    ],
    'sessions.read': [
      ...sessions,
      ...sessions.map((request) => ({ ...request, query: { before: '000002#1' } })),
    ],
    'sessions.delete': sessions,
    'sessions.update': [{ title: 'Taken over' }, { project_id: ids.projectId }].flatMap(withBody),
    'sessions.showVersion': [{}, { version: 1 }].flatMap((more) =>
      withBody({ message_id: ids.messageId, ...more }),
    ),
    'sessions.copy': withBody({ message_id: ids.messageId }),
    'sessions.deleteTurn': sessions.map(({ params }) => ({
      params: { ...params, messageId: ids.messageId },
    })),
    'sessions.rate': sessions.map(({ params }) => ({
      params: { ...params, messageId: ids.replyId },
      body: { feedback: { rating: 'up' } },
    })),
    'sessions.export': ['markdown', 'json'].flatMap((format) =>
      sessions.map((one) => ({ ...one, query: { format } })),
    ),
    'sessions.corpus': [{}, ...[sessionId, waitingId].map((id) => ({ query: { cursor: corpusCursor(id) } }))],
    'imports.add': [{ body: importBody(ids.importId, 'Mine', [attachmentId, unfinishedId]) }],
    'imports.list': [{}],
    'imports.undo': [{ params: { importId: ids.importId } }],
    'speech.transcribe': [{}],
    'models.list': [{}],
    'assistants.publish': [
      { params: { projectId: ids.projectId }, body: { audience: 'everyone' } },
      { params: { projectId: ids.projectId }, body: { audience: { groups: ['staff'] } } },
    ],
    'assistants.list': [{}],
    'assistants.copy': [{ params: { assistantId: ids.assistantId }, body: {} }],
    'assistants.withdraw': [{ params: { assistantId: ids.assistantId } }],
    'projects.list': [{}],
    'projects.create': [{ body: { id: ids.projectId, name: 'Taken over' } }],
    'projects.read': [{ params: { projectId: ids.projectId } }],
    'projects.update': [
      { name: 'Taken over' },
      { add_files: [attachmentId] },
      { remove_files: [attachmentId] },
    ].map((body) => ({ params: { projectId: ids.projectId }, body })),
    'projects.delete': ['keep', 'delete'].map((conversations) => ({
      params: { projectId: ids.projectId },
      query: { conversations },
    })),
    'prompts.list': [{}],
    'prompts.create': [
      { body: { id: ids.promptId, name: 'Taken over', text: 'Taken over', project_id: ids.projectId } },
      { body: { id: ids.promptId, name: 'Taken over', text: 'Taken over' } },
    ],
    'prompts.update': [{ params: { promptId: ids.promptId }, body: { name: 'Taken over', text: 'Taken' } }],
    'prompts.delete': [{ params: { promptId: ids.promptId } }],
    'shares.create': withBody({ days: 7 }),
    'shares.list': [{}],
    'waiting.list': [{}],
    'shares.revoke': [{ params: { shareId: ids.shareId } }],
    'shares.view': [sessionId, ids.shareId].map((secret) => ({ body: { secret } })),
    'files.presign': [{ body: file }],
    'files.complete': attachments,
    'files.link': attachments,
    'files.list': [{}],
    'files.delete': attachments,
    'documents.analyze': [
      analyze({ id: attachmentId }),
      analyze({ url: ids.fileUrl }),
      analyze({ id: attachmentId, url: ids.fileUrl }, ids.sub),
    ],
    'documents.query': (['rows', 'csv'] as const).map((format) => ({
      body: { sql: 'SELECT * FROM x', tables: [{ table: 'x', file_id: attachmentId, key: 't1' }], format },
    })),
    'credentials.manage': [
      ...connections.flatMap((mcpId) => [
        { body: { action: 'retrieve', mcpId } },
        { body: { action: 'update', mcpId, credentials: { apiKey: 'taken over' } } },
        { body: { action: 'delete', mcpId } },
      ]),
      { body: { action: 'store', mcpId: customToolId, credentials: { apiKey: 'taken over' } } },
    ],
    'oauth.handle': [
      { body: { action: 'exchange', code: ids.code, state: ids.state, redirect_uri: redirect } },
      {
        body: {
          action: 'callback',
          code: ids.code,
          state: ids.state,
          mcpId: 'asana',
          redirectUri: redirect,
        },
      },
      { body: { action: 'initiate', mcpId: customToolId, redirectUri: redirect } },
      { body: { action: 'refresh', mcpId: 'gmail' } },
      { body: { action: 'refresh', mcpId: customToolId } },
    ],
    'registry.sync': [{ body: {} }],
    'registry.refresh': [{ body: { kind: 'refresh' } }],
    'registry.page': [{ query: { limit: '1' } }],
    'registry.search': [{ query: { term: ids.sub } }, { query: { term: customToolId } }],
    'registry.status': [{}],
    'registry.one': [{ params: { entryId: customToolId } }],
    'integrations.list': [{}],
    'integrations.cleanup': [{ body: {} }],
    'integrations.connect': [{ params: { mcpId: customToolId }, body: { credentials: { apiKey: 'k' } } }],
    'integrations.disconnect': connections.map((mcpId) => ({ params: { mcpId }, body: {} })),
    'integrations.refresh': connections.map((mcpId) => ({ params: { mcpId }, body: {} })),
    'customTools.list': [{}],
    'customTools.add': [{ body: tool }],
    'customTools.test': [{ body: { config: tool.config } }],
    'customTools.setKey': [{ params: { toolId: customToolId }, body: { apiKey: 'another-key' } }],
    'customTools.remove': [{ params: { toolId: customToolId } }],
    'schedules.list': [{}],
    'schedules.create': [
      { id: ids.scheduleId },
      { project_id: ids.projectId },
      { assistant_id: ids.assistantId },
      { writes: ['notes_echo'] },
    ].map((more) => ({ body: { ...schedule, ...more } })),
    'schedules.read': [{ params: { scheduleId: ids.scheduleId } }],
    'schedules.update': [{ prompt: 'Taken over' }, { paused: true }].map((body) => ({
      params: { scheduleId: ids.scheduleId },
      body,
    })),
    'schedules.delete': [{ params: { scheduleId: ids.scheduleId } }],
    'schedules.run': [{ params: { scheduleId: ids.scheduleId } }],
    'tools.list': [{}],
    'tools.ledger': [{}, { query: { before: ids.ledgerId } }],
    'tools.clearLedger': [{}],
    'tools.allowed': [{}],
    'tools.revoke': [{ params: { toolId: ids.allowedToolId } }],
    'drive.list': [{ query: {} }],
    'drive.upload': [{ body: { file_id: 'file-1' } }],
    'apps.open': [{ body: { mcp_id: customToolId, tool: 'notes_echo' } }],
    'apps.call': [
      { body: { mcp_id: customToolId, name: 'echo', arguments: {} } },
      { body: { mcp_id: customToolId, name: 'echo', arguments: {}, disabledTools } },
    ],
    'account.read': [{}],
    'account.save': [{ body: { avatar_id: ids.avatarId } }],
    'account.settings': [{ body: { keep_conversations: true, store_uploads: true, theme: 'light' } }],
    'account.avatar': [{ params: { avatarId: ids.avatarId } }],
    'account.uploadAvatar': [{ body: { data: webp } }],
    'account.usage': [{}],
    'account.storedData': [{}],
    'account.export': [{ body: {} }],
    'push.key': [{}],
    'push.subscribe': [{ body: { ...pushBrowser('x'), endpoint: ids.pushEndpoint } }],
    'push.pageOpen': [{ body: { language: 'en' } }],
    'push.unsubscribe': [{ body: { endpoint: ids.pushEndpoint } }],
    'memory.list': [{}],
    'memory.add': [{ body: { id: ids.memoryId, text: 'Taken over' } }],
    'memory.update': [{ params: { memoryId: ids.memoryId }, body: { text: 'Taken over', version: 1 } }],
    'memory.delete': [{ params: { memoryId: ids.memoryId } }],
    'memory.clear': [{}],
    'mfa.setup': [{ body: { action: 'disable', token: ids.backupCode, isBackupCode: true } }],
    'mfa.verify': [{ body: { token: ids.backupCode, isBackupCode: true } }],
    'mfa.status': [{}],
    'site.read': [{}],
    health: [{}],
    // requests that delete the user's own account come last
    'account.forgetConversations': [{}],
    'account.erase': [{ body: { confirm: 'DELETE' } }],
    'account.signOutEverywhere': [{ body: {} }],
  }
}
