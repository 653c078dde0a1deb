import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { joinSentences } from '#shared/sentences/to-sentence.ts'
import type { ReconnectReason } from '#shared/reconnect-reason.ts'
import type { ToolActivity } from '#shared/chat-events.ts'
import { truncate } from '#shared/truncate.ts'
import { sayIssue } from '../../platform/invalid-input.ts'
import { toPlainNumbers } from '../../platform/exact-json.ts'
import { relaxArguments } from '../../mcp/relaxed-arguments.ts'
import type { RichContent } from '../../mcp/result-media.ts'
import type { CallContinuation, TaskControl } from './unfinished-calls.ts'

export type { RichContent }

/** The parameters of a tool: their schema for the model, and their validation before each run. */
export interface ToolParameters {
  /** JSON Schema of an object */
  readonly schema: Readonly<Record<string, unknown>>
  /** @returns the arguments to run with, or a problem for the model */
  check(value: Record<string, unknown>): { input: Record<string, unknown> } | { problem: Sentence }
}

/** The integration that a tool belongs to, as the user has connected it. */
export interface ToolIntegration {
  readonly mcpId: string
  readonly name: string
  /** publisher of its server in the catalogue, such as `com.example`; absent for built-in integrations and custom servers */
  readonly namespace?: string
}

/** What a server says about a tool: untrusted. */
export interface ServerHints {
  /** empty if the server has none */
  readonly description: string
  /** it may delete or overwrite things */
  readonly destructive: boolean
}

/** A tool that the model may call. The model chooses only the arguments. */
export interface Tool {
  /** at most 64 of `[A-Za-z0-9_-]` */
  readonly name: string
  /** shown in approval requests and in the ledger instead of the name */
  readonly title?: string
  readonly description: string
  /** what its server says about all of its tools, quoted for the model; of the first tool of each server */
  readonly serverNote?: string
  /** what the server says about its tool; shown in approval requests */
  readonly serverHints?: ServerHints
  readonly parameters: ToolParameters
  /** whether it may write, send, pay or delete: then calls need approval, unless the user always allows the tool */
  readonly writes: boolean
  /** it only reads, but what its arguments tell others needs approval, unless these arguments are allowed */
  readonly asks?: true
  /** the ledger leaves out its arguments, because they are memories, which the user can delete in a list of their own */
  readonly isPrivate?: true
  readonly activity: ToolActivity
  /** absent for the product's own tools */
  readonly integration?: ToolIntegration
  /** fingerprint of the server's origin and of the tool's whole definition; only for a server's tool */
  readonly definitionFingerprint?: string
  /** address of the app that shows the results of a server's tool (SEP-1865) */
  readonly appUri?: string
  /** why the user has to reconnect before any call */
  readonly reconnectReason?: ReconnectReason | undefined
  readonly timeoutMs: number
  /**
   * Completes the arguments of a model's call before the user is asked about it, such as with what the user already has: what is shown is what
   * runs. Its result passes `parameters.check` as it is.
   * @throws as `run`
   */
  complete?(input: Record<string, unknown>): Promise<Record<string, unknown>>
  /**
   * @param rich receives the files and links of the result
   * @param onProgress called when the tool's server reports that it is at work
   * @returns JSON-serialisable data for the model
   * @param continuation of a call that is made again with the user's answers
   * @throws Error with a message for the model; ReconnectRequired if the user has to reconnect; InputRequired if its server asks the
   * user; TaskUnfinished if its server needs longer
   */
  run(
    input: Record<string, unknown>,
    signal: AbortSignal,
    continuation?: CallContinuation,
    rich?: RichContent,
    onProgress?: () => void,
  ): Promise<unknown>
  /** set if calls of a server's tool may become tasks */
  readonly tasks?: TaskControl
  /** reduces a result to the part that is shown and stored; by default all of it */
  toStoredResult?(result: unknown): unknown
}

const parametersBySchema = new WeakMap<z.ZodType, ToolParameters>()

/**
 * Parameters of a tool of the product. They are made once for a schema, which therefore is a constant of its module: tools are opened for
 * each reply, before its model is called.
 */
export function zodParameters(schema: z.ZodType<Record<string, unknown>>): ToolParameters {
  const known = parametersBySchema.get(schema) ?? toParameters(schema)
  parametersBySchema.set(schema, known)
  return known
}

function toParameters(schema: z.ZodType<Record<string, unknown>>): ToolParameters {
  const jsonSchema = z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>
  return {
    schema: jsonSchema,
    check(value) {
      // a number that JavaScript cannot hold is refused, never rounded
      const parsed = schema.safeParse(toPlainNumbers(value))
      if (parsed.success) return { input: parsed.data }
      const relaxed = schema.safeParse(toPlainNumbers(relaxArguments(jsonSchema, value)))
      return relaxed.success ? { input: relaxed.data } : { problem: sayIssues(parsed.error, value) }
    },
  }
}

const maxProblemCharacters = 500
const maxProblems = 5

/** On one line, for the model and for the user: `to: "ann" is no e-mail address.` */
function sayIssues({ issues }: z.ZodError, value: unknown): Sentence {
  const problems = issues.slice(0, maxProblems).map((issue) => sayIssue(issue, value))
  const text = joinSentences(problems, '; ').slice(0, maxProblemCharacters)
  return { code: 'invalid_inputs', params: { reason: 'all', problems }, text }
}

/**
 * Identifies what a user allows: the tool's integration, name, description and parameters, and for a server's tool its definition and origin. If
 * any of it changes, the tool needs approval again.
 */
export function fingerprintTool({
  name,
  title,
  description,
  parameters,
  integration,
  definitionFingerprint: definition,
}: Tool): string {
  const identity = [
    integration?.mcpId ?? '',
    definition ?? '',
    name,
    title ?? '',
    description,
    parameters.schema,
  ]
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32)
}

/** Length of the server's tool description in an approval request. */
const maxDescriptionCharacters = 400

/** What the user is shown about a server's tool when its approval is asked for. */
export function describeTool({ serverHints }: Pick<Tool, 'serverHints'>): {
  description?: string
  destructive?: true
} {
  const { description = '', destructive = false } = serverHints ?? {}
  const isCut = description.length > maxDescriptionCharacters
  const shown = isCut ? `${truncate(description, maxDescriptionCharacters)}...` : description
  return { ...(shown !== '' && { description: shown }), ...(destructive && { destructive }) }
}
