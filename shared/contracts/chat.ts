import * as z from 'zod'
import { elicitedInput } from '#shared/contracts/elicitation.ts'
import { coded, storedSentence } from '#shared/sentences/sentence.ts'
import { attachment } from '#shared/contracts/files.ts'
import {
  maxAnalysisCharacters,
  maxFilesPerMessage,
  maxMessageCharacters,
  maxMessagesPerRequest,
  maxSystemPromptCharacters,
  truncationMarker,
  maxDisabledTools,
} from '#shared/limits.ts'

/** An id that the client has generated (the page: a UUID). It cannot contain the separator of the table's keys. */
export const clientGeneratedId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)

/**
 * The specification's attachment reference inside a message. Only `id` counts, and only the caller's own finished uploads are ever
 * resolved from it; name, type, size and url are taken from the stored file. Any other id: 404 `attachment_not_found`.
 * `extractedText` is the response of a document's analysis. The files of a temporary chat are deleted with the reply, so later
 * messages are answered from this text. A file that still exists is read again.
 */
const attachmentReference = z.object({
  id: z.string().max(128).nullish(),
  name: z.string().max(500).nullish(),
  type: z.string().max(200).nullish(),
  size: z.number().nonnegative().nullish(),
  url: z.string().max(4_000).nullish(),
  extractedText: z
    .string()
    .max(maxAnalysisCharacters + 2 + truncationMarker.length)
    .nullish(),
})

/** A message as the page sends it. Unknown fields are stripped, not refused: the specification's own object. */
const requestMessage = z.object({
  role: z.enum(['user', 'assistant']),
  content: z.string().max(maxMessageCharacters),
  attachments: z.array(attachmentReference).max(maxFilesPerMessage).nullish(),
})

/** Hints of the page. They narrow and inform, they grant nothing. */
const connectedTool = z.object({ mcp_id: z.string().max(200), mcp_name: z.string().max(200) })

/** A connection whose tools a conversation may not use, or one tool of it by the `id` of `tools.list`. */
export const disabledTool = z.strictObject({
  mcp_id: z.string().min(1).max(200),
  tool: z.string().min(1).max(64).optional(),
})
export type DisabledTool = z.infer<typeof disabledTool>

const integrationContext = z.object({
  connectedCount: z.number().int().nonnegative(),
  availableCapabilities: z.array(z.string().max(200)).max(500),
  integrationList: z.array(z.string().max(200)).max(500),
})

/**
 * POST chat-openai. With a `sessionId` the server reads the last user message from `messages` and everything before it from
 * its own table; without one, and in a temporary chat, `messages` is the whole history.
 */
export const chatRequest = z.strictObject({
  messages: z.array(requestMessage).min(1).max(maxMessagesPerRequest),
  connectedTools: z.array(connectedTool).max(200).nullish(),
  systemPrompt: z.string().max(maxSystemPromptCharacters).nullish(),
  integrationContext: integrationContext.nullish(),
  /** IANA name of the page's time zone, for schedules that the reply creates. One that is unknown counts as none. */
  time_zone: z.string().max(100).nullish(),
  sessionId: clientGeneratedId.optional(),
  messageId: clientGeneratedId.optional(),
  /**
   * Regenerate, or edit and send again: the id of the caller's own message that this one takes the place of. The message sent
   * (with a new `messageId`, the old or the edited content, and its attachments by id) is answered with what preceded the
   * replaced one as context. What is replaced, and all that followed it, is shown until the new reply exists, and is an earlier version
   * of the message then (`sessions.showVersion`).
   */
  replaces: clientGeneratedId.optional(),
  /**
   * Continues the incomplete reply to the message, as the same reply, from what is stored. In a temporary chat `messages` ends with the
   * incomplete reply. If the reply is complete by now, it is the response.
   */
  continues: z.boolean().optional(),
  /**
   * The project that a new conversation belongs to: its instructions, files and defaults apply. One that does not exist: 404
   * `project_not_found`. A conversation that exists keeps its own project.
   */
  project_id: clientGeneratedId.optional(),
  /**
   * The assistant that a new conversation uses: its instructions, files and model of the newest version, from message to message. One that
   * the caller may not use: 404 `assistant_not_found`. A conversation that exists keeps its own; to name it saves a round trip.
   */
  assistant_id: clientGeneratedId.optional(),
  /** false: the chat began as a temporary one and stays temporary, whatever the setting is now */
  keep: z.boolean().optional(),
  /**
   * Which of the models in `/config.json` replies; without it the one that the conversation used last, else the default. One that is not
   * listed: 400 `model_not_available`.
   */
  model: z.string().max(200).optional(),
  /** How much the model reasons: one of its `efforts`. One that is not: 400 `effort_not_available`. */
  effort: z.string().max(20).optional(),
  /** What the conversation may not use from this message on; without it, what it might not use before. A new connection may be used. */
  disabledTools: z.array(disabledTool).max(maxDisabledTools).optional(),
})
export type ChatRequest = z.infer<typeof chatRequest>

/** A resource that a tool's result points to: always http or https, opened by the user only. */
export const resourceLink = z.object({ url: z.string(), title: z.string() })
export type ResourceLink = z.infer<typeof resourceLink>

/** What a result has besides its data and its files. */
export const resultExtras = z.object({
  links: z.array(resourceLink).optional(),
  /** sentences about files that were left out, ready to be shown */
  notes: z.array(z.string()).optional(),
  /** what each of the notes says */
  noteCodes: z.array(coded).optional(),
  /** what the product says within the data, for the page to say it in its language */
  sentences: z.array(storedSentence).optional(),
  /** the data is the structured content of an MCP server's result */
  structured: z.boolean().optional(),
  /** the server has an app that shows this result (SEP-1865): the connection whose app it is */
  app: z.object({ mcp_id: z.string() }).optional(),
  /** how many rows the data had, where only the first of them are stored */
  totalRows: z.number().int().nonnegative().optional(),
  /** of `read_page`: the user has allowed all addresses of its host in this conversation */
  host_allowed: z.literal(true).optional(),
})
export type ResultExtras = z.infer<typeof resultExtras>

export const toolCall = z.object({
  tool: z.string(),
  action: z.string(),
  /** name of the integration that the tool belongs to */
  integration: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()),
  result: z.object({
    success: z.boolean(),
    data: z.unknown().optional(),
    error: z.string().optional(),
    /** what `error` says, one after the other */
    codes: z.array(coded).optional(),
    ...resultExtras.shape,
  }),
  /** what the tool's server asked the user during the call, and what it was sent */
  elicited: z.array(elicitedInput).optional(),
})
export type ToolCall = z.infer<typeof toolCall>

/** How a reply differs from the request, and the sentence about it for the user. */
export const replyNotice = z.object({
  code: z.enum([
    'tools_unavailable',
    'tools_left_out',
    'images_unavailable',
    'effort_unavailable',
    'results_cut',
    'model_replaced',
    'model_waits',
    'reply_filtered',
    'assistant_updated',
    'assistant_gone',
  ]),
  params: coded.shape.params,
  text: z.string(),
})
export type ReplyNotice = z.infer<typeof replyNotice>

/** What the model reasoned before and between its words, as far as its server shows it, and for how long. */
export const reasoning = z.object({ text: z.string(), durationMs: z.number().int().nonnegative() })
export type Reasoning = z.infer<typeof reasoning>

/** A page that a reply cites: always http or https. Replies number them from 1. */
export const source = z.object({ url: z.string(), title: z.string().optional() })
export type Source = z.infer<typeof source>

/** What a reply used, all its requests to the model together. */
export const usage = z.object({
  /** all tokens of the prompts, cached ones included */
  inputTokens: z.number().int().nonnegative(),
  cachedInputTokens: z.number().int().nonnegative(),
  /** all tokens the model wrote, those of its reasoning included */
  outputTokens: z.number().int().nonnegative(),
  reasoningTokens: z.number().int().nonnegative(),
  /** images made */
  images: z.number().int().nonnegative(),
  /** searches of the web that the model's server made, cited or not; absent if none */
  webSearches: z.number().int().positive().optional(),
  /** the server's name of the model */
  model: z.string().optional(),
  /** tokens of the last request and its answer: how much of the model's window the conversation takes */
  contextUsed: z.number().int().nonnegative().optional(),
  /** id of the first message that the model was sent, where earlier ones no longer fit */
  contextStart: z.string().optional(),
  /** number of turns that the model was sent, with the last one; only for a temporary chat whose earlier turns no longer fit */
  contextTurns: z.number().int().positive().optional(),
  /** the model was sent text of others, which the reply may quote */
  readOthers: z.boolean().optional(),
  /** documents of which the model was given a part: characters, of how many */
  partFiles: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        given: z.number().int().nonnegative(),
        of: z.number().int().nonnegative(),
        /** rows of its tables: the model calculates with them instead of reading */
        rows: z.number().int().nonnegative().optional(),
      }),
    )
    .optional(),
  /** the server did not count all of it, so the tokens are an estimate */
  estimated: z.boolean().optional(),
  /** USD, where the deployment knows the model's prices */
  cost: z.number().nonnegative().optional(),
})
export type Usage = z.infer<typeof usage>

/**
 * Why a reply is incomplete, as far as that is known. `length`: of one answer or of the whole reply; `time`: its function had to end; `budget`:
 * a limit of use was reached; `filter`: the model's server withheld the rest.
 */
export const incompleteReason = z.enum(['length', 'time', 'budget', 'filter'])
export type IncompleteReason = z.infer<typeof incompleteReason>

/** Why a reply failed: a sentence for the user, and what it says. Failures that were stored by older releases have the sentence alone. */
export interface Failure {
  error: string
  code?: string | undefined
  params?: Readonly<Record<string, unknown>> | undefined
  /** id of the request that failed, by which its logs are found */
  requestId?: string | undefined
}

/** The JSON form of a reply; the last event of a streamed one carries the same fields. */
export const chatResponse = z.object({
  success: z.boolean(),
  content: z.string(),
  toolCalls: z.array(toolCall),
  error: z.string().nullable(),
  /** only with `error`: what it says */
  ...coded.partial().shape,
  /** only with `error`: id of the request that wrote the reply */
  requestId: z.string().optional(),
  /** files made for this reply: images, and what tools of integrations returned */
  attachments: z.array(attachment).optional(),
  notices: z.array(replyNotice).optional(),
  reasoning: reasoning.optional(),
  sources: z.array(source).optional(),
  incompleteReason: incompleteReason.optional(),
})
export type ChatResponse = z.infer<typeof chatResponse>

/** The chat route of the function 'chat'. */
export const chatContracts = {
  'chat.send': { request: chatRequest, response: chatResponse },
  /** for pages whose `/config.json` has no models, because the model's server lists them */
  'models.list': {
    response: z.object({
      models: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          isDefault: z.boolean(),
          vision: z.boolean(),
          efforts: z.array(z.string()),
          contextTokens: z.number().optional(),
        }),
      ),
    }),
  },
} as const
