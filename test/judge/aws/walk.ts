import type { RouteName } from '#shared/routes.ts'
import { routes } from '#shared/routes.ts'
import type { CallResponse, RawParts } from '../../support/caller.ts'
import { importBody, pushBrowser } from '../../support/belongings.ts'
import { credentialsFor } from '../../support/provider-values.ts'
import { appCode, secretIn } from '../../support/two-factor.ts'

/** What earlier answers gave, for later requests. */
export interface WalkState {
  readonly origin: string
  /** an MCP server that needs no key */
  readonly mcpUrl: string
  /** another account, which is deleted at the end */
  readonly other: { id: string; email: string }
  readonly known: Record<string, string>
}

interface Step {
  readonly parts?: (state: WalkState) => RawParts | Promise<RawParts>
  /** the statuses that are right; 200 without it */
  readonly statuses?: readonly number[]
  /** gives later requests what they need */
  readonly keep?: (body: Record<string, unknown>, state: WalkState) => void | Promise<void>
}

const session = ({ known }: WalkState): RawParts => ({ params: { sessionId: known['sessionId'] ?? '' } })
const withBody =
  (params: (state: WalkState) => RawParts, body: object) =>
  (state: WalkState): RawParts => ({ ...params(state), body })
const only = (body: object) => () => ({ body })
const param =
  (name: string, from = name) =>
  ({ known }: WalkState): RawParts => ({ params: { [name]: known[from] ?? '' } })
const ofOther = ({ other }: WalkState): RawParts => ({ params: { userId: other.id } })
const idOf = (value: unknown): string => String((value as Record<string, unknown> | undefined)?.['id'])
const mcp = (mcpId: string) => (): RawParts => ({ params: { mcpId } })
const pushSubscription = pushBrowser('walk')
const importId = crypto.randomUUID()
const pixel =
  '/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q=='

/** Every route, in an order in which each finds what it needs. The type lets none be forgotten. */
const steps: Record<RouteName, Step> = {
  health: {},
  'account.read': {},
  'account.save': { parts: only({ display_name: 'Ann' }) },
  'account.settings': { parts: only({ memory: true }) },
  'account.uploadAvatar': {
    parts: only({ data: pixel }),
    keep: (body, { known }) => void (known['avatarId'] = String(body['avatar_id'])),
  },
  'account.avatar': { parts: param('avatarId') },
  'files.presign': {
    parts: only({ name: 'a.txt', type: 'text/plain', size: 5 }),
    keep: async (body, { known }) => {
      known['attachmentId'] = idOf(body['attachment'])
      const { url, fields } = body['upload'] as { url: string; fields: Record<string, string> }
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      form.append('file', new Blob(['hello']), 'a.txt')
      const { status } = await fetch(url, { method: 'POST', body: form })
      if (status !== 204) throw new Error(`the upload answered ${status}`)
    },
  },
  'files.complete': { parts: withBody(param('attachmentId'), {}) },
  'files.link': {
    parts: param('attachmentId'),
    keep: async ({ url }) => {
      const text = await (await fetch(String(url))).text()
      if (text !== 'hello') throw new Error(`the link gave ${text.slice(0, 100)}`)
    },
  },
  'files.list': {},
  'documents.analyze': {
    parts: ({ known }) => ({
      body: { file: { id: known['attachmentId'], name: 'a.txt' }, analysisType: 'analyze' },
    }),
  },
  // the file has no tables
  'documents.query': {
    parts: ({ known }) => ({
      body: {
        sql: 'SELECT 1',
        tables: [{ table: 'a', file_id: known['attachmentId'] ?? '', key: 't1' }],
        format: 'rows',
      },
    }),
    statuses: [404],
  },
  'chat.send': {
    parts: ({ known }) => {
      known['sessionId'] = crypto.randomUUID()
      known['messageId'] = crypto.randomUUID()
      return {
        body: {
          messages: [{ role: 'user', content: 'Hello there' }],
          sessionId: known['sessionId'],
          messageId: known['messageId'],
        },
      }
    },
  },
  'sessions.list': {},
  'sessions.read': {
    parts: session,
    keep: (body, { known }) => {
      const messages = body['messages'] as { role: string; id: string }[]
      known['replyId'] = messages.find(({ role }) => role === 'assistant')?.id ?? ''
    },
  },
  'runs.events': { parts: session, statuses: [200, 204, 404] },
  // no run is active, and no call waits
  'runs.stop': { parts: withBody(session, {}), statuses: [200, 404, 409] },
  'runs.answer': {
    parts: withBody(session, { runId: 'run', callId: 'call', approved: true }),
    statuses: [404, 409],
  },
  'runs.checkTask': { parts: withBody(session, { runId: 'run', callId: 'call' }), statuses: [404, 409] },
  'sessions.update': { parts: withBody(session, { title: 'Renamed', pinned: true }) },
  'sessions.showVersion': {
    parts: ({ known, ...rest }) => ({
      ...session({ known, ...rest }),
      body: { message_id: known['messageId'], version: 1 },
    }),
  },
  'sessions.copy': {
    parts: ({ known, ...rest }) => ({
      ...session({ known, ...rest }),
      body: { message_id: known['messageId'] },
    }),
  },
  'sessions.rate': {
    parts: ({ known }) => ({
      params: { sessionId: known['sessionId'] ?? '', messageId: known['replyId'] ?? '' },
      body: { feedback: { rating: 'up', text: 'Good', readable: true } },
    }),
  },
  'sessions.export': { parts: session },
  'sessions.corpus': {},
  'projects.create': {
    parts: only({ name: 'Thesis' }),
    keep: (body, { known }) => void (known['projectId'] = idOf(body['project'])),
  },
  'projects.list': {},
  'projects.read': { parts: param('projectId') },
  'projects.update': { parts: withBody(param('projectId'), { instructions: 'Be brief.' }) },
  'assistants.publish': {
    parts: withBody(param('projectId'), { audience: 'everyone' }),
    keep: (body, { known }) => void (known['assistantId'] = idOf(body['assistant'])),
  },
  'assistants.list': {},
  'assistants.copy': { parts: withBody(param('assistantId'), {}) },
  'assistants.withdraw': { parts: param('assistantId') },
  'prompts.create': {
    parts: only({ name: 'Brief', text: 'In one sentence:' }),
    keep: (body, { known }) => void (known['promptId'] = idOf(body['prompt'])),
  },
  'prompts.list': {},
  'prompts.update': { parts: withBody(param('promptId'), { name: 'Brief', text: 'In two sentences:' }) },
  'prompts.delete': { parts: param('promptId') },
  'projects.delete': { parts: param('projectId') },
  'models.list': {},
  // the deployment names no model for it
  'speech.transcribe': { parts: only({}), statuses: [400, 404, 415] },
  'imports.add': { parts: only(importBody(importId, 'Rome')) },
  'imports.list': {},
  'waiting.list': {},
  'imports.undo': { parts: () => ({ params: { importId } }) },
  'shares.create': {
    parts: withBody(session, { days: 7 }),
    keep: (body, { known }) => {
      const share = body['share'] as Record<string, unknown>
      known['shareId'] = idOf(share)
      known['secret'] =
        String(share['url'] ?? share['secret'])
          .split(/[#/]/)
          .at(-1) ?? ''
    },
  },
  'shares.list': {},
  'shares.view': { parts: ({ known }) => ({ body: { secret: known['secret'] } }) },
  'shares.revoke': { parts: param('shareId') },
  'memory.add': {
    parts: only({ text: 'Likes tea' }),
    keep: (body, { known }) => void (known['memoryId'] = idOf(body['memory'])),
  },
  'push.key': {},
  'push.pageOpen': { parts: only({ language: 'en' }) },
  'push.subscribe': { parts: only(pushSubscription) },
  'push.unsubscribe': { parts: only({ endpoint: pushSubscription.endpoint }) },
  'schedules.create': {
    parts: only({ prompt: 'Say hello', rule: { kind: 'daily', time: '08:00' }, time_zone: 'Europe/Berlin' }),
    keep: (body, { known }) => void (known['scheduleId'] = idOf(body['schedule'])),
  },
  'schedules.list': {},
  'schedules.read': { parts: param('scheduleId') },
  'schedules.update': { parts: withBody(param('scheduleId'), { prompt: 'Say good morning' }) },
  'schedules.run': { parts: param('scheduleId') },
  'schedules.delete': { parts: param('scheduleId') },
  'memory.list': {},
  'memory.update': { parts: withBody(param('memoryId'), { text: 'Likes coffee', version: 1 }) },
  'memory.delete': { parts: param('memoryId') },
  'memory.clear': {},
  'registry.sync': { parts: only({ trigger: 'manual' }) },
  'registry.refresh': { parts: only({ kind: 'github' }) },
  'registry.page': {
    keep: (body, { known }) =>
      void (known['entryId'] = idOf((body['entries'] as unknown[] | undefined)?.[0])),
  },
  'registry.search': { parts: () => ({ query: { term: 'notion' } }) },
  'registry.status': {},
  'registry.one': { parts: () => ({ params: { entryId: 'notion' } }) },
  'integrations.connect': {
    parts: () => ({
      ...mcp('twilio')(),
      body: { credentials: credentialsFor('twilio'), environment: 'production' },
    }),
  },
  'integrations.list': {},
  'credentials.manage': { parts: only({ action: 'retrieve', mcpId: 'twilio' }) },
  'oauth.handle': {
    parts: ({ origin }) => ({
      body: {
        action: 'initiate',
        mcpId: 'gmail',
        clientId: 'demo',
        clientSecret: 'demo',
        environment: 'production',
        redirectUri: `${origin}/oauth/callback`,
      },
    }),
    // the double redirects to this machine only, so nobody consents here; test/api has the whole flow
    keep: ({ authUrl }, { origin }) => {
      const asked = new URL(String(authUrl)).searchParams
      if (!asked.get('state') || asked.get('redirect_uri') !== `${origin}/oauth/callback`)
        throw new Error(`no sign-in at ${String(authUrl)}`)
    },
  },
  // refresh_impossible: a key is not renewed
  'integrations.refresh': { parts: withBody(mcp('twilio'), {}), statuses: [409] },
  'integrations.cleanup': { parts: only({}) },
  'customTools.test': {
    parts: ({ mcpUrl }) => ({ body: { config: { serverUrl: mcpUrl, apiKey: 'key-1', customFields: {} } } }),
  },
  'customTools.add': {
    parts: ({ mcpUrl }) => ({
      body: {
        name: 'Tables',
        description: 'A server',
        config: { serverUrl: mcpUrl, apiKey: 'key-1', customFields: {} },
      },
    }),
    keep: (body, { known }) => {
      known['toolId'] = idOf(body['tool'])
    },
  },
  'customTools.list': {},
  'customTools.setKey': { parts: withBody(param('toolId'), { apiKey: 'key-2' }) },
  'tools.list': {},
  // the server has no app
  'apps.open': {
    parts: ({ known }) => ({ body: { mcp_id: known['toolId'], tool: 'free_tables' } }),
    // app_not_shown, told as a fault of the server
    statuses: [502],
  },
  'apps.call': {
    parts: ({ known }) => ({ body: { mcp_id: known['toolId'], name: 'free_tables', arguments: {} } }),
    statuses: [200, 403, 404],
  },
  // nobody has connected a drive
  'drive.list': { parts: () => ({ query: {} }), statuses: [409] },
  'drive.upload': { parts: only({ file_id: 'file-1' }), statuses: [409] },
  'tools.ledger': {},
  'tools.clearLedger': {},
  'tools.allowed': {},
  'tools.revoke': { parts: () => ({ params: { toolId: 'none' } }), statuses: [200, 404] },
  'customTools.remove': { parts: param('toolId') },
  'integrations.disconnect': { parts: withBody(mcp('twilio'), {}) },
  'mfa.status': {},
  'mfa.setup': {
    parts: only({ action: 'generate' }),
    keep: (body, { known }) => void (known['token'] = appCode(secretIn(String(body['qrCodeUrl'])))),
  },
  // with a wrong code: the factor is not set up yet
  'mfa.verify': { parts: only({ token: '000000' }), statuses: [400, 401, 403, 404, 409] },
  'account.usage': {},
  'account.storedData': {},
  'account.export': { parts: only({}) },
  'admin.users': {},
  'admin.user': { parts: ofOther },
  'admin.schedules': {},
  'admin.pauseSchedules': { parts: ofOther },
  'admin.resumeSchedules': { parts: ofOther },
  'admin.groups': {},
  'admin.createGroup': {
    parts: only({ name: 'staff', description: 'Staff' }),
    keep: (body, { known }) => {
      known['version'] = String((body['group'] as Record<string, unknown>)['version'])
    },
  },
  'admin.updateGroup': {
    parts: ({ known }) => ({
      params: { groupName: 'staff' },
      body: { description: 'All', version: Number(known['version']) },
    }),
  },
  'admin.setGroups': { parts: withBody(ofOther, { add: ['staff'], remove: [] }) },
  'admin.invite': {
    parts: only({ email: 'judge-invited@example.com', days: 7 }),
    keep: (body, { known }) => void (known['invitationId'] = idOf(body['invitation'])),
  },
  'admin.invitations': {},
  'admin.resendInvitation': { parts: param('invitationId') },
  'admin.revokeInvitation': { parts: param('invitationId') },
  'admin.usage': {},
  'admin.feedback': {},
  'admin.site': {},
  'admin.updateSite': { parts: only({ notice: { text: 'Judged now' } }) },
  'site.read': {},
  'admin.audit': {},
  'admin.assistants': {},
  'admin.providerApps': {},
  'admin.resetTwoFactor': { parts: ofOther },
  'admin.signOutUser': { parts: ofOther },
  'admin.disableUser': { parts: ofOther },
  'admin.enableUser': { parts: ofOther },
  'admin.deleteUser': {
    parts: ({ other }) => ({ params: { userId: other.id }, body: { confirm: other.email } }),
  },
  'admin.deleteGroup': { parts: () => ({ params: { groupName: 'staff' } }) },
  'files.delete': { parts: param('attachmentId') },
  'sessions.deleteTurn': {
    parts: ({ known }) => ({
      params: { sessionId: known['sessionId'] ?? '', messageId: known['messageId'] ?? '' },
    }),
  },
  'sessions.delete': { parts: session },
  'account.forgetConversations': {},
  'account.signOutEverywhere': { parts: only({}) },
  // the token ended with the sign-out; the smoke test and the end of the judge erase accounts
  'account.erase': { parts: only({ confirm: 'DELETE' }), statuses: [200, 401] },
}

export type Send = (route: RouteName, parts?: RawParts) => Promise<CallResponse>

/** Walks through all routes. @param tell gets each route with what is wrong, or undefined */
export async function walkRoutes(
  send: Send,
  state: WalkState,
  tell: (name: RouteName, status: number, problem: string | undefined) => void,
): Promise<void> {
  for (const [name, { parts, statuses = [200], keep }] of Object.entries(steps) as [RouteName, Step][]) {
    let status = 0
    try {
      const response = await send(name, await parts?.(state))
      status = response.status
      if (!statuses.includes(status)) throw new Error(JSON.stringify(response.body).slice(0, 300))
      await keep?.(response.body as Record<string, unknown>, state)
      tell(name, status, undefined)
    } catch (error) {
      tell(name, status, `answered ${status}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

/** Calls what others must not reach, with ids of the account that walks. @returns what was not refused */
export async function walkRefusals(
  senders: { stranger: Send; visitor: Send },
  state: WalkState,
): Promise<{ refused: number; open: string[] }> {
  const open: string[] = []
  let refused = 0
  for (const [name, { parts }] of Object.entries(steps) as [RouteName, Step][]) {
    const { access, path } = routes[name]
    const check = async (who: keyof typeof senders, expected: readonly number[]) => {
      const { status } = await senders[who](name, await parts?.({ ...state, known: { ...state.known } }))
      if (expected.includes(status)) refused += 1
      else open.push(`${who} at ${name}: ${status}`)
    }
    if (access === 'user' || access === 'admin') await check('visitor', [401])
    if (access === 'admin') await check('stranger', [403])
    // ids of another's are unknown ones; an unknown memory is already deleted
    else if (
      /sessionId|attachmentId|toolId|memoryId|shareId|avatarId/.test(path) &&
      !/allowed|run\//.test(path)
    )
      await check('stranger', name === 'memory.delete' ? [200] : [404])
  }
  return { refused, open }
}
