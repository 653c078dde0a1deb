import type { ListedModel } from '#shared/models.ts'

type Fields = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An entry of a server's list. */
interface ListedEntry {
  id: string
  /** undefined: it cannot chat */
  model: ListedModel | undefined
  /** all that the server says about it */
  fields: Fields
}

/**
 * Names of models that do something else than chat: vectors, ranking, speech, pictures, films, moderation. Servers such as OpenAI, Ollama
 * and LocalAI list them among the others, and say nothing else about them.
 */
const otherTask =
  /embed|(^|[/:_-])(bge|e5|gte|minilm)\b|rerank|whisper|transcri|(^|[/:_.-])tts\b|kokoro|piper|parakeet|text-to-speech|dall-e|gpt-image|imagen|stable-?diffusion|sdxl|flux[.-]\d|(^|[/:_-])(sora|veo|clip|realtime)\b|moderation|llama-guard|colbert|(^|[/:_-])grok-[\w.-]{0,20}imag(e|ine)|chatgpt-image|gpt-3\.5-turbo-instruct|(^|\/)(davinci|babbage)-\d{3}$|(^|\/)aqa$|native-audio/i

/** Words with which servers say what a model does: LM Studio and Together `type`, LiteLLM `mode`, vLLM and others `task`. */
const chatWords =
  /^(chat|llm|vlm|text|language|(chat[._ -]?)?completions?|responses|generate|text-generation|model|base|code)$/i

/** What a model takes or gives, where the server says so: OpenRouter in its `architecture`, GitHub beside the id. */
function listModalities(fields: Fields, side: 'input' | 'output'): unknown[] | undefined {
  const { architecture } = fields
  const named = isRecord(architecture) ? architecture[`${side}_modalities`] : undefined
  const list = named ?? fields[`supported_${side}_modalities`]
  return Array.isArray(list) ? list : undefined
}

function canChat(id: string, fields: Fields): boolean {
  const { capabilities, supports_chat: supportsChat } = fields
  const outputs = listModalities(fields, 'output')
  if (outputs) return outputs.includes('text')
  // Fireworks
  if (typeof supportsChat === 'boolean') return supportsChat
  if (isRecord(capabilities) && typeof capabilities['completion_chat'] === 'boolean')
    return capabilities['completion_chat']
  const words = ['type', 'mode', 'task'].map((key) => fields[key])
  if (words.some((word) => typeof word === 'string' && !chatWords.test(word))) return false
  // LiteLLM lists `openai/*` for all models of a provider
  return !id.includes('*') && !otherTask.test(id)
}

/**
 * The names of a model's window: LM Studio and llama.cpp first what is loaded, then vLLM, OpenRouter and Together, Groq, Mistral, LiteLLM and
 * Anthropic.
 */
const windowKeys = [
  'loaded_context_length',
  'n_ctx',
  'max_model_len',
  'context_length',
  'context_window',
  'max_context_length',
  'max_input_tokens',
  'n_ctx_train',
]

/** Looks where servers put it: beside the id, in llama.cpp's `meta`, in LiteLLM's `model_info`, in OpenRouter's `top_provider`, in GitHub's `limits`. */
function findWindow(fields: Fields): number | undefined {
  const records = [
    fields,
    fields['meta'],
    fields['model_info'],
    fields['top_provider'],
    fields['limits'],
  ].filter(isRecord)
  for (const key of windowKeys)
    for (const record of records) {
      const tokens = record[key]
      if (typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= minWindow) return tokens
    }
  return undefined
}

/** A smaller window is a mistake of the list, and would leave no room for a message. */
const minWindow = 512

/** Whether a server says that a model sees no images. */
function isBlind(fields: Fields): boolean {
  const { capabilities } = fields
  const inputs = listModalities(fields, 'input')
  if (inputs) return !inputs.includes('image')
  return (
    (isRecord(capabilities) && capabilities['vision'] === false) || fields['supports_image_input'] === false
  )
}

/** The limits of shared/models.ts. */
const maxIdCharacters = 200
const maxNameCharacters = 60

function toModel(id: string, fields: Fields): ListedModel | undefined {
  if (id.length > maxIdCharacters || !canChat(id, fields)) return undefined
  const contextTokens = findWindow(fields)
  const name = [fields['display_name'], fields['name']].find(
    (text): text is string =>
      typeof text === 'string' && text.trim() !== '' && text.length <= maxNameCharacters && text !== id,
  )
  return {
    id,
    ...(name !== undefined && { name: name.trim() }),
    ...(contextTokens !== undefined && { contextTokens }),
    ...(isBlind(fields) && { vision: false }),
  }
}

/**
 * Reads a list of models as servers send it: `{data: […]}`, Ollama's `{models: […]}` or the list alone. What is no entry is left out, and so
 * is an id that was there before.
 * @returns undefined if it is no list
 */
export function readListedModels(body: unknown): ListedEntry[] | undefined {
  const list = Array.isArray(body) ? body : isRecord(body) ? (body['data'] ?? body['models']) : undefined
  if (!Array.isArray(list)) return undefined
  const entries = new Map<string, ListedEntry>()
  for (const fields of list as unknown[]) {
    if (!isRecord(fields)) continue
    const id = [fields['id'], fields['name'], fields['model']].find((value) => typeof value === 'string')
    if (typeof id !== 'string' || id.trim() === '' || entries.has(id)) continue
    entries.set(id, { id, model: toModel(id, fields), fields })
  }
  return [...entries.values()]
}
