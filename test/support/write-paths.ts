import { setTimeout as sleep } from 'node:timers/promises'
import { replyNotStored } from '#shared/chat-texts.ts'
import { streamEnd } from '#shared/chat-events.ts'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { RouteName } from '#shared/routes.ts'
import { connectProvider } from './connect-provider.ts'
import type { InProcessProduct } from './in-process-product.ts'
import { downloadExport } from './download-export.ts'
import { decideConsent, buildExchange } from './provider-consent.ts'
import { ask } from './read-along.ts'
import type { CallResponse } from './caller.ts'
import type { StackUser } from './stack-user.ts'
import { appCode, enrol, secretIn } from './two-factor.ts'
import { analyze, postFile, presign, uploadFile } from './upload.ts'
import { webpOf } from './webp-of.ts'

export interface PathContext {
  product: InProcessProduct
  user: StackUser
}

/**
 * A user's operation that writes data: prepared without faults, run once with or without a fault, and repeated when that failed.
 */
export interface WritePath<Made = unknown> {
  /** prepares the user, once for all runs of the path */
  arrange?(context: PathContext): Promise<unknown>
  /** every run needs a separate user */
  ownUser?: boolean
  /** how long the user waits before a repetition; by default long enough for automatic clean-up */
  repeatAfterMs?: number
  /** prepares one run; returns what the run is about */
  make(context: PathContext): Promise<Made>
  /** @throws when the user is shown that it failed */
  go(context: PathContext, made: Made): Promise<unknown>
  /** the repetition, if it differs from `go` */
  again?(context: PathContext, made: Made): Promise<unknown>
  /** missing data of an acknowledged run of the path */
  missing?(context: PathContext, made: Made): Promise<string[]>
  /** data that is missing or left over after any run, once automatic clean-up had time */
  always?(context: PathContext, made: Made): Promise<string[]>
}

const path = <Made>(one: WritePath<Made>) => one

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkM+M/AAUAAhgBWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const textFile = () => ({ name: `${crypto.randomUUID()}.txt`, type: 'text/plain', content: 'Buy milk.' })
const webp = () => webpOf(['VP8 ', crypto.randomUUID()]).toString('base64')

class Refused extends Error {}

function requireSuccess({ status, body }: CallResponse): CallResponse {
  const { success } = (body ?? {}) as { success?: boolean }
  if (status >= 200 && status < 300 && success !== false) return { status, body, headers: new Headers() }
  throw new Refused(`${status} ${JSON.stringify(body).slice(0, 200)}`)
}
const send = async (user: StackUser, name: RouteName, parts: Parameters<StackUser['send']>[1] = {}) =>
  requireSuccess(await user.send(name, parts))
/** A 404 counts as deleted. */
const ignoreNotFound = async (sending: Promise<unknown>) => {
  try {
    await sending
  } catch (error) {
    if (!(error instanceof Refused && error.message.startsWith('404'))) throw error
  }
}

interface SentMessage {
  body: ChatRequest & { sessionId: string; messageId: string }
  /** the beginning of the response has arrived, which acknowledges the message, without a notice that it was not saved */
  acknowledged?: boolean
}

const question = (content: string, more: Partial<ChatRequest> = {}): SentMessage => ({
  body: {
    messages: [{ role: 'user', content }],
    sessionId: crypto.randomUUID(),
    messageId: crypto.randomUUID(),
    ...more,
  } as SentMessage['body'],
})

const readConversation = (user: StackUser, { sessionId }: SentMessage['body']) =>
  user.send('sessions.read', { params: { sessionId } }).then(({ status, body }) => {
    const { messages = [], run } = (status === 200 ? body : {}) as {
      messages?: { id: string; role: string; content: string; ended?: string; attachments: unknown[] }[]
      run?: { status: string; run_id: string; questions?: { call_id: string }[] } | null
    }
    return { messages, run: run ?? undefined }
  })

const converse = async (user: StackUser, content = 'Hello', more: Partial<ChatRequest> = {}) => {
  const message = question(content, more)
  await send(user, 'chat.send', { body: message.body })
  return message
}

/** Sends a message as the page does, and reads its reply to the end. */
async function streamReply({ user }: PathContext, message: SentMessage): Promise<void> {
  const reading = ask(user, message.body)
  const received = await reading.finished.finally(() => {
    const unsaved = reading.received.some(
      ({ event }) => event !== streamEnd && event.type === 'error' && event.code === replyNotStored.code,
    )
    message.acknowledged ||= reading.received.length > 0 && !unsaved
  })
  const finish = received.find(({ event }) => event !== streamEnd && event.type === 'finish')?.event
  const { success, error } = (
    finish && finish !== streamEnd && finish.type === 'finish' ? finish.messageMetadata : {}
  ) as { success?: boolean; error?: string | null }
  const waits = received.some(
    ({ event }) => event !== streamEnd && event.type === 'data-run' && event.data.status === 'waiting',
  )
  if (!waits && !(success && received.at(-1)?.event === streamEnd))
    throw new Refused(`reply: ${error ?? 'cut'}`)
}
const sendForJson = ({ user }: PathContext, { body }: SentMessage) => send(user, 'chat.send', { body })

async function findMissingReply({ user }: PathContext, { body }: SentMessage): Promise<string[]> {
  const { messages } = await readConversation(user, body)
  const at = messages.findIndex(({ id }) => id === body.messageId)
  if (at < 0) return ['the message']
  const reply = messages[at + 1]
  return reply?.role === 'assistant' && reply.content !== '' ? [] : ['the reply']
}

async function findLostMessage(
  { user }: PathContext,
  { body, acknowledged }: SentMessage,
): Promise<string[]> {
  if (!acknowledged) return []
  const { messages } = await readConversation(user, body)
  return messages.filter(({ id }) => id === body.messageId).length === 1
    ? []
    : ['a message whose answer had begun']
}

const turn = (
  make: WritePath<SentMessage>['make'],
  more: Partial<WritePath<SentMessage>> = {},
): WritePath<SentMessage> => ({
  make,
  go: streamReply,
  missing: findMissingReply,
  always: findLostMessage,
  ...more,
})

const countMailsTo = async (user: StackUser, to: string): Promise<number> => {
  const { body } = await send(user, 'chat.send', {
    body: { messages: [{ role: 'user', content: `Show my recent emails to ${to}` }] },
  })
  return JSON.stringify((body as { toolCalls: unknown }).toolCalls).split(`"to":"${to}"`).length - 1
}
const mailRequest = (to: string) =>
  question(`Send an email to ${to} with the subject "Lunch" saying "Shall we meet at noon?"`)
const searchRequest = () => question('Search the items for launch')
const newAddress = () => `${crypto.randomUUID()}@example.org`

const findWaitingQuestion = async ({ user }: PathContext, { body }: SentMessage) => {
  const { run } = await readConversation(user, body)
  const callId = run?.questions?.[0]?.call_id
  return run?.status === 'waiting' && callId ? { runId: run.run_id, callId } : undefined
}

/** The path of an approval: a request waits, and the user approves it. */
const approval = ({
  arrange,
  request,
  always,
}: {
  arrange: WritePath['arrange'] & {}
  request: (to: string) => SentMessage
  /** @param approvals how often the user has approved it */
  always?: (context: PathContext, to: string, approvals: number) => Promise<string[]>
}) => {
  const approve = async (context: PathContext, made: { message: SentMessage; approvals: number }) => {
    const { body } = made.message
    const waits = await findWaitingQuestion(context, { body })
    if (!waits) return undefined
    made.approvals += 1
    const params = { sessionId: body.sessionId }
    return send(context.user, 'runs.answer', { params, body: { ...waits, approved: true } })
  }
  return path({
    arrange,
    async make(context: PathContext) {
      const to = newAddress()
      const message = request(to)
      await streamReply(context, message)
      return { to, message, approvals: 0 }
    },
    async go(context, made) {
      if (!(await approve(context, made))) throw new Refused('nothing waits')
    },
    async again(context, made) {
      if (await approve(context, made)) return
      // the continued reply was interrupted: the page offers to send the message again, which may need another approval
      await streamReply(context, made.message)
      await approve(context, made)
    },
    missing: async (context, { message }) => {
      const { messages } = await readConversation(context.user, message.body)
      return messages.at(-1)?.role === 'assistant' ? [] : ['the reply']
    },
    always: async (context, { message, to, approvals }) => [
      ...(await findLostMessage(context, message)),
      ...((await always?.(context, to, approvals)) ?? []),
    ],
  })
}

const redirectUri = ({ product }: PathContext) => `${product.origin}/oauth/callback`
const oauth = (context: PathContext, body: object) => send(context.user, 'oauth.handle', { body })
const findConnection = async ({ user }: PathContext, mcpId: string) =>
  (await user.call('integrations.list')).integrations.find(({ mcp_id }) => mcp_id === mcpId)
const findMissingConnection = (mcpId: string) => async (context: PathContext) =>
  (await findConnection(context, mcpId))?.token_status === 'active' ? [] : ['an active connection']
const refresh = ({ user }: PathContext) =>
  send(user, 'integrations.refresh', { params: { mcpId: 'gmail' }, body: {} })

const beginSignIn = async (context: PathContext, mcpId: string, clientId: string | undefined = 'demo') => {
  const { body } = await oauth(context, {
    action: 'initiate',
    mcpId,
    ...(clientId && { clientId }),
    redirectUri: redirectUri(context),
  })
  return (body as { authUrl: string }).authUrl
}
const signIn = async (context: PathContext, mcpId: string, clientId?: string) =>
  oauth(context, buildExchange(await decideConsent(await beginSignIn(context, mcpId, clientId), 'allow')))

/** A connection shown as invalid is consistent, but not a success. */
async function connectByKey({ user }: PathContext): Promise<void> {
  const { body } = await send(user, 'integrations.connect', {
    params: { mcpId: 'airtable' },
    body: { credentials: { accessToken: `right-${crypto.randomUUID()}` }, environment: 'production' },
  })
  const { token_status } = (body as { integration: { token_status: string } }).integration
  if (token_status !== 'active') throw new Refused(token_status)
}
const disconnect = (context: PathContext, mcpId: string) =>
  send(context.user, 'integrations.disconnect', { params: { mcpId }, body: {} })
const findMissingDisconnection = (mcpId: string) => async (context: PathContext) =>
  (await findConnection(context, mcpId))?.status === 'connected' ? ['the disconnection'] : []

const addTool = (context: PathContext, name: string) =>
  send(context.user, 'customTools.add', {
    body: { name, description: '', config: { serverUrl: '', apiKey: `key-${name}`, customFields: {} } },
  })
const findTools = async ({ user }: PathContext, name: string) =>
  (await user.call('customTools.list')).tools.filter((tool) => tool.name === name && tool.is_active)

const listFiles = async ({ user }: PathContext) =>
  (await user.call('files.list', { query: { limit: 100, offset: 0 } })).attachments

const none = async () => undefined

/** Every write path of the product, by a user's name for it. */
export const writePaths: Readonly<Record<string, WritePath>> = {
  'a first message': turn(async () => question('Hello')),
  'a first message, as JSON': turn(async () => question('Hello'), { go: sendForJson }),
  'a further message': turn(async ({ user }) => {
    const { body } = await converse(user)
    return question('And then?', { sessionId: body.sessionId })
  }),
  'a long reply': turn(async () => question('/long')),
  'a message that is not kept': turn(async () => question('Hello', { keep: false }), {
    go: sendForJson,
    missing: async (context, { body }) =>
      (await readConversation(context.user, body)).messages.length > 0 ? ['its absence'] : [],
  }),
  'a message without a conversation': path({
    make: none,
    go: ({ user }) => send(user, 'chat.send', { body: { messages: [{ role: 'user', content: 'Hello' }] } }),
  }),
  'a message that reads by a tool': turn(async () => question('Show my recent emails'), {
    arrange: ({ product, user }) => connectProvider(product, user, 'gmail'),
  }),
  // if the server's tools cannot be loaded, the model answers without them
  'a message that wants to write by a tool': turn(async () => mailRequest(newAddress()), {
    arrange: ({ product, user }) => connectProvider(product, user, 'gmail'),
    missing: async (context, message) =>
      (await findWaitingQuestion(context, message)) ? [] : findMissingReply(context, message),
  }),
  'a message that wants a tool of an MCP server': turn(async () => searchRequest(), {
    arrange: (context) => signIn(context, 'notion', ''),
    missing: async (context, message) =>
      (await findWaitingQuestion(context, message)) ? [] : findMissingReply(context, message),
  }),
  'approving a tool call': approval({
    arrange: ({ product, user }) => connectProvider(product, user, 'gmail'),
    request: mailRequest,
    async always({ user }, to, approvals) {
      const count = await countMailsTo(user, to)
      return count > approvals ? [`${approvals} mails at most, not ${count}`] : []
    },
  }),
  'approving a tool call of an MCP server': approval({
    arrange: (context) => signIn(context, 'notion', ''),
    request: searchRequest,
  }),
  'a message with a file': turn(async ({ user }) => {
    const { id, name, type, size } = await uploadFile(user, textFile())
    await analyze(user, { id, name, type, size })
    return question('What does it say?', {
      messages: [{ role: 'user', content: 'What does it say?', attachments: [{ id }] }],
    })
  }),
  'a message that wants an image': turn(async () => question('Draw an image of a red fox')),
  'going on with an incomplete reply': turn(
    async ({ user }) => {
      const message = await converse(user, '/short 20')
      return { ...message, body: { ...message.body, continues: true } }
    },
    {
      missing: async ({ user }, { body }) => {
        const { messages } = await readConversation(user, body)
        return messages.length === 2 && !messages[1]?.ended ? [] : ['the whole reply']
      },
    },
  ),
  'a message in the place of another': turn(
    async ({ user }) => {
      const { body } = await converse(user, 'First')
      await send(user, 'chat.send', {
        body: { ...question('Second').body, sessionId: body.sessionId },
      })
      return question('First, once more', { sessionId: body.sessionId, replaces: body.messageId })
    },
    {
      missing: async (context, message) => {
        const { messages } = await readConversation(context.user, message.body)
        return [
          ...(await findMissingReply(context, message)),
          ...(messages.length === 2 ? [] : [`two messages, not ${messages.length}`]),
        ]
      },
    },
  ),
  'stopping a reply': path({
    async make({ user }) {
      const message = question('/slow')
      const reading = ask(user, message.body)
      await reading.until((reply) => reply.text() !== '')
      return { message, reading }
    },
    async go({ user }, { message, reading }) {
      await send(user, 'runs.stop', { params: { sessionId: message.body.sessionId }, body: {} })
      await reading.finished.catch(none)
    },
    async again({ user }, { message, reading }) {
      // a run that has ended in the meantime needs no stop
      await ignoreNotFound(
        send(user, 'runs.stop', { params: { sessionId: message.body.sessionId }, body: {} }),
      )
      await reading.finished.catch(none)
    },
    missing: async ({ user }, { message }) => {
      const { messages } = await readConversation(user, message.body)
      // if the table was unreachable, it has nothing of the reply, and the stream says so
      return messages.length >= 1 ? [] : ['the message']
    },
  }),
  'showing an earlier version': path({
    async make({ user }) {
      const { body } = await converse(user, 'First')
      const { sessionId, messageId: replaces } = body
      await send(user, 'chat.send', question('First, once more', { sessionId, replaces }))
      return { sessionId, messageId: replaces }
    },
    go: ({ user }, { sessionId, messageId }) =>
      send(user, 'sessions.showVersion', { params: { sessionId }, body: { message_id: messageId } }),
    missing: async ({ user }, { sessionId, messageId }) => {
      const { messages } = await user.call('sessions.read', { params: { sessionId } })
      return messages[0]?.id === messageId ? [] : ['the earlier version']
    },
  }),
  'naming a conversation': path({
    make: ({ user }) => converse(user),
    go: ({ user }, { body: { sessionId } }) =>
      send(user, 'sessions.update', { params: { sessionId }, body: { title: 'Named' } }),
    missing: async ({ user }, { body }) => {
      const { sessions } = await user.call('sessions.list')
      return sessions.find(({ id }) => id === body.sessionId)?.title === 'Named' ? [] : ['the name']
    },
  }),
  'deleting a conversation with a file': path({
    async make({ user }) {
      const { id } = await uploadFile(user, textFile())
      return converse(user, 'Look', { messages: [{ role: 'user', content: 'Look', attachments: [{ id }] }] })
    },
    go: ({ user }, { body: { sessionId } }) => send(user, 'sessions.delete', { params: { sessionId } }),
    again: ({ user }, { body: { sessionId } }) =>
      ignoreNotFound(send(user, 'sessions.delete', { params: { sessionId } })),
    missing: async (context, { body }) => {
      const { sessions } = await context.user.call('sessions.list')
      const remaining = (await listFiles(context)).filter(({ session_ids }) =>
        session_ids.includes(body.sessionId),
      )
      return sessions.some(({ id }) => id === body.sessionId) || remaining.length > 0 ? ['the deletion'] : []
    },
  }),

  'sharing a conversation': path({
    make: ({ user }) => converse(user),
    go: ({ user }, { body: { sessionId } }) =>
      send(user, 'shares.create', { params: { sessionId }, body: { days: 7 } }),
    missing: async ({ user }, { body }) => {
      const { shares } = await user.call('shares.list')
      const mine = shares.filter(({ session_id }) => session_id === body.sessionId)
      return mine.length > 0 ? [] : ['the link']
    },
  }),
  'revoking a link': path({
    async make({ user }) {
      const { body } = await converse(user)
      const { share } = await user.call('shares.create', {
        params: { sessionId: body.sessionId },
        body: { days: 7 },
      })
      return share
    },
    go: ({ user }, { id }) => send(user, 'shares.revoke', { params: { shareId: id } }),
    again: ({ user }, { id }) => ignoreNotFound(send(user, 'shares.revoke', { params: { shareId: id } })),
    missing: async ({ user }, { id }) => {
      const { shares } = await user.call('shares.list')
      return shares.some((one) => one.id === id) ? ['the revocation'] : []
    },
  }),

  'uploading a file': path({
    make: async () => textFile(),
    go: ({ user }, file) => uploadFile(user, file),
    missing: async (context, { name, content }) => {
      const found = (await listFiles(context)).find((one) => one.name === name)
      const there = found?.url && (await (await fetch(found.url)).text()) === content
      if (there) await context.user.call('files.delete', { params: { attachmentId: found.id } })
      return there ? [] : ['the file']
    },
  }),
  'uploading an image': path({
    make: async () => ({ name: 'a.png', type: 'image/png', content: png }),
    go: ({ user }, file) => uploadFile(user, file),
  }),
  'reading a document': path({
    make: async ({ user }) => {
      const file = textFile()
      const { attachment, upload } = await presign(user, file)
      await postFile(upload, Buffer.from(file.content))
      return { ...attachment, isCompleted: false }
    },
    // a completed upload is read at once
    async go({ user }, made) {
      const { id, name, type, size } = made
      await user.call('files.complete', { params: { attachmentId: id } })
      made.isCompleted = true
      const file = { id, name, type, size }
      const { success, error } = await user.call('documents.analyze', {
        body: { file, analysisType: 'analyze', userId: user.sub },
      })
      if (!success) throw new Error(String(error))
    },
    missing: async (context, { id }) => {
      const { reading } = (await listFiles(context)).find((one) => one.id === id) ?? {}
      return reading?.state === 'read' ? [] : ['what was read']
    },
    // before its completion is acknowledged, an upload is none of the user's files
    always: async (context, { id, isCompleted }) =>
      !isCompleted || (await listFiles(context)).some((one) => one.id === id) ? [] : ['the document'],
  }),
  'deleting a file': path({
    make: ({ user }) => uploadFile(user, textFile()),
    go: ({ user }, { id }) => send(user, 'files.delete', { params: { attachmentId: id } }),
    again: ({ user }, { id }) => ignoreNotFound(send(user, 'files.delete', { params: { attachmentId: id } })),
    missing: async (context, { id }) =>
      (await listFiles(context)).some((one) => one.id === id) ? ['the deletion'] : [],
  }),

  'connecting by a key': path({
    ownUser: true,
    make: none,
    go: (context) => connectByKey(context),
    missing: findMissingConnection('airtable'),
  }),
  'another key in its place': path({
    make: (context) => connectByKey(context),
    go: (context) => connectByKey(context),
    missing: findMissingConnection('airtable'),
  }),
  'disconnecting a key': path({
    make: (context) => connectByKey(context),
    go: (context) => disconnect(context, 'airtable'),
    missing: findMissingDisconnection('airtable'),
  }),
  'connecting by OAuth': path({
    make: none,
    go: (context) => signIn(context, 'gmail'),
    missing: findMissingConnection('gmail'),
  }),
  'connecting a server in one click': path({
    make: none,
    go: (context) => signIn(context, 'notion', ''),
    missing: findMissingConnection('notion'),
  }),
  'refreshing tokens': path({
    arrange: (context) => signIn(context, 'gmail'),
    make: none,
    go: refresh,
    async again(context) {
      // new tokens that got lost or could not be saved have invalidated the old ones: the page says so
      await refresh(context).catch(async (error: unknown) => {
        if (!String(error).includes('Please connect again.')) throw error
        await signIn(context, 'gmail')
      })
    },
    missing: findMissingConnection('gmail'),
  }),
  'disconnecting OAuth': path({
    make: (context) => signIn(context, 'gmail'),
    go: (context) => disconnect(context, 'gmail'),
    missing: findMissingDisconnection('gmail'),
  }),
  'clearing up connections': path({
    make: none,
    go: ({ user }) => send(user, 'integrations.cleanup', { body: {} }),
  }),
  'adding a tool': path({
    make: async () => crypto.randomUUID(),
    go: addTool,
    missing: async (context, name) => ((await findTools(context, name)).length > 0 ? [] : ['the tool']),
  }),
  'removing a tool': path({
    async make(context) {
      const name = crypto.randomUUID()
      await addTool(context, name)
      return { name, toolId: (await findTools(context, name))[0]?.id ?? '' }
    },
    go: ({ user }, { toolId }) => send(user, 'customTools.remove', { params: { toolId } }),
    again: ({ user }, { toolId }) => ignoreNotFound(send(user, 'customTools.remove', { params: { toolId } })),
    missing: async (context, { name }) =>
      (await findTools(context, name)).length > 0 ? ['the removal'] : [],
  }),
  'emptying the ledger': path({
    arrange: ({ product, user }) => connectProvider(product, user, 'gmail'),
    make: ({ user }) => converse(user, 'Show my recent emails'),
    go: ({ user }) => send(user, 'tools.clearLedger'),
    missing: async ({ user }) =>
      (await user.call('tools.ledger', {})).entries.length > 0 ? ['the emptiness'] : [],
  }),

  'beginning two-factor': path({
    repeatAfterMs: 0,
    make: none,
    go: ({ user }) => send(user, 'mfa.setup', { body: { action: 'generate' } }),
  }),
  'finishing two-factor': path({
    ownUser: true,
    repeatAfterMs: 0,
    async make({ user }) {
      const { body } = await send(user, 'mfa.setup', { body: { action: 'generate' } })
      return secretIn((body as { qrCodeUrl: string }).qrCodeUrl)
    },
    go: ({ user }, secret) => send(user, 'mfa.setup', { body: { action: 'verify', token: appCode(secret) } }),
    async again({ user }, secret) {
      const { enabled } = await user.call('mfa.status')
      // the code of this time step may be used up
      if (!enabled) await send(user, 'mfa.setup', { body: { action: 'verify', token: appCode(secret, 1) } })
    },
    missing: async ({ user }) => ((await user.call('mfa.status')).enabled ? [] : ['the second factor']),
  }),
  'switching two-factor off': path({
    ownUser: true,
    repeatAfterMs: 0,
    make: ({ user }) => enrol(user),
    go: ({ user }) => send(user, 'mfa.setup', { body: { action: 'disable' } }),
    missing: async ({ user }) => ((await user.call('mfa.status')).enabled ? ['its end'] : []),
  }),
  'new backup codes': path({
    ownUser: true,
    repeatAfterMs: 0,
    make: ({ user }) => enrol(user),
    go: ({ user }) => send(user, 'mfa.setup', { body: { action: 'regenerate' } }),
    missing: async ({ user }) =>
      (await user.call('mfa.status')).backupCodesLeft === 10 ? [] : ['ten backup codes'],
  }),
  'a backup code': path({
    ownUser: true,
    repeatAfterMs: 0,
    async make({ user }) {
      const { backupCodes } = await enrol(user)
      return { token: backupCodes[0] ?? '', attemptId: crypto.randomUUID() }
    },
    go: ({ user }, { token, attemptId }) =>
      send(user, 'mfa.verify', { body: { email: user.email, token, isBackupCode: true, attemptId } }),
    missing: async ({ user }) =>
      (await user.call('mfa.status')).backupCodesLeft === 9 ? [] : ['nine backup codes'],
  }),

  'changing settings': path({
    make: none,
    go: ({ user }) => send(user, 'account.settings', { body: { theme: 'dark' } }),
    missing: async ({ user }) =>
      (await user.call('account.read')).settings.theme === 'dark' ? [] : ['the setting'],
  }),
  'changing the name': path({
    make: async () => crypto.randomUUID().slice(0, 8),
    go: ({ user }, name) => send(user, 'account.save', { body: { display_name: name } }),
    missing: async ({ user }, name) =>
      (await user.call('account.read')).profile.display_name === name ? [] : ['the name'],
  }),
  'changing the profile picture': path({
    async make({ user }) {
      await saveProfilePicture(user)
    },
    go: ({ user }) => saveProfilePicture(user),
  }),
  'exporting everything': path({
    arrange: async (context) => {
      const { id } = await uploadFile(context.user, textFile())
      await converse(context.user, 'Look', {
        messages: [{ role: 'user', content: 'Look', attachments: [{ id }] }],
      })
      await connectByKey(context)
    },
    make: none,
    async go({ user }) {
      const { status, body } = await user.send('account.export')
      if (status !== 200) throw new Refused(`${status}`)
      const { bytes } = await downloadExport(body).catch((error: unknown) => {
        throw new Refused(String(error))
      })
      // a zip ends with its directory
      if (!bytes.includes(Buffer.from('PK\x05\x06', 'latin1'))) throw new Refused(`${bytes.length} bytes`)
    },
  }),
  'deleting all conversations': path({
    make: ({ user }) => converse(user),
    go: ({ user }) => send(user, 'account.forgetConversations'),
    missing: async ({ user }) =>
      (await user.call('sessions.list')).sessions.length > 0 ? ['the deletion'] : [],
  }),
  'signing out everywhere': path({
    ownUser: true,
    repeatAfterMs: 0,
    make: none,
    go: ({ user }) => send(user, 'account.signOutEverywhere', { body: {} }),
    // a user who is signed out already is fine
    again: ({ user }) =>
      send(user, 'account.signOutEverywhere', { body: {} }).catch((error: unknown) => {
        if (!(error instanceof Refused && error.message.startsWith('401'))) throw error
      }),
    missing: async ({ user }) =>
      (await user.send('account.read')).status === 401 ? [] : ['the end of the token'],
  }),
  'deleting the account': path({
    ownUser: true,
    repeatAfterMs: 0,
    async make(context) {
      await connectByKey(context)
      const { id } = await uploadFile(context.user, textFile())
      await converse(context.user, 'Look', {
        messages: [{ role: 'user', content: 'Look', attachments: [{ id }] }],
      })
    },
    async go({ user }) {
      const { body } = await send(user, 'account.erase', { body: { confirm: 'DELETE' } })
      if (!(body as { done: boolean }).done) throw new Refused('not done')
    },
  }),

  'syncing the registry': path({
    make: none,
    go: ({ user }) => send(user, 'registry.sync', { body: { enhanced: true } }),
  }),
  'the daily sync': path({
    make: none,
    async go() {
      const { handler } = await import('../../functions/registry/daily-sync.ts')
      await handler({ id: crypto.randomUUID(), source: 'aws.scheduler' })
    },
  }),
}

async function saveProfilePicture(user: StackUser): Promise<void> {
  const { body } = await send(user, 'account.uploadAvatar', { body: { data: webp() } })
  const { avatar_id } = body as { avatar_id: string }
  await send(user, 'account.save', { body: { avatar_id } })
}

/** The page's requests when a user comes back later, which repair interrupted writes. */
export async function revisit({ user }: PathContext, made: unknown): Promise<void> {
  const { body } = ((made as { message?: SentMessage } | undefined)?.message ??
    made ??
    {}) as Partial<SentMessage>
  await Promise.all([
    user.send('sessions.list'),
    user.send('integrations.list'),
    user.send('account.read'),
    body?.sessionId && user.send('sessions.read', { params: { sessionId: body.sessionId } }),
  ])
  await user.send('integrations.cleanup', { body: {} })
  await sleep(0)
}
