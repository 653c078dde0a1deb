import { createHash } from 'node:crypto'
import { parseExactJson } from '../../platform/exact-json.ts'
import type { ModelCall, ModelMessage, ModelRound, ModelTool, ModelToolCall } from '../model.ts'
import { isRecord } from '../fields.ts'
import { RecentMap } from '../recent-map.ts'
import { toValidName } from '../tool-names.ts'
import { toSentSchema, type SentSchema } from './sent-schema.ts'

/** How a tool is sent to a server that has refused it: with a simpler schema, or not at all. */
export type ToolForm = 'simple' | 'omitted'

/** Tools by `toToolKey`; those that are not in it are sent as they are. */
export type ToolForms = ReadonlyMap<string, ToolForm>

const keys = new WeakMap<ModelTool['function'], string>()

/** Identifies a tool by all that a server is sent of it: users' servers may have different ones of the same name. */
export function toToolKey({ function: tool }: ModelTool): string {
  const key = keys.get(tool) ?? createHash('sha256').update(JSON.stringify(tool)).digest('base64url')
  keys.set(tool, key)
  return key
}

const maxNameCharacters = 64

/** Gemini takes no name that begins with a digit: https://github.com/CherryHQ/cherry-studio/issues/4088. */
const toSentName = (name: string) =>
  /^[A-Za-z_]/.test(name) ? name : `t_${name}`.slice(0, maxNameCharacters)

const schemas = new WeakMap<object, Partial<Record<'whole' | 'simple', SentSchema>>>()

function findSchema({ function: { parameters = {} } }: ModelTool, kind: 'whole' | 'simple'): SentSchema {
  const known = schemas.get(parameters) ?? {}
  schemas.set(parameters, known)
  known[kind] ??= toSentSchema(parameters, kind === 'simple')
  return known[kind]
}

/** @param isSent whether a tool of this name is sent */
function withSentNames(message: ModelMessage, isSent: (name: string) => boolean): ModelMessage {
  if (message.role !== 'assistant' || !message.tool_calls) return message
  const toName = (name: string) => toSentName(isSent(toSentName(name)) ? name : toValidName(name))
  const calls = message.tool_calls.map((call) => ({
    ...call,
    function: { ...call.function, name: toName(call.function.name) },
  }))
  return { ...message, tool_calls: calls }
}

function restoreArguments(text: string, { restore }: SentSchema): string {
  if (!restore) return text
  try {
    const value = parseExactJson(text)
    return isRecord(value) ? JSON.stringify(restore(value)) : text
  } catch {
    // the call fails with what the model wrote
    return text
  }
}

/** A tool of a request. */
export interface SentTool {
  key: string
  name: string
  /** of a server that the product does not write */
  isForeign: boolean
  /** how it is sent after a refusal */
  next: ToolForm
}

/** A call as every server takes its tools, and how what comes back is read. */
export interface SentCall {
  call: ModelCall
  /** the tools that are sent, in their order */
  listSent: () => SentTool[]
  /** the keys of those of them that the product does not write */
  listForeignKeys: () => string[]
  /** names of the tools that are not */
  omitted: string[]
  toOwn: (round: ModelRound) => ModelRound
}

/** Writes the tools of a call in the form that all servers take, and leaves out those that this one refuses. */
export function sendTools(call: ModelCall, forms: ToolForms): SentCall {
  const getForm = (tool: ModelTool) => (forms.size > 0 ? forms.get(toToolKey(tool)) : undefined)
  const isOmitted = (tool: ModelTool) => getForm(tool) === 'omitted'
  const used = call.tools
    .filter((tool) => !isOmitted(tool))
    .map((tool) => ({
      tool,
      name: toSentName(tool.function.name),
      schema: findSchema(tool, getForm(tool) === undefined ? 'whole' : 'simple'),
    }))
  const byName = new Map(used.map((one) => [one.name, one]))
  const toOwnName = (name: string) => byName.get(name)?.tool.function.name ?? name
  const toOwnCall = ({ name, arguments: text, ...rest }: ModelToolCall): ModelToolCall => {
    const one = byName.get(name)
    return { ...rest, name: toOwnName(name), arguments: one ? restoreArguments(text, one.schema) : text }
  }
  const { onToolInput } = call
  return {
    listSent: () =>
      used.map(({ tool, name, schema }) => {
        const simple = JSON.stringify(findSchema(tool, 'simple').schema)
        const canBeSimpler = simple !== JSON.stringify(schema.schema)
        return {
          key: toToolKey(tool),
          name,
          isForeign: tool.isForeign === true,
          next: canBeSimpler ? 'simple' : 'omitted',
        }
      }),
    listForeignKeys: () => used.flatMap(({ tool }) => (tool.isForeign === true ? [toToolKey(tool)] : [])),
    omitted: call.tools.filter(isOmitted).map((tool) => tool.function.name),
    call: {
      ...call,
      messages: call.messages.map((message) => withSentNames(message, (name) => byName.has(name))),
      tools: used.map(({ tool, name, schema }) => ({
        type: 'function',
        function: { ...tool.function, name, parameters: schema.schema },
      })),
      ...(onToolInput && {
        onToolInput: ({ name, ...part }) => onToolInput({ ...part, name: toOwnName(name) }),
      }),
    },
    toOwn: (round) => ({ ...round, toolCalls: round.toolCalls.map(toOwnCall) }),
  }
}

/** Remembers for a while how tools are sent, and which a server has taken. */
export function toolFormMemory(rememberedMs: number) {
  const forms = new RecentMap<string, ToolForm>(rememberedMs)
  const taken = new RecentMap<string, true>(rememberedMs)
  return {
    list: (tools: readonly ModelTool[]): Map<string, ToolForm> =>
      new Map(
        (forms.isEmpty ? [] : tools).flatMap((tool) => {
          const key = toToolKey(tool)
          const form = forms.get(key)
          return form === undefined ? [] : [[key, form] as const]
        }),
      ),
    add: (key: string, form: ToolForm) => forms.set(key, form),
    addTaken: (key: string) => taken.set(key, true),
    isTaken: (key: string) => taken.get(key) === true,
  }
}
