import { ModelError } from './model-errors.ts'

/** Smaller numbers are something else; larger windows refuse nothing that is sent here. */
const smallest = 256
const largest = 10_000_000

const number = String.raw`(\d{3,8})\b`
/** How servers name the window that a request exceeds, the most definite first. `error-kinds.test.ts` has their messages. */
const patterns: readonly RegExp[] = [
  // Anthropic: 210000 tokens > 200000 maximum
  new RegExp(`> ?${number}`),
  // Mistral: a model with 32768 maximum context length
  new RegExp(`${number} (?:tokens? )?(?:maximum )?context`),
  // OpenAI, vLLM, llama.cpp, LM Studio, xAI; Ollama says by how much it is exceeded
  new RegExp(
    String.raw`(?:context (?:length|window|size)|maximum prompt length)(?!\s+(?:by|exceeds)\b)[^\d.]{0,20}${number}`,
  ),
  // OpenAI and GitHub; Vertex; SGLang; GitHub; vLLM; TGI; DashScope
  new RegExp(
    String.raw`(?:limit of|only supports up to|maximum allowed length|max size:|maximum model length of|must have less than|input length should be \[1,) ?\(?${number}`,
  ),
  // Gemini, Cohere, TGI, Moonshot, Groq
  new RegExp(String.raw`(?:tokens allowed \(|cannot exceed |must be <= |limit:? )${number}`),
]

/** @returns how many tokens a server's error says that it takes; undefined if the error does not say it */
export function readReportedWindow(error: unknown): number | undefined {
  if (!(error instanceof ModelError) || !error.rejection) return undefined
  const text = error.rejection.message
    .slice(0, 1_000)
    .toLowerCase()
    .replaceAll(/(?<=\d)[,_](?=\d{3})/g, '')
  for (const pattern of patterns) {
    const tokens = Number(pattern.exec(text)?.[1] ?? 0)
    if (tokens >= smallest && tokens <= largest) return tokens
  }
  return undefined
}
