import * as z from 'zod'
import { clientGeneratedId } from '#shared/contracts/chat.ts'
import {
  maxFilesPerMessage,
  maxImportedCalls,
  maxImportedForks,
  maxImportedMessageCharacters,
  maxImportedMessagesPerRequest,
  maxImportedTurns,
  maxMessageCharacters,
  maxReasoningCharacters,
  maxReasoningMs,
  maxSources,
  maxTitleCharacters,
} from '#shared/limits.ts'

/** A text as the table accepts it: without unpaired surrogates. */
const text = (maxCharacters: number) =>
  z
    .string()
    .max(maxCharacters)
    .transform((value) => value.toWellFormed())
const turnNumber = z.number().int().min(1).max(maxImportedTurns)
const time = z.iso.datetime()

/** A value of JSON, whose texts are as the table accepts them. */
const json = z.json().transform((value): unknown => JSON.parse(JSON.stringify(value), toWellFormed))
const toWellFormed = (_: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)

/** A call that a reply has made, to be shown: without the app and the questions of its server. */
const importedCall = z.strictObject({
  tool: text(200).pipe(z.string().min(1)),
  action: text(200),
  integration: text(200).optional(),
  parameters: z.record(z.string().max(200), json),
  result: z.strictObject({
    success: z.boolean(),
    data: json.optional(),
    error: text(maxMessageCharacters).optional(),
    structured: z.boolean().optional(),
    totalRows: z.number().int().min(0).optional(),
  }),
})
export type ImportedCall = z.output<typeof importedCall>

const importedMessage = z
  .strictObject({
    turn: turnNumber,
    role: z.enum(['user', 'assistant']),
    content: text(maxMessageCharacters),
    created_at: time,
    reasoning: z
      .strictObject({
        text: text(maxReasoningCharacters).pipe(z.string().min(1)),
        durationMs: z.number().int().min(0).max(maxReasoningMs),
      })
      .optional(),
    sources: z
      .array(z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(2_000), title: text(300).optional() }))
      .max(maxSources)
      .optional(),
    /** of a reply that did not end by itself */
    ended: z.enum(['stopped', 'failed', 'incomplete', 'interrupted']).optional(),
    tool_calls: z.array(importedCall).max(maxImportedCalls).optional(),
    /** ids of the caller's own finished uploads; any others are left out */
    attachment_ids: z.array(z.string().max(128)).max(maxFilesPerMessage).optional(),
  })
  .refine(
    ({ content, reasoning, sources = [], tool_calls: calls = [] }) =>
      content.length + (reasoning?.text.length ?? 0) + JSON.stringify([sources, calls]).length <=
      maxImportedMessageCharacters,
    'The message is too large.',
  )

/** How turns follow each other: each follows the one before it, unless it is a version of an earlier one (ADR 0049). */
const forks = z
  .array(z.strictObject({ turn: turnNumber, version_of: turnNumber }))
  .max(maxImportedForks)
  .refine((list) => {
    const turns = new Set(list.map(({ turn }) => turn))
    return list.every(
      ({ turn, version_of: first }, index) =>
        first < turn && !turns.has(first) && turn > (list[index - 1]?.turn ?? 0),
    )
  }, 'Name the forks in the order of their turns, each as a version of an earlier turn that is none itself.')

const importedConversation = z
  .strictObject({
    /** id at the source: a conversation of the same source and id is stored once */
    source_id: z.string().min(1).max(200),
    title: text(maxTitleCharacters).pipe(z.string().trim().min(1)),
    created_at: time,
    updated_at: time,
    archived: z.boolean().optional(),
    pinned: z.boolean().optional(),
    /** one of the caller's projects; another one is left out */
    project_id: clientGeneratedId.optional(),
    /** number of the newest turn */
    turns: turnNumber,
    forks: forks.optional(),
    /** last turn of the branch that is shown; absent: the newest turn */
    head: turnNumber.optional(),
    /** messages with content in that branch */
    message_count: z
      .number()
      .int()
      .min(1)
      .max(2 * maxImportedTurns),
    /** some of them or none; a message is one of its turn and role */
    messages: z.array(importedMessage).max(maxImportedMessagesPerRequest),
    /** an earlier request has begun the conversation: without what it stored, nothing is stored */
    continues: z.boolean().optional(),
    /** no messages follow: the conversation is listed from now on */
    complete: z.boolean(),
    /**
     * The conversation was imported before and has grown at its source: the turns of `messages` are added to it, and nothing else is changed.
     * Turns that they follow and that are there are named here, with the times of their messages, by which they are found.
     */
    known_turns: z
      .array(z.strictObject({ turn: turnNumber, user_at: time.optional(), reply_at: time.optional() }))
      .max(maxImportedMessagesPerRequest)
      .optional(),
  })
  .refine(
    ({ turns, forks: list = [], head = turns, messages }) =>
      [head, ...list.map(({ turn }) => turn), ...messages.map(({ turn }) => turn)].every(
        (turn) => turn <= turns,
      ),
    'No turn may have a higher number than the newest one.',
  )
export type ImportedConversation = z.infer<typeof importedConversation>

export const importSource = z.enum(['chatgpt', 'claude', 'librechat', 'openwebui', 'juno'])
export type ImportSource = z.infer<typeof importSource>

/**
 * POST /api/imports: stores conversations of an export. Can be repeated. One with many messages takes several calls with the
 * same fields, of which the last is `complete`; until then it is not listed.
 */
export const importRequest = z.strictObject({
  /** made by the client for the whole import; undoing it deletes what has this id */
  import_id: z.uuid(),
  source: importSource,
  conversations: z
    .array(importedConversation)
    .min(1)
    .max(100)
    .refine((list) => new Set(list.map(({ source_id: id }) => id)).size === list.length, 'Name each once.')
    .refine(
      (list) => list.reduce((sum, { messages }) => sum + messages.length, 0) <= maxImportedMessagesPerRequest,
      'These are too many messages for one request.',
    ),
})
export const importResponse = z.object({
  success: z.literal(true),
  /**
   * In the order of the request. `open`: more messages may follow; `imported`: it is complete; `existing`: another import has stored it, or
   * stores it now, and nothing was changed; `extended`: turns were added, or none was missing; `busy`: a reply is written in it now.
   */
  conversations: z.array(
    z.object({
      source_id: z.string(),
      state: z.enum(['open', 'imported', 'existing', 'extended', 'busy']),
      /** of one that is there: later messages of its source are not, and can be added with `known_turns` */
      until: z.string().optional(),
      /** messages that were added */
      added: z.number().int().optional(),
      /** messages that were not, because there are too many versions */
      unplaced: z.number().int().optional(),
    }),
  ),
})

/** GET /api/imports: the caller's imports with conversations left, newest first. */
const importSummary = z.object({
  id: z.string(),
  source: importSource,
  imported_at: z.string(),
  /** conversations of it that are not deleted */
  conversations: z.number().int(),
})
export type ImportSummary = z.infer<typeof importSummary>

/** The contracts of imports, of the function 'sessions'. */
export const importsContracts = {
  'imports.add': { request: importRequest, response: importResponse },
  'imports.list': { response: z.object({ imports: z.array(importSummary) }) },
  // deletes as many conversations as the time of one call allows: called again until none remain
  'imports.undo': {
    response: z.object({ success: z.literal(true), deleted: z.number().int(), remaining: z.number().int() }),
  },
} as const
