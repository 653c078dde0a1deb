import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  Tool,
  ToolResultBlockParam,
  ToolUnion,
} from '@anthropic-ai/sdk/resources/messages'
import { parseArguments } from '../call-arguments.ts'
import type { ModelApiCall, ContentPart, ModelMessage, ModelSettings, ModelTool, PdfPart } from '../model.ts'
import { listToolImages } from '../token-estimate.ts'

/**
 * The API wants a limit, which a model's setting replaces. All current models write at least 32,000 tokens, those that they reason with
 * included: https://platform.claude.com/docs/en/about-claude/models/overview. Bedrock counts the limit against the account's quota as soon as a
 * request begins, so it is no higher than needed: https://docs.aws.amazon.com/bedrock/latest/userguide/quotas-token-burndown.html
 */
const maxTokens = 16_000
const maxTokensWithEffort = 32_000

/** Marks where a cached part of the prompt ends: after the tools and instructions, and after the last message, which the next request repeats. */
const cacheBreakpoint = { cache_control: { type: 'ephemeral' } } as const

type MediaType = Extract<ImageBlockParam['source'], { type: 'base64' }>['media_type']

function toImageBlock(url: string): ImageBlockParam[] {
  const [, type, data] = /^data:(image\/(?:png|jpeg|gif|webp));base64,(.+)$/s.exec(url) ?? []
  return type && data
    ? [{ type: 'image', source: { type: 'base64', media_type: type as MediaType, data } }]
    : []
}

/** https://platform.claude.com/docs/en/build-with-claude/pdf-support */
const toDocumentBlock = ({ file: { filename, file_data: url } }: PdfPart): ContentBlockParam => ({
  type: 'document',
  title: filename,
  source: { type: 'base64', media_type: 'application/pdf', data: url.slice(url.indexOf(',') + 1) },
})

/** The API rejects text blocks without text. */
const toTextBlocks = (text: string): TextBlockParam[] => (text.trim() === '' ? [] : [{ type: 'text', text }])

const toUserBlocks = (content: string | ContentPart[]): ContentBlockParam[] =>
  typeof content === 'string'
    ? toTextBlocks(content)
    : content.flatMap((part): ContentBlockParam[] => {
        if (part.type === 'text') return toTextBlocks(part.text)
        return part.type === 'file' ? [toDocumentBlock(part)] : toImageBlock(part.image_url.url)
      })

/** The API takes no other characters in the id of a call, which another model may have chosen. */
export const toCallId = (id: string) => id.replace(/[^A-Za-z0-9_-]/g, '_')

/** Images are part of the result: https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use */
function toResultContent(
  message: Extract<ModelMessage, { role: 'tool' }>,
): NonNullable<ToolResultBlockParam['content']> {
  const images = listToolImages(message).flatMap(toImageBlock)
  return images.length === 0 ? message.content : [...toTextBlocks(message.content), ...images]
}

type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>

/** The answer as the server gave it, or its text and its calls. */
const toAssistantBlocks = ({ content, tool_calls = [], answer }: AssistantMessage): ContentBlockParam[] =>
  answer?.api === 'messages'
    ? (answer.items as unknown as ContentBlockParam[])
    : [
        ...toTextBlocks(content ?? ''),
        ...tool_calls.map(({ id, function: { name, arguments: text } }) => ({
          type: 'tool_use' as const,
          id: toCallId(id),
          name,
          input: parseArguments(text),
        })),
      ]

function toMessage(message: ModelMessage): { role: 'user' | 'assistant'; blocks: ContentBlockParam[] } {
  switch (message.role) {
    case 'assistant':
      return { role: 'assistant', blocks: toAssistantBlocks(message) }
    case 'tool':
      return {
        role: 'user',
        blocks: [
          {
            type: 'tool_result',
            tool_use_id: toCallId(message.tool_call_id),
            content: toResultContent(message),
          },
        ],
      }
    default:
      return { role: 'user', blocks: toUserBlocks(message.content) }
  }
}

/** Reasoning cannot have a breakpoint. */
const canHaveBreakpoint = ({ type }: ContentBlockParam) => type !== 'thinking' && type !== 'redacted_thinking'

/**
 * Builds the messages as the API wants them: roles alternate, the user begins, and results of tools are first in the message after their
 * calls. Cache breakpoints mark the ends of this request and of the previous one: the server looks for a cached part in the last 20 blocks
 * before a breakpoint only
 * (https://platform.claude.com/docs/en/build-with-claude/prompt-caching).
 */
function toMessages(messages: readonly ModelMessage[], caching: object): MessageParam[] {
  const merged: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[] = []
  for (const message of messages) {
    const { role, blocks } = toMessage(message)
    const last = merged.at(-1)
    if (last?.role === role) last.content.push(...blocks)
    else if (blocks.length > 0) merged.push({ role, content: [...blocks] })
  }
  if (merged[0]?.role === 'assistant')
    merged.unshift({ role: 'user', content: [{ type: 'text', text: '[Earlier messages are not shown.]' }] })
  for (const { content } of merged.filter(({ role }) => role === 'user').slice(-2)) {
    const last = content.at(-1)
    if (last && canHaveBreakpoint(last)) content.splice(-1, 1, { ...last, ...caching })
  }
  return merged
}

const toTool = ({ function: { name, description, parameters } }: ModelTool): Tool => ({
  name,
  ...(description !== undefined && { description }),
  input_schema: { ...parameters, type: 'object' },
})

/** The server's own search; it cannot have the name of another tool. */
const toSearchTool = (
  { tools, maxWebSearches = 0, omitWebSearch, omitSearchLimit }: Partial<ModelApiCall>,
  webSearch: boolean | undefined,
): ToolUnion[] =>
  webSearch &&
  !omitWebSearch &&
  maxWebSearches > 0 &&
  !tools?.some((tool) => tool.function.name === 'web_search')
    ? [
        {
          type: 'web_search_20250305',
          name: 'web_search',
          ...(!omitSearchLimit && { max_uses: maxWebSearches }),
        },
      ]
    : []

/**
 * Whether a model thinks unless told otherwise. It sends no summary of its thoughts unless one is requested:
 * https://platform.claude.com/docs/en/models/sonnet-5/migration-guide, …/sonnet-5-5/migration-guide. Matches the ids of Bedrock and
 * gateways too.
 */
const thinksByDefault = (model: string) => /claude-[a-z]+-5(?!\d)/.test(model)

const adaptiveThinking = { type: 'adaptive', display: 'summarized' } as const

/** Models decide themselves how much they think, guided by the effort. This API has no effort `none`: thinking is disabled instead. */
function toThinking(effort: string | undefined, model: string): Partial<MessageCreateParamsStreaming> {
  if (effort === undefined) return thinksByDefault(model) ? { thinking: adaptiveThinking } : {}
  if (effort === 'none') return { thinking: { type: 'disabled' } }
  return {
    thinking: adaptiveThinking,
    // the server rejects an effort that the model does not have
    output_config: { effort: effort as 'low' },
  }
}

/**
 * Builds a streaming request of Anthropic's Messages API.
 * @param settings of the model; `maxOutputTokens` is the limit that the operator configured or the server reported
 * @see https://platform.claude.com/docs/en/api/messages
 */
export function toMessagesRequest(
  call: Omit<ModelApiCall, 'signal' | 'onText' | 'onOmit'>,
  { model, maxOutputTokens, webSearch }: Pick<ModelSettings, 'model' | 'maxOutputTokens' | 'webSearch'>,
): MessageCreateParamsStreaming {
  const { messages, effort, mayCall, omitReasoning, omitCaching } = call
  const tools = [...call.tools.map(toTool), ...toSearchTool(call, webSearch)]
  const system = messages
    .flatMap((message) => (message.role === 'system' ? [message.content] : []))
    .join('\n\n')
  const caching = omitCaching ? {} : cacheBreakpoint
  return {
    model,
    max_tokens:
      maxOutputTokens ?? (effort === undefined && !thinksByDefault(model) ? maxTokens : maxTokensWithEffort),
    stream: true,
    // the cache holds tools before instructions, so one breakpoint is enough for both
    ...(system !== '' && { system: [{ type: 'text', text: system, ...caching }] }),
    messages: toMessages(
      messages.filter(({ role }) => role !== 'system'),
      caching,
    ),
    ...(tools.length > 0 && { tools }),
    ...(tools.length > 0 && mayCall === false && { tool_choice: { type: 'none' } }),
    ...(!omitReasoning && toThinking(effort, model)),
  }
}
