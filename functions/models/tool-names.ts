import type { ModelTool } from './model.ts'

/**
 * What models and servers put before the name of a tool: Kimi and gpt-oss `functions.`
 * (https://huggingface.co/moonshotai/Kimi-K2-Instruct/blob/main/docs/tool_call_guidance.md), Gemini `default_api:`.
 */
const prefixes = ['function', 'functions', 'tool', 'tools', 'default_api']
const prefix = new RegExp(`^(?:${prefixes.join('|')})[.:/]`)
/** Kimi counts its calls behind the name. */
const suffix = /:\d{1,4}$/
/**
 * What servers leave behind a name of its model's template: gpt-oss (https://github.com/vllm-project/vllm/issues/32587) and GLM
 * (https://github.com/fw-ai-external/python-sdk/issues/119).
 */
const withoutMarks = (name: string) => name.split('<', 1)[0] ?? ''

/** A name that every server takes back in a history, whatever a model has made up: https://github.com/mcp-use/mcp-use/issues/90. */
export const toValidName = (name: string): string => name.replace(/[^\w-]/g, '_').slice(0, 64)

/** Names of tools as servers write them, against those that the request offered. */
export class ToolNames {
  readonly #offered: ReadonlySet<string>

  constructor(tools: readonly ModelTool[]) {
    this.#offered = new Set(tools.map((tool) => tool.function.name))
  }

  /** The offered tool that a name means, however it is written; if there is none, the name as servers take it back. */
  resolve(name: string): string {
    if (this.#offered.has(name)) return name
    const bare = withoutMarks(name).replace(prefix, '').replace(suffix, '')
    return this.#offered.has(bare) ? bare : toValidName(name)
  }

  isOffered(name: string): boolean {
    return this.#offered.has(this.resolve(name))
  }

  /** Whether more may follow: an offered name, or what is put before one, begins so and goes on. */
  mayContinue(name: string): boolean {
    if (prefixes.some((one) => one.startsWith(name))) return true
    const bare = name.replace(prefix, '')
    return [...this.#offered].some((one) => one.length > bare.length && one.startsWith(bare))
  }

  /** Whether an offered name is, or begins with, this one. */
  isBeginning(name: string): boolean {
    return this.#offered.has(this.resolve(name)) || this.mayContinue(name)
  }
}
