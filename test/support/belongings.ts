import { randomBytes } from 'node:crypto'
import { connectProvider } from './connect-provider.ts'
import type { LocalStack } from './local-stack.ts'
import { decideConsent } from './provider-consent.ts'
import type { StackUser } from './stack-user.ts'
import { enrol } from './two-factor.ts'
import { pngOf } from './png-of.ts'
import { presign, uploadFile } from './upload.ts'
import { webpOf } from './webp-of.ts'

/** Everything that a user stores in the product. */

/** A word that occurs only in this user's data; secrets contain it. */
export const canaryFor = ({ sub }: StackUser): string => `CANARY-${sub}`

export const notes = { name: 'notes.txt', type: 'text/plain', content: 'Buy milk.' }

/** Saves a conversation of one turn. @returns its id */
export async function converse(user: StackUser, content: string): Promise<string> {
  const sessionId = crypto.randomUUID()
  await user.call('chat.send', { body: { messages: [{ role: 'user', content }], sessionId } })
  return sessionId
}

/** Connects by a key that the provider's double accepts. */
export const connect = (user: StackUser) =>
  user.call('integrations.connect', {
    params: { mcpId: 'notion' },
    body: { credentials: { apiKey: `ntn_${canaryFor(user)}` }, environment: 'production' },
  })

export const addTool = (user: StackUser) =>
  user.call('customTools.add', {
    body: {
      name: 'My tool',
      description: '',
      config: { serverUrl: '', apiKey: canaryFor(user), customFields: {} },
    },
  })

/** An import of one conversation of one message. */
export const importBody = (importId: string, content: string, fileIds: string[] = []) => {
  const at = '2024-03-01T12:00:00.000Z'
  return {
    import_id: importId,
    source: 'chatgpt' as const,
    conversations: [
      {
        source_id: 'conversation-1',
        title: content,
        created_at: at,
        updated_at: at,
        turns: 1,
        message_count: 1,
        messages: [{ turn: 1, role: 'user' as const, content, created_at: at, attachment_ids: fileIds }],
        complete: true,
      },
    ],
  }
}

/** A browser that can be told about replies; its push service does not exist. */
export const pushBrowser = (id: string) => ({
  endpoint: `https://push.example.invalid/${id}`,
  // RFC 8291, appendix A
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
})

/** Identifiers of all that a user has; another user could send each of them. */
export interface Identifiers {
  sub: string
  email: string
  /** a saved conversation, its first message, and the reply to it */
  sessionId: string
  messageId: string
  replyId: string
  /** a conversation whose reply waits for an approval */
  waitingId: string
  runId: string
  callId: string
  /** id of an import of one conversation */
  importId: string
  /** id of a shared link to the conversation */
  shareId: string
  attachmentId: string
  /** an upload that was begun */
  unfinishedId: string
  /** signed, of the file */
  fileUrl: string
  avatarId: string
  customToolId: string
  allowedToolId: string
  ledgerId: string
  memoryId: string
  /** of a browser that is told about replies */
  pushEndpoint: string
  projectId: string
  /** for nobody else */
  assistantId: string
  promptId: string
  scheduleId: string
  /** state of a pending sign-in at a provider, and the provider's code for it */
  state: string
  code: string
  backupCode: string
}

const webp = webpOf(['VP8 ', Buffer.alloc(100)]).toString('base64')

/** Creates one of everything for a user, with the canary in it. */
export async function createBelongings(stack: LocalStack, user: StackUser): Promise<Identifiers> {
  const canary = canaryFor(user)
  const ask = async (content: string) => {
    const [sessionId, messageId] = [crypto.randomUUID(), crypto.randomUUID()]
    await user.call('chat.send', { body: { messages: [{ role: 'user', content }], sessionId, messageId } })
    return { sessionId, messageId }
  }
  const waitingFor = async (content: string) => {
    const { sessionId } = await ask(content)
    const { run } = await user.call('sessions.read', { params: { sessionId } })
    const [question] = run?.questions ?? []
    if (!run || !question) throw new Error(`nothing was asked: ${content}`)
    return { sessionId, runId: run.run_id, callId: question.call_id }
  }
  await connectProvider(stack, user, 'gmail')
  await connectProvider(stack, user, 'google-drive')
  await connect(user)
  const { tool } = await addTool(user)
  const sent = await ask(`/echo ${canary}`)
  const { messages } = await user.call('sessions.read', { params: { sessionId: sent.sessionId } })
  const { share } = await user.call('shares.create', {
    params: { sessionId: sent.sessionId },
    body: { days: 7 },
  })
  await user.call('sessions.rate', {
    params: { sessionId: sent.sessionId, messageId: messages[1]?.id ?? '' },
    body: { feedback: { rating: 'down', text: canary, readable: true } },
  })
  const file = await uploadFile(user, { ...notes, name: `${canary}.txt`, content: canary })
  // waits for the reading: afterwards nothing of the file changes by itself
  await user.call('documents.analyze', { body: { file, analysisType: 'analyze' } })
  const importId = crypto.randomUUID()
  await user.call('imports.add', { body: importBody(importId, canary, [file.id]) })
  const { attachment: unfinished } = await presign(user, notes)
  const { sessionId, ...mail } = await waitingFor(`Send an email to a@example.org saying "${canary}"`)
  await user.call('runs.answer', { params: { sessionId }, body: { ...mail, approved: true, always: true } })
  const { tools } = await user.call('tools.allowed')
  const { entries } = await user.call('tools.ledger')
  const waiting = await waitingFor(
    `Create a file named "${canary}.txt" in my Google Drive with the content: ${canary}`,
  )
  const browser = pushBrowser(canary)
  await user.call('push.subscribe', { body: browser })
  const redirectUri = `${stack.origin}/oauth/callback`
  const { authUrl = '' } = await user.call('oauth.handle', {
    body: { action: 'initiate', mcpId: 'asana', clientId: canary, environment: 'production', redirectUri },
  })
  const back = await decideConsent(authUrl, 'allow')
  const { avatar_id } = await user.call('account.uploadAvatar', { body: { data: webp } })
  await user.call('account.save', { body: { display_name: canary, avatar_id } })
  const { memory } = await user.call('memory.add', { body: { text: canary } })
  const { project } = await user.call('projects.create', { body: { name: canary, instructions: canary } })
  await user.call('projects.update', { params: { projectId: project.id }, body: { add_files: [file.id] } })
  await user.call('sessions.update', {
    params: { sessionId: sent.sessionId },
    body: { project_id: project.id },
  })
  const { prompt } = await user.call('prompts.create', {
    body: { name: canary, text: canary, project_id: project.id },
  })
  const { assistant } = await user.call('assistants.publish', {
    params: { projectId: project.id },
    body: {
      description: canary,
      starters: [canary],
      audience: { groups: [] },
      picture: pngOf(32, 32, { iCCP: canary }).toString('base64'),
    },
  })
  const { schedule } = await user.call('schedules.create', {
    body: {
      prompt: canary,
      rule: { kind: 'monthly', day: 'last', time: '08:00' },
      time_zone: 'UTC',
      project_id: project.id,
      paused: true,
    },
  })
  const { backupCodes } = await enrol(user)
  return {
    sub: user.sub,
    email: user.email,
    ...sent,
    replyId: messages[1]?.id ?? '',
    waitingId: waiting.sessionId,
    runId: waiting.runId,
    callId: waiting.callId,
    importId,
    shareId: share.id,
    attachmentId: file.id,
    unfinishedId: unfinished.id,
    fileUrl: file.url ?? '',
    avatarId: avatar_id,
    customToolId: tool.id,
    allowedToolId: tools[0]?.id ?? '',
    ledgerId: entries[0]?.id ?? '',
    memoryId: memory.id,
    pushEndpoint: browser.endpoint,
    projectId: project.id,
    assistantId: assistant.id,
    promptId: prompt.id,
    scheduleId: schedule.id,
    state: back.searchParams.get('state') ?? '',
    code: back.searchParams.get('code') ?? '',
    backupCode: backupCodes[0] ?? '',
  }
}

/** Well-formed identifiers of things that do not exist. @param fileUrl a link of the same store */
export function inventIdentifiers(fileUrl: string): Identifiers {
  const hex = (bytes: number) => randomBytes(bytes).toString('hex')
  const id = () => crypto.randomUUID()
  const [sub, attachmentId] = [id(), id()]
  return {
    sub,
    email: `${id()}@example.com`,
    sessionId: id(),
    messageId: id(),
    replyId: id(),
    waitingId: id(),
    runId: id(),
    callId: `call_${hex(8)}`,
    importId: id(),
    shareId: id(),
    attachmentId,
    unfinishedId: id(),
    fileUrl: fileUrl.replace(/users\/[^/]+\/[^/]+/, `users/${sub}/${attachmentId}`),
    avatarId: id(),
    customToolId: id(),
    allowedToolId: hex(16),
    ledgerId: `2026-11-20T00:00:00.000Z-${hex(4)}`,
    memoryId: hex(4),
    pushEndpoint: pushBrowser(hex(8)).endpoint,
    projectId: id(),
    assistantId: id(),
    promptId: id(),
    scheduleId: id(),
    state: randomBytes(32).toString('base64url'),
    code: hex(16),
    backupCode: hex(5).toUpperCase(),
  }
}
