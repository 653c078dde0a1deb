import { vi } from 'vitest'
import type { ChatEvent } from '#shared/chat-events.ts'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import type { ChatApi } from '../../web/src/features/chat/stream/chat-api.ts'

const encoder = new TextEncoder()

/** A server whose streams the test writes. */
export function server() {
  const streams: {
    position: number | undefined
    write: (event: ChatEvent | 'done') => void
    signal: AbortSignal
  }[] = []
  let at = 0
  const open = (position: number | undefined, signal: AbortSignal) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        streams.push({
          position,
          signal,
          write(event) {
            if (event === 'done') {
              controller.enqueue(encoder.encode('data: [DONE]\n\n'))
              return controller.close()
            }
            at += event.type === 'text-delta' ? event.delta.length : 1
            controller.enqueue(encoder.encode(`id: ${at}\ndata: ${JSON.stringify(event)}\n\n`))
          },
        })
        signal.addEventListener('abort', () => controller.error(signal.reason))
      },
    })
  const api = {
    send: vi.fn<ChatApi['send']>(async (_request, signal) => open(undefined, signal)),
    reattach: vi.fn<ChatApi['reattach']>(async (_id, position, signal) => open(position, signal)),
    decide: vi.fn<ChatApi['decide']>(async (_id, _decision, signal) => open(undefined, signal)),
    stop: vi.fn<ChatApi['stop']>(async () => undefined),
    read: vi.fn<ChatApi['read']>(async () => buildSessionRead()),
  }
  return { api, streams, lastStream: () => streams.at(-1) }
}

export const session = {
  id: 's',
  user_id: 'u',
  title: 'Hi',
  created_at: '',
  updated_at: '',
  message_count: 1,
}
export const buildSessionRead = (rest: Partial<SessionRead> = {}): SessionRead => ({
  session,
  messages: [],
  earlier: null,
  run: null,
  ...rest,
})
export const start: Extract<ChatEvent, { type: 'start' }> = {
  type: 'start',
  messageId: 'r1',
  messageMetadata: { runId: 'run' },
}
export const delta = (text: string): ChatEvent => ({ type: 'text-delta', id: 't', delta: text })
export const finish: Extract<ChatEvent, { type: 'finish' }> = {
  type: 'finish',
  messageMetadata: { success: true, content: 'Hello', toolCalls: [], error: null },
}

/** An approval request of the reply, for tests. */
export const anApprovalRequest = (over: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  call_id: 'c1',
  kind: 'approval',
  tool: 'gmail_send_email',
  title: 'Send an e-mail',
  integration: 'Gmail',
  mcp_id: 'gmail',
  arguments: { to: 'ann@example.org', subject: 'Lunch', body: 'At noon?' },
  asked_at: new Date().toISOString(),
  decision: null,
  ...over,
})

/** The run while it waits for decisions. */
export const waitingRun = (...questions: ApprovalRequest[]) =>
  ({ run_id: 'run', status: 'waiting', message_id: 'm1', reply_id: 'r1', questions }) as const
