import { coded } from '#shared/sentences/sentence.ts'
import * as z from 'zod'
import { elicitation, elicitationResponse } from '#shared/contracts/elicitation.ts'
import { reconnectReason } from '#shared/contracts/reconnect.ts'
import { chatResponse } from '#shared/contracts/chat.ts'

/**
 * Text of others that the model has read in a conversation. `file`: of the user; `tool`: results of tools; `web`: pages of a search; `server`:
 * names and descriptions that servers give themselves and their tools; `assistant`: instructions and files of somebody else's; `summary`: earlier
 * messages, or a summary of them, which may quote any of it though it is gone by now.
 */
export const untrustedSource = z.object({
  kind: z.enum(['file', 'tool', 'web', 'server', 'import', 'summary', 'assistant']),
  /** of the files, integrations or servers; nobody has checked them */
  names: z.array(z.string()),
})
export type UntrustedSource = z.infer<typeof untrustedSource>

/** Progress of a call that its server runs as a task. */
const taskView = z.object({
  /** what the server says: one line, nobody has checked it */
  message: z.string().optional(),
  started_at: z.string(),
  /** until when the server stores the result; absent if that is long from now */
  expires_at: z.string().optional(),
  /** how long to wait before asking again */
  poll_after_ms: z.number(),
})
export type TaskView = z.infer<typeof taskView>

/**
 * What a waiting run waits for, by `kind`. `approval`: the user allows a call. `reconnect`: the user connects an integration again, so that
 * the call can be made. `elicitation`: the user gives what the server of a call asks for. `task`: a server finishes a call.
 */
export const approvalRequest = z.object({
  call_id: z.string(),
  kind: z.enum(['approval', 'reconnect', 'elicitation', 'task']),
  tool: z.string(),
  /** what people call the tool */
  title: z.string(),
  /** name and id of the integration; null for the product's own tools */
  integration: z.string().nullable(),
  mcp_id: z.string().nullable(),
  /** who published the integration's server in the catalogue, as in `com.example` */
  namespace: z.string().optional(),
  /** what the tool's server says that it does, shortened; nobody has checked it */
  description: z.string().optional(),
  /** the tool's server says that it may delete or overwrite things */
  destructive: z.boolean().optional(),
  /** why a change of the memory needs approval; of every tool: an assistant of somebody else, with which no tool is always allowed */
  untrusted: z.array(untrustedSource).optional(),
  /** only with kind `reconnect`: why, see `ReconnectReason` */
  reconnect: reconnectReason.optional(),
  /** only with kind `elicitation`: what the server asks for; one decision for all of it */
  elicitations: z.array(elicitation).optional(),
  /** state of a `task` */
  task: taskView.optional(),
  /** exactly what will be sent once it is allowed; with kind `elicitation`, what has been sent */
  arguments: z.record(z.string(), z.unknown()),
  asked_at: z.string(),
  /** when it lapses, if not after the time of its kind: nobody was there when a schedule's run asked */
  lapses_at: z.string().optional(),
  /** the user's decision, while another request is still open */
  decision: z.enum(['approved', 'denied']).nullable(),
})
export type ApprovalRequest = z.infer<typeof approvalRequest>

/** The newest run of a conversation, as far as a reader needs it. */
export const runView = z.object({
  run_id: z.string(),
  status: z.enum(['running', 'waiting', 'done', 'stopped', 'failed', 'incomplete', 'interrupted']),
  /** id of the user's message that the run answers */
  message_id: z.string(),
  /** id of the assistant's message that the run writes */
  reply_id: z.string(),
  /** the sentence shown when the run failed, and what it says */
  error: z.string().optional(),
  ...coded.partial().shape,
  /** of a run that failed or was cut: the request that wrote it, and when */
  request_id: z.string().optional(),
  failed_at: z.string().optional(),
  /**
   * id of the user's message that this run's message takes the place of (`replaces` of chat.send). While the run is active the
   * page hides the messages from that one up to `message_id`; once the new reply is stored, they are an earlier version.
   */
  replaces: z.string().optional(),
  /** approval requests; only of a waiting run */
  questions: z.array(approvalRequest).optional(),
})
export type RunView = z.infer<typeof runView>

/** Stops the run named, or whichever is running. */
export const stopRequest = z.strictObject({ runId: z.string().max(64).optional() })
export const stopResponse = z.object({ success: z.literal(true), run: runView })

/**
 * The user's decision on an approval request of a waiting run. With the last decision the reply continues, in the response to this
 * request. For a `reconnect` request `approved` says that the integration is connected again, for an `elicitation` request that the
 * response accepts, for a `task` that it is over (`runs.checkTask`); denying a `task` cancels it.
 */
export const decisionRequest = z.strictObject({
  runId: z.string().max(64),
  callId: z.string().max(128),
  approved: z.boolean(),
  /** from now on this tool needs no approval; it asks again when its description changes. Of `read_page`: its host, in this conversation */
  always: z.boolean().optional(),
  /** the arguments as the user has changed them; only with an approval */
  arguments: z.record(z.string(), z.unknown()).optional(),
  /** response to an `elicitation` request; without it the request is cancelled */
  elicitation: elicitationResponse.optional(),
})

/** Asks the server of a waiting call once how far it is. */
export const checkTaskRequest = z.strictObject({ runId: z.string().max(64), callId: z.string().max(128) })
export const checkTaskResponse = z.object({
  /** it is over, or asks for something: the reply can continue (`runs.answer`) */
  is_ready: z.boolean(),
  task: taskView,
})
export type TaskCheck = z.infer<typeof checkTaskResponse>

/** The routes of runs, of the function 'chat'. */
export const runsContracts = {
  'runs.events': { response: z.never() },
  'runs.stop': { request: stopRequest, response: stopResponse },
  'runs.answer': { request: decisionRequest, response: chatResponse },
  'runs.checkTask': { request: checkTaskRequest, response: checkTaskResponse },
} as const
