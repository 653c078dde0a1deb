import type { Activity } from '../chat-events.ts'
import type { Reasoning, ReplyNotice, ResultExtras, Source, ToolCall, Usage } from '../contracts/chat.ts'
import type { ElicitedInput } from '../contracts/elicitation.ts'
import type { Attachment, DocumentReading } from '../contracts/files.ts'
import type { Message } from '../contracts/messages.ts'
import type { ApprovalRequest } from '../contracts/runs.ts'

export interface ReplyCall {
  readonly id: string
  readonly name: string
  readonly input: Record<string, unknown>
  /** `writing`: the model has not written all arguments; `running`: the call may have been made */
  readonly status: 'writing' | 'running' | 'done' | 'failed' | 'denied'
  /** as declared by the tool */
  readonly activity?: Activity
  readonly output?: unknown
  /** what the result has besides its output */
  readonly extras?: ResultExtras
  /** what its server asked the user, and what it was sent */
  readonly elicited?: readonly ElicitedInput[]
  readonly error?: string
  /** what `error` says */
  readonly codes?: ToolCall['result']['codes']
}

/** A reply as its events tell it. */
export interface ReplyState {
  readonly runId: string | undefined
  readonly replyId: string | undefined
  readonly text: string
  readonly toolCalls: readonly ReplyCall[]
  /** what the user is asked; empty while the reply is written */
  readonly approvals: readonly ApprovalRequest[]
  /** files made for the reply */
  readonly attachments: readonly Attachment[]
  /** how the reply differs from the request, such as another model */
  readonly notices: readonly ReplyNotice[]
  readonly reasoning?: (Reasoning & { isActive: boolean }) | undefined
  readonly sources: readonly Source[]
  readonly usage?: Usage | undefined
  /** the documents that it waits for, or has waited for; absent once the model answers */
  readonly readings?: readonly DocumentReading[] | undefined
  /** how it ended, if not with its last word */
  readonly ended: Message['ended']
}

export const emptyReply: ReplyState = {
  runId: undefined,
  replyId: undefined,
  text: '',
  toolCalls: [],
  approvals: [],
  attachments: [],
  notices: [],
  sources: [],
  ended: undefined,
}

/** Whether a call has its outcome. */
export const isCallEnded = ({ status }: ReplyCall): boolean => status !== 'writing' && status !== 'running'

/** A call as messages store it. @param error of a call without an outcome */
export function toToolCall(
  { name, activity, input, status, output, extras, elicited, error, codes }: ReplyCall,
  unfinishedError = '',
): ToolCall {
  return {
    tool: name,
    action: activity?.title ?? name,
    ...(activity?.integration !== undefined && { integration: activity.integration }),
    parameters: input,
    result:
      status === 'done'
        ? { success: true, data: output, ...extras }
        : { success: false, error: error ?? unfinishedError, ...(codes && { codes }) },
    ...(elicited && { elicited: [...elicited] }),
  }
}
