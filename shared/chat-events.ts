import type {
  ChatResponse,
  Failure,
  ReplyNotice,
  ResultExtras,
  ToolCall,
  Usage,
} from '#shared/contracts/chat.ts'
import type { Attachment, DocumentReading } from '#shared/contracts/files.ts'
import type { Message, Session } from '#shared/contracts/messages.ts'
import type { RunView } from '#shared/contracts/runs.ts'

/**
 * Events of a streamed reply: the public "UI message stream" protocol, version 1, as JSON in server-sent events, ended by
 * `[DONE]`. Each event's SSE `id` is its position in the reply: every event counts 1, a delta counts its UTF-16 units.
 * A reader that comes back names the last position it saw and gets what follows; only the deltas of a call's arguments may be missing.
 */
export type ChatEvent =
  | { type: 'start'; messageId: string; messageMetadata: StartMetadata }
  /** the model is asked when documents are read: one that is waited for, and again when it is read */
  | { type: 'data-reading'; data: DocumentReading }
  /** a request to the model begins to answer; its calls and their outcomes belong to the same step */
  | { type: 'start-step' }
  | { type: 'finish-step' }
  | { type: 'reasoning-start'; id: string }
  | { type: 'reasoning-delta'; id: string; delta: string }
  /** `durationMs`: how long the model reasoned before it went on */
  | { type: 'reasoning-end'; id: string; providerMetadata?: { juno: { durationMs: number } } }
  | { type: 'text-start'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'text-end'; id: string }
  /** the last `characters` (1 and more) of the text were reasoning, as the server's end of it shows; they follow as such */
  | { type: 'data-retracted-text'; data: { characters: number } }
  /** the model writes a call; `tool-input-available` follows with all its arguments */
  | {
      type: 'tool-input-start'
      toolCallId: string
      toolName: string
      title?: string
      providerMetadata?: { juno: Activity }
    }
  | { type: 'tool-input-delta'; toolCallId: string; inputTextDelta: string }
  | {
      type: 'tool-input-available'
      toolCallId: string
      toolName: string
      input: unknown
      /** for the page: which kind of activity runs, and of which integration */
      providerMetadata?: { juno: Activity }
    }
  /** `isAutomatic`: the user always allows this tool, and the response follows at once */
  | { type: 'tool-approval-request'; approvalId: string; toolCallId: string; isAutomatic?: true }
  | { type: 'tool-approval-response'; approvalId: string; approved: boolean }
  | { type: 'tool-output-available'; toolCallId: string; output: unknown }
  /** `codes`: what the text says, one after the other */
  | {
      type: 'tool-output-error'
      toolCallId: string
      errorText: string
      codes?: NonNullable<ToolCall['result']['codes']>
    }
  | { type: 'tool-output-denied'; toolCallId: string }
  /** links of a result, and what of it was left out; comes before the call's output */
  | { type: 'data-result-extras'; data: ResultExtras & Pick<ToolCall, 'elicited'> & { toolCallId: string } }
  /** a page that the reply cites */
  | { type: 'source-url'; sourceId: string; url: string; title?: string }
  /** what the reply has used so far */
  | { type: 'message-metadata'; messageMetadata: { usage: Usage } }
  /** A file made for this reply, in the protocol's own form, and right after it as the attachment of the message */
  | { type: 'file'; url: string; mediaType: string }
  | { type: 'data-attachment'; data: Attachment }
  /** the reply continues without something that the model's server rejected */
  | { type: 'data-notice'; data: ReplyNotice }
  /** the conversation as stored after the turn's last write, for the list and the title */
  | { type: 'data-session'; data: Session }
  /** the stored reply of a run that had already ended, for a reader that comes back; replaces what it has */
  | { type: 'data-reply'; data: { messages: Message[]; run: RunView } }
  /** how the run stands when it does not simply end: waiting, incomplete, interrupted */
  | { type: 'data-run'; data: RunView }
  | { type: 'abort' }
  /** `errorText` is a sentence for the user, ready to be shown; `code` and `params` are what it says */
  | {
      type: 'error'
      errorText: string
      code?: Failure['code']
      params?: Failure['params']
      requestId?: Failure['requestId']
    }
  /** The last event carries the fields of the JSON form */
  | { type: 'finish'; messageMetadata: ChatResponse }

/** What a tool that runs is doing. */
export type Activity = {
  kind: ToolActivity
  /** what people call the tool */
  title?: string
  /** name of the integration it belongs to */
  integration?: string
}

interface StartMetadata {
  sessionId?: string
  runId?: string
  /** false: this chat is written to no history */
  kept?: boolean
}

export const chatStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-vercel-ai-ui-message-stream': 'v1',
} as const

/** The `data:` of the event that ends a stream; without it the reader comes back for the rest. */
export const streamEnd = '[DONE]'

/** What the thinking indicator shows while a tool runs; each tool declares its own. */
export type ToolActivity =
  | 'image_generation'
  | 'video_generation'
  | 'research'
  | 'file_upload'
  | 'document_analysis'
  | 'other'
